import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { formatResult } from '../../result.ts'
import { resultsOf } from '../../run.ts'
import { objectText, run } from '../testing/run-function.ts'
import { SEARCH_REPLACE } from './search-replace.ts'

const TILL = objectText(
  'Till',
  'spec:\n  one: x # first\n  two: "x"\n  num: 3\n  list: [x, y]\n  maps:\n  - a: x\n  - b: z\n  text: a-1\n',
  'example.com/v1',
)

/** Runs the function on objects, each in a file of its own; '' is an object without a file. Returns the findings. */
function findings(data: Readonly<Record<string, string>>, ...files: readonly (readonly [path: string, text: string])[]): readonly string[] {
  const items = files.map(([path, text]) => KrmObject.fromDocument(text, path === '' ? undefined : { path, index: 0, line: 1 }))
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'config' }, data }
  const list = ResourceList.of(items, KrmObject.fromDocument(JSON.stringify(config)))
  return resultsOf(SEARCH_REPLACE.at('v0.2.0'), list).map(formatResult)
}

test.each([
  // [options, the lines that change]
  [{ 'by-value': 'x', 'put-value': 'n' }, ['one: n # first', 'two: "n"', 'list: [n, y]', '- a: n']],
  [{ 'by-value': '3', 'put-value': '4' }, ['num: 4']],
  [{ 'by-value': '3', 'by-path': 'spec.one', 'put-value': '4' }, []],
  [{ 'by-path': 'spec.list[1]', 'put-value': 'n' }, ['list: [x, n]']],
  [{ 'by-path': 'spec.list[*]', 'put-value': 'n' }, ['list: [n, n]']],
  [{ 'by-path': 'spec.maps[*].*', 'put-value': 'n' }, ['- a: n', '- b: n']],
  [{ 'by-path': 'spec.maps[*].*', 'by-value': 'z', 'put-value': 'n' }, ['- b: n']],
  [{ 'by-path': 'spec.maps[*].*', 'by-value-regex': '^z$', 'put-value': 'n' }, ['- b: n']],
  [{ 'by-value-regex': '^(.)-(\\d)$', 'put-value': '${2}-${1}${9x}' }, ['text: 1-a${9x}']],
  [{ 'by-value': 'x', 'by-path': 'spec.one', 'put-value': '${1}' }, ['one: ${1} # first']],
  [{ 'by-value': 'x', 'by-path': 'spec.one', 'put-value': 'x' }, []],
  [{ 'by-value': 'gone', 'put-value': 'n' }, []],
  [{ 'by-value': 'x', 'by-path': 'spec.one' }, []],
  [{}, []],
])('the options %j change the lines %j', (data, lines) => {
  expect(run('search-replace', data, TILL)).toEqual(lines)
})

test.each([
  [{ 'by-value': 'x', 'by-path': 'spec.one', 'put-comment': 'c' }, ['one: x # c']],
  [{ 'by-value': 'x', 'by-path': 'spec.one', 'put-comment': '# c' }, ['one: x # c']],
  [
    { 'by-value': 'x', 'by-path': 'spec.one', 'put-comment': 'a\nb' },
    [expect.stringMatching(/^error: `spec\.one` must get a comment of one line, got /)],
  ],
  [{ 'by-value': 'x', 'by-path': 'spec.one', 'put-value': 'n', 'put-comment': 'c' }, ['one: n # c']],
  [{ 'by-value-regex': '^(.)-1$', 'put-comment': 'kpt-set: ${1}' }, ['text: a-1 # kpt-set: a']],
  [{ 'by-path': 'spec.maps', 'put-comment': 'c' }, ['maps: # c']],
  [{ 'by-path': 'spec', 'put-comment': 'c' }, []],
])('the options %j write comments: %j', (data, lines) => {
  expect(run('search-replace', data, TILL)).toEqual(lines)
})

test('a comment for a list is written behind its key, a value is never written into a list', () => {
  expect(
    run('search-replace', { 'by-path': 'spec.maps', 'put-value': 'n' }, objectText('Till', 'spec:\n  maps: []\n', 'e.com/v1')),
  ).toEqual(['maps: n'])
  expect(run('search-replace', { 'by-path': 'spec.m', 'put-comment': 'c' }, objectText('Till', 'spec:\n  m: []\n', 'e.com/v1'))).toEqual([])
})

test.each([
  // [the path, what stands before it, the lines or the error]
  ['spec.new', 'spec:\n  a: b\n', ['new: v']],
  ['spec.deep.new', 'spec:\n  a: b\n', ['deep:', 'new: v']],
  ['spec.empty.new', 'spec:\n  empty: ~\n', ['empty:', 'new: v']],
  ['spec.a', 'spec:\n  a: b\n', ['a: v']],
  ['spec.a.new', 'spec:\n  a: b\n', ["error: `spec.a` must be a map, got 'b'"]],
  ['spec.l.new', 'spec:\n  l: [b]\n', ['error: `spec.l` must be a map, got a list']],
  ['metadata', '', ["error: `metadata` must be a map, got 'v'"]],
  ['metadata.annotations', '', ["error: `metadata.annotations` must be a map, got 'v'"]],
  ['metadata.labels.a', '', ['labels:', 'a: v']],
  ['spec.*', 'spec:\n  a: b\n', ['a: v']],
  ['spec.l[0]', 'spec:\n  l: [b]\n', ['l: [v]']],
  ['spec.l[5]', 'spec:\n  l: [b]\n', []],
  ['spec..a', 'spec:\n  a: b\n', []],
])('the value v goes to the one field %s, also to one that is missing', (path, rest, lines) => {
  expect(run('search-replace', { 'by-path': path, 'put-value': 'v' }, objectText('Till', rest, 'e.com/v1'))).toEqual(lines)
})

test.each([
  // An annotation in quotes must stay a text: an API server refuses a number.
  ['a: "1"', '2', ['a: "2"']],
  ["a: '1'", 'true', ["a: 'true'"]],
  ['a: 1', '2', ['a: 2']],
  ['a: {b: "1"}', '2', ['a: 2']],
])('the one field %s gets %s in the quotes that its value has: %j', (line, value, lines) => {
  expect(run('search-replace', { 'by-path': 'spec.a', 'put-value': value }, objectText('Till', `spec:\n  ${line}\n`, 'e.com/v1'))).toEqual(
    lines,
  )
})

test('a field that is missing is not made for a search by value, nor for a comment', () => {
  const till = objectText('Till', 'spec:\n  a: b\n', 'e.com/v1')
  expect(run('search-replace', { 'by-path': 'spec.new', 'by-value': 'b', 'put-value': 'v' }, till)).toEqual([])
  expect(run('search-replace', { 'by-path': 'spec.new', 'by-value-regex': '.', 'put-value': 'v' }, till)).toEqual([])
  expect(run('search-replace', { 'by-path': 'spec.new', 'put-comment': 'v' }, till)).toEqual([])
})

const ONE = objectText('Till', 'spec:\n  one: x\n  l: [a, "b"]\n  m: [{a: b}]\n', 'e.com/v1')

test.each([
  [{ 'by-value': 'x', 'put-value': 'n' }, ['a.yaml:6:8: info: Mutated field value to "n" [search-replace]']],
  [{ 'by-value': 'x' }, ['a.yaml:6:8: info: Matched field value "x" [search-replace]']],
  [{ 'by-value': 'x', 'put-comment': 'c' }, ['a.yaml:6:8: info: Mutated field value to "x # c" [search-replace]']],
  [{ 'by-path': 'spec.one', 'put-value': 'n' }, ['a.yaml:6:8: info: Mutated field value to "n" [search-replace]']],
  [{ 'by-path': 'spec.m', 'put-comment': 'c' }, ['a.yaml:8:3: info: Mutated field value to "a list of 1 # c" [search-replace]']],
  [
    { 'by-value': 'gone', 'by-path': 'spec.m', 'put-comment': 'c' },
    ['a.yaml:8:3: info: Mutated field value to "a list of 1 # c" [search-replace]'],
  ],
  [{ 'by-value': 'gone', 'put-value': 'n' }, ['info: no matches [search-replace]']],
])('the options %j are reported at the place of the field as it was', (data, lines) => {
  expect(findings(data, ['a.yaml', ONE])).toEqual(lines)
})

test('a list with a comment is reported with its entries', () => {
  const [line] = findings({ 'by-path': 'spec.l', 'put-comment': 'c' }, ['a.yaml', ONE])
  expect(line).toMatch(/Mutated field value to "\[a, .*b.*\] # c"|comment/)
})

test('what is found in an object without a file is written, and not reported', () => {
  expect(findings({ 'by-value': 'x', 'put-value': 'n' }, ['', ONE])).toEqual(['info: no matches [search-replace]'])
})

test.each([
  ['*.yaml', ['a.yaml']],
  ['**/*.yaml', ['a.yaml', 'd/b.yaml']],
  ['d/*', ['d/b.yaml']],
  ['x', []],
])('the pattern %s looks at the files %j', (pattern, paths) => {
  const found = findings({ 'by-value': 'x', 'by-file-path': pattern, 'put-value': 'n' }, ['a.yaml', ONE], ['d/b.yaml', ONE])
  expect(found.flatMap((line) => /^(.*?):\d/.exec(line)?.[1] ?? [])).toEqual(paths)
})

test('the annotations of orchestrators are found, and never written', () => {
  const wire = '  annotations:\n    config.kubernetes.io/path: x\n    internal.config.kubernetes.io/index: x\n    mine: x\n'
  const text = objectText('Till', wire, 'e.com/v1')
  expect(run('search-replace', { 'by-value': 'x', 'put-value': 'n' }, text)).toEqual(['mine: n'])
  expect(run('search-replace', { 'by-value': 'x', 'put-comment': 'c' }, text)).toEqual(['mine: x # c'])
  expect(findings({ 'by-value': 'x' }, ['a.yaml', text])).toHaveLength(3)
})

test.each([
  [{ 'by-value': 'a', 'by-value-regex': 'a' }, 'error: `data.by-value-regex` must not be set beside `by-value`'],
  [{ 'by-file-path': '[a' }, "error: `data.by-file-path` must be a pattern of paths, got '[a'"],
  [{ 'by-value-regex': '(' }, expect.stringMatching(/^error: `data\.by-value-regex` /)],
  [{ 'by-value-regex': 'x', 'put-value': '${1}' }, expect.stringMatching(/must have the group \$\{1\}, it has 0$/)],
  [{ 'by-valeu': 'a' }, expect.stringMatching(/^error: .*by-value/)],
])('the options %j are refused', (data: Readonly<Record<string, string>>, message) => {
  expect(run('search-replace', data, TILL)).toEqual([message])
})

test.each([
  ['spec: x', 'error: `metadata` must be set'],
  ['kind: A', 'info: no matches'],
  ['apiVersion: v1', 'info: no matches'],
  ['metadata: {name: a}', 'info: no matches'],
])('an item with %s alone, of a list without places, has the finding %s', (item, finding) => {
  const list = ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- ${item}\n`)
  expect(resultsOf(SEARCH_REPLACE.at('v0.2.0'), list).map(({ severity, message }) => `${severity}: ${message}`)).toEqual([finding])
})
