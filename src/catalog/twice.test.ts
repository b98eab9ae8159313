import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { randomRuns } from '../../testdata/random-runs.ts'
import { evaluate } from '../run.ts'
import { CATALOG } from './catalog.ts'

// Texts that are plain, quoted, in brackets, of several lines, numbers and marks of YAML.
const value = fc.constantFrom(
  'web',
  '"web"',
  "'my web' # old",
  'nginx:1.14',
  'nginx:1.14 # kpt-set: ${image}:${tag}',
  '5',
  '"5"',
  'true',
  '[web, nginx]',
  '{a: web, b: [web, 5]}',
  '|\n      web\n      two',
  '>-\n      web\n      two',
  '~',
  '',
  '# only a comment',
  '"\\u0041web"',
  '\n    - web\n    - b: nginx:1.14',
)

const item = fc.record({
  kind: fc.constantFrom('ConfigMap', 'Deployment', 'ServiceAccount', 'Till'),
  name: fc.constantFrom('web', '"web-2"', 'till # note', 'dev-web'),
  metadata: fc.array(fc.constantFrom('labels: {app: web}', 'annotations: {note: web}', 'namespace: shop'), { maxLength: 1 }),
  fields: fc.array(value, { maxLength: 5 }),
  image: fc.constantFrom('nginx', '"nginx:1.14" # c', 'nginx@sha256:ab', 'web:1'),
})

function itemText(
  {
    kind,
    name,
    metadata,
    fields,
    image,
  }: { kind: string; name: string; metadata: readonly string[]; fields: readonly string[]; image: string },
  n: number,
): string {
  const lines = [
    `- apiVersion: v1`,
    `  kind: ${kind}`,
    `  metadata:`,
    `    name: ${name}`,
    ...metadata.map((line) => `    ${line}`),
    `  n: ${n}`,
    `  spec:`,
  ]
  const spec = [
    `    containers:`,
    `    - {name: a, image: ${image.replace(/ #.*/, '')}}`,
    `    - image: ${image}`,
    `    serviceAccountName: web`,
  ]
  return [...lines, ...spec, `  data:`, `    own: x`, ...fields.map((text, index) => `    k${index}: ${text}`), ''].join('\n')
}

const OWN = 'apiVersion: fn.kpt.dev/v1alpha1\n  metadata: {name: c}\n  '
const data = (options: object) => `apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c}\n  data: ${JSON.stringify(options)}`

// A regular expression whose new value matches again is left out: each run changes the value.
const RUNS: readonly (readonly [string, string])[] = [
  ['set-image', data({ name: 'nginx', newTag: '1.25' })],
  ['set-image', `${OWN}kind: SetImage\n  image: {name: nginx, newName: web}\n  additionalImageFields: [{path: data/k0}]`],
  ['search-replace', data({ 'by-value': 'web', 'put-value': 'a: b' })],
  ['search-replace', data({ 'by-value-regex': '^nginx:(.*)$', 'put-value': 'x:${1}', 'put-comment': 'was ${1}' })],
  ['search-replace', data({ 'by-path': '**.k0', 'put-comment': 'mine' })],
  ['search-replace', data({ 'by-path': 'data.**', 'put-comment': 'mine' })],
  ['search-replace', data({ 'by-path': 'data.new.deep', 'put-value': '5' })],
  ['create-setters', data({ image: 'nginx', tag: '1.14', l: '[nginx, web]' })],
  ['list-setters', data({})],
  ['ensure-name-substring', data({ prepend: 'dev-' })],
  [
    'ensure-name-substring',
    `${OWN}kind: EnsureNameSubstring\n  substring: -x\n  editMode: append\n  additionalNameFields: [{path: data/own}]`,
  ],
  ['set-annotations', data({ note: 'web' })],
  ['set-labels', data({ app: 'yes' })],
  ['apply-setters', data({ tag: '1.25' })],
]

test.each(RUNS)('%s with %j: a second run changes no object, and an error changes nothing', (name, config) => {
  const fn = CATALOG.find((each) => each.name === name)
  if (fn === undefined) throw new Error(`no function ${name}`)
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), (items) => {
      const objects = items
        .map((each, n) => itemText({ ...each, name: each.name.replace(/web|till/, (word) => `${word}-${n}`) }, n))
        .join('')
      const input = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${objects}functionConfig:\n  ${config}\n`
      const first = evaluate(fn.at(fn.versions[0] ?? ''), input)
      const written = withoutResults(first.stdout)
      if (first.exitCode === 1) expect(written).toBe(input)
      expect(parse(written).items.map(({ n }: { n: number }) => n)).toEqual(items.map((_, n) => n))
      const second = evaluate(fn.at(fn.versions[0] ?? ''), written)
      expect(withoutResults(second.stdout)).toBe(written)
    }),
    { numRuns: randomRuns(15) },
  )
})

function withoutResults(text: string): string {
  const at = text.search(/^results:$/m)
  return at === -1 ? text : text.slice(0, at)
}
