import { expect, test } from 'vitest'
import { CATALOG, evaluateCatalogFunction } from './catalog.ts'

const LONG = 'a'.repeat(100_000)
const MANY = 20_000

function list(data: string, item: string): string {
  return `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: a}
${item}
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: config}
  data: {${data}}
`
}

const fields = (value: string) => `  data:\n${Array.from({ length: MANY }, (_, index) => `    k${index}: ${value}\n`).join('')}`
const containers = Array.from({ length: MANY }, (_, index) => `    - {name: c${index}, image: nginx}\n`).join('')

test.each([
  {
    what: 'many groups of an expression',
    name: 'search-replace',
    input: list(`by-value-regex: "(.*)", put-value: "${'$'.concat('{1}').repeat(MANY)}"`, `  data: {x: ${LONG}}`),
  },
  { what: 'a long value', name: 'search-replace', input: list(`by-value: v, put-value: ${LONG}`, fields('v')) },
  {
    what: 'many setters',
    name: 'apply-setters',
    input: list(`s: ${LONG}`, `  data:\n    x: b # kpt-set: ${'$'.concat('{s}').repeat(MANY)}\n`),
  },
  { what: 'a setter in many fields', name: 'apply-setters', input: list(`s: ${LONG}`, fields('v # kpt-set: $'.concat('{s}'))) },
  { what: 'a long image', name: 'set-image', input: list(`name: nginx, newName: ${LONG}`, `  spec:\n    containers:\n${containers}`) },
])('$name refuses $what before the texts are made', ({ name, input }) => {
  const fn = CATALOG.find((each) => each.name === name)
  if (fn === undefined) throw new Error(name)
  const answer = evaluateCatalogFunction(fn, fn.versions[0] ?? '', input)
  expect(answer).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^error: the objects must not become longer by more than/) })
})
