import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { readsOf, requiredTexts } from './reads.ts'
import { prepareVariables } from './variables.ts'

const VARIABLES = prepareVariables(
  new Map<string, string | { readonly name: string; readonly labels: Readonly<Record<string, string>> }>([
    ['repoDefault', 'edge-07'],
    ['target', { name: 'ham-01', labels: { region: 'north', 'a.b/c': 'd' } }],
  ]),
)

function reads(expression: string): readonly string[] {
  return readsOf(expression, VARIABLES).map(({ path, value }) => `${formatFieldPath(path)} ${JSON.stringify(value)}`)
}

test.each([
  { expression: "'fixed'", read: [] },
  { expression: "repoDefault + '-' + target.name", read: ['repoDefault "edge-07"', 'target.name "ham-01"'] },
  { expression: 'target.name + target.name', read: ['target.name "ham-01"'] },
  { expression: "target.labels['a.b/c']", read: ['target.labels["a.b/c"] "d"'] },
  { expression: "has(target.labels.zone) ? target.labels.zone : 'none'", read: ['target.labels.zone undefined'] },
  { expression: 'target.labels[repoDefault]', read: ['target.labels {"a.b/c":"d","region":"north"}', 'repoDefault "edge-07"'] },
  {
    expression: "target.labels.exists(k, k == target.name) ? 'a' : 'b'",
    read: ['target.labels {"a.b/c":"d","region":"north"}', 'target.name "ham-01"'],
  },
  { expression: "['a'].map(target, target + repoDefault)[0]", read: ['repoDefault "edge-07"'] },
  { expression: 'string(type(target.name) == string)', read: ['target.name "ham-01"'] },
])('$expression reads $read', ({ expression, read }) => {
  expect(reads(expression)).toEqual(read)
})

test.each([
  { condition: "item.kind == 'Region'", required: { kind: 'Region' } },
  { condition: "'Region' == item.kind && item.open", required: { kind: 'Region' } },
  { condition: "item['kind'] == 'Region' && (true && item.apiVersion == 'v1')", required: { kind: 'Region', apiVersion: 'v1' } },
  { condition: "item.kind == 'Region' || item.open", required: {} },
  { condition: "!(item.kind == 'Region')", required: {} },
  { condition: "item.metadata.name == 'a' && other.kind == 'b' && item.kind == item.name", required: {} },
  { condition: 'item.kind == ', required: {} },
])('$condition requires $required', ({ condition, required }) => {
  expect(Object.fromEntries(requiredTexts(condition, 'item'))).toEqual(required)
})
