import { expect, test } from 'vitest'
import { unitsOf } from '../../../testdata/processor-time.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { formatResult } from '../../result.ts'
import { resultsOf } from '../../run.ts'
import { objectText } from '../testing/run-function.ts'
import { LIST_SETTERS } from './list-setters.ts'

/** Returns the findings about files, by path. */
function listed(files: Readonly<Record<string, string>>): readonly string[] {
  const items = Object.entries(files).map(([path, text]) => KrmObject.fromDocument(text, { path, index: 0, line: 1 }))
  return resultsOf(LIST_SETTERS.at('v0.1.0'), ResourceList.of(items)).map(formatResult)
}

const till = (rest: string) => objectText('Till', rest, 'example.com/v1')
const setter = (name: string, value: string, type: string, count: number) =>
  `info: Name: ${name}, Value: ${value}, Type: ${type}, Count: ${count} [list-setters]`

test('the setters of fields are listed by name, with value, type and the number of fields', () => {
  const text = till('b: two # kpt-set: ${b}\na: 1 # kpt-set: ${a}\nc: 1 # kpt-set: ${a}\nplain: x\n')
  expect(listed({ 'a.yaml': text, 'b.yaml': till('d: 7 # kpt-set: ${a}\n') })).toEqual([
    setter('a', '1', 'int', 3),
    setter('b', 'two', 'str', 1),
  ])
})

test.each([
  ['true', 'bool'],
  ['False', 'bool'],
  ['yes', 'str'],
  ['5', 'int'],
  ['-0x1F', 'int'],
  ['0o17', 'int'],
  ['0b11', 'int'],
  ['1_000', 'int'],
  ['1.5', 'float'],
  ['1e3', 'float'],
  ['.5', 'float'],
  ['-.inf', 'float'],
  ['.nan', 'float'],
  ['2001-12-14', 'timestamp'],
  ['2001-12-14T21:59:43Z', 'timestamp'],
  ['"5"', 'str'],
  ["'true'", 'str'],
  ['!!str 5', 'str'],
  ['1.2.3', 'str'],
  ['5m', 'str'],
  ['true2', 'str'],
])('the value %s has the type %s', (value, type) => {
  const shown = value.replace(/^!!str /, '').replaceAll(/["']/g, '')
  expect(listed({ 'a.yaml': till(`a: ${value} # kpt-set: \${a}\n`) })).toEqual([setter('a', shown, type, 1)])
})

test('a field of null counts for nothing', () => {
  for (const value of ['null', '~', 'NULL'])
    expect(listed({ 'a.yaml': till(`a: ${value} # kpt-set: \${a}\nb: x # kpt-set: \${b}\n`) })).toEqual([setter('b', 'x', 'str', 1)])
})

test('the parts of a value are texts, and a whole field of a setter says more of its type', () => {
  expect(listed({ 'a.yaml': till('image: nginx:1 # kpt-set: ${image}:${tag}\nport: 1 # kpt-set: ${tag}\n') })).toEqual([
    setter('image', 'nginx', 'str', 1),
    setter('tag', '1', 'int', 2),
  ])
  expect(listed({ 'a.yaml': till('port: 1 # kpt-set: ${tag}\nimage: nginx:1 # kpt-set: ${image}:${tag}\n') })[1]).toBe(
    setter('tag', '1', 'int', 2),
  )
})

test('a list of fields has its entries in order, and the type array', () => {
  expect(listed({ 'a.yaml': till('l: # kpt-set: ${l}\n- b\n- a\nm: [c] # kpt-set: ${l}\nn: [z, y] # kpt-set: ${k}\n') })).toEqual([
    setter('k', '[y, z]', 'array', 1),
    setter('l', '[a, b]', 'array', 2),
  ])
})

test('a package without setters is refused', () => {
  expect(listed({ 'a.yaml': till('a: 1 # other\n') })).toEqual(['error: the package must have a setter, found none [no-setters]'])
  expect(listed({})).toEqual(['error: the package must have a setter, found none [no-setters]'])
})

const kptfile = (...mutators: readonly string[]) =>
  `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n${mutators.map((fn) => `  - ${fn}\n`).join('')}`
const APPLY = 'image: "gcr.io/kpt-fn/apply-setters:v0.2"'
const configMap = (data: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters}\n${data}\n`

test('the values that the root Kptfile gives are listed, with the fields that have them', () => {
  const files = {
    Kptfile: kptfile(`{${APPLY}, configMap: {a: "5", l: "[x, 'y']", unused: z}}`, '{image: other, configMap: {no: "1"}}'),
    'a.yaml': till('a: 1 # kpt-set: ${a}\nl: [q] # kpt-set: ${l}\n'),
  }
  expect(listed(files)).toEqual([setter('a', '5', 'int', 1), setter('l', "[x, 'y']", 'array', 1), setter('unused', 'z', 'str', 0)])
})

test('of several functions with one setter the last value counts', () => {
  expect(listed({ Kptfile: kptfile(`{${APPLY}, configMap: {a: x, b: y}}`, `{${APPLY}, configMap: {a: z}}`) })).toEqual([
    setter('a', 'z', 'str', 0),
    setter('b', 'y', 'str', 0),
  ])
})

test('the setters of a file are listed, and a file that the package lacks is a warning', () => {
  const own = till('f: x # kpt-set: ${f}\n')
  const Kptfile = kptfile(`{${APPLY}, configPath: setters.yaml}`)
  expect(listed({ Kptfile, 'setters.yaml': configMap('data: {a: "1"}'), 'a.yaml': own })).toEqual([
    setter('a', '1', 'str', 0),
    setter('f', 'x', 'str', 1),
  ])
  expect(listed({ Kptfile, 'setters.yaml': configMap('other: x'), 'a.yaml': own })).toEqual([setter('f', 'x', 'str', 1)])
  expect(listed({ Kptfile, 'a.yaml': own })).toEqual([
    "Kptfile:6:61: warning: `pipeline.mutators[0].configPath` must be a file of the package, got 'setters.yaml'; only the setters of fields are listed [function-config-path]",
    setter('f', 'x', 'str', 1),
  ])
})

test('a function without setters ends the search, as in the original', () => {
  const Kptfile = kptfile(`{${APPLY}, configMap: {a: "1"}}`, `{${APPLY}}`, `{${APPLY}, configMap: {b: "1"}}`)
  expect(listed({ Kptfile, 'a.yaml': till('f: x # kpt-set: ${f}\n') })).toEqual([setter('f', 'x', 'str', 1)])
})

test('the Kptfile of a subpackage gives nothing', () => {
  const files = { 'sub/Kptfile': kptfile(`{${APPLY}, configMap: {a: "1"}}`), 'a.yaml': till('f: x # kpt-set: ${f}\n') }
  expect(listed(files)).toEqual([setter('f', 'x', 'str', 1)])
})

test('the value of a setter in a Secret is not shown, wherever it is written', () => {
  const secret = (field: string) => objectText('Secret', field, 'v1')
  const kptfile = objectText('Kptfile', 'pipeline: {mutators: [{image: apply-setters, configMap: {pw: OTHER, size: m}}]}\n', 'kpt.dev/v1')
  const files = { 's.yaml': secret('stringData:\n  a: S3CRET # kpt-set: ${pw}\ntype: Opaque # kpt-set: ${type}\n') }
  const shown = [setter('pw', 'not-shown', 'str', 1), setter('type', 'Opaque', 'str', 1)]
  expect(listed(files)).toEqual(shown)
  expect(listed({ ...files, Kptfile: kptfile })).toEqual([shown[0], setter('size', 'm', 'str', 0), shown[1]])
  // A part of a value is secret too, and so is a Secret in a List.
  expect(listed({ 's.yaml': secret('stringData:\n  a: x-S3CRET # kpt-set: x-${pw}\n') })).toEqual([shown[0]])
  const list = `apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems:\n- apiVersion: v1\n  kind: Secret\n  stringData:\n    a: S3CRET # kpt-set: \${pw}\n`
  expect(listed({ 'l.yaml': list })).toEqual([shown[0]])
})

test('the secret fields of an object are found in one pass', () => {
  const fields = Array.from({ length: 2000 }, (_, at) => `  k${at}: v # kpt-set: \${s${at}}\n`).join('')
  const { value, units } = unitsOf(() => listed({ 's.yaml': objectText('Secret', `stringData:\n${fields}`, 'v1') }))
  expect(value).toHaveLength(2000)
  expect(value.filter((line) => !line.includes('Value: not-shown'))).toEqual([])
  expect(units).toBeLessThan(10)
})
