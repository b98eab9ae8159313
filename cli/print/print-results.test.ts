import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { distinctResults, pathIn, placed, placeFile, printResult, printResults, shownResults, withoutFiles } from './print-results.ts'
import { stylesFor } from './styles.ts'

const finding = (message: string, more: Partial<Result>): Result => ({ severity: 'error', message, tags: { rule: 'required' }, ...more })

test('findings come by file and place, as numbers', () => {
  const results = [
    finding('a', { resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' }, file: { path: 'a.yaml', index: 0 } }),
    finding('b', { file: { path: 'c.yaml', index: 0 } }),
    finding('c', { file: { path: 'b.yaml', index: 0 }, position: { line: 10, column: 1 } }),
    finding('d', { file: { path: 'b.yaml', index: 0 }, position: { line: 9, column: 20 } }),
    finding('e', { file: { path: 'b.yaml', index: 0 }, position: { line: 9, column: 3 } }),
    finding('f', { severity: 'warning', file: { path: 'a.yaml', index: 0 } }),
  ]
  expect(printResults(results).match(/(?<=: )\w(?= \[)/g)).toEqual(['a', 'f', 'e', 'd', 'c', 'b'])
})

test('a hundred results of a rule and object are shown, and the number of the others', () => {
  const many = Array.from({ length: 10_000 }, (_, n) =>
    finding('wrong', { file: { path: 'a.yaml', index: 0 }, position: { line: n + 1, column: 1 }, field: { path: ['spec', 'targets', n] } }),
  )
  const lines = printResults(many).trimEnd().split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([101, 'a.yaml:101:1: error: and 9900 more of rule required [required]'])
})

test.each([
  ['a.yaml', 'fleet', 'fleet/a.yaml'],
  ['a.yaml', 'fleet/', 'fleet/a.yaml'],
  ['a.yaml', '.', 'a.yaml'],
  ['sub/a.yaml', '../fleet', '../fleet/sub/a.yaml'],
])('the file %s of the folder %s is %s for the caller, and in the folder again the same file', (path, dir, seen) => {
  expect(placeFile(path, dir)).toBe(seen)
  expect(pathIn(dir, seen)).toBe(path)
})

test('a path of a list on stdin, and a path that is not below a folder, stay as they are', () => {
  expect(placeFile('a.yaml', '-')).toBe('a.yaml')
  expect(pathIn('fleet', 'fleets/a.yaml')).toBe('fleets/a.yaml')
  expect(pathIn('fleet', 'other/fleet/a.yaml')).toBe('other/fleet/a.yaml')
})

const at = (line: number, path = 'a.yaml') => ({ file: { path, index: 0 }, position: { line, column: 1 } })
const of = (rule: Result['tags']['rule'], more: Partial<Result> = {}) => finding(rule, { tags: { rule }, ...at(1), ...more })

test('only findings in files that are in memory lose their place', () => {
  const [inMemory, onDisk, nowhere] = [finding('a', at(1)), finding('b', at(1, 'b.yaml')), finding('c', {})]
  expect(withoutFiles([inMemory, onDisk, nowhere], new Set(['a.yaml']))).toEqual([finding('a', {}), onDisk, nowhere])
})

test('a place is the file and the line of a field, and an object without a file has none', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
  expect(placed(KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 11 }), ['metadata', 'name'])).toEqual({ place: 'a.yaml:14' })
  expect(placed(KrmObject.fromDocument(text), ['metadata', 'name'])).toEqual({})
  expect(placed(undefined, ['metadata', 'name'])).toEqual({})
})

test('infos are hidden but for those that users wonder about, and every finding is shown once', () => {
  const [info, shown, warning] = [
    of('required', { severity: 'info' }),
    of('update', { severity: 'info' }),
    of('update', { severity: 'warning' }),
  ]
  expect(shownResults([info, shown, warning, { ...shown }, { ...warning }])).toEqual([shown, warning])
})

test.each<[what: string, found: readonly Result[], kept: readonly number[]]>([
  ['one fault of a Kptfile in other words', [of('kptfile'), of('unreadable-file'), of('unknown-kind')], [0]],
  ['a warning and an error about one fault of a Kptfile', [of('unknown-kind', { severity: 'warning' }), of('kptfile')], [1]],
  ['faults of a Kptfile in other lines', [of('kptfile'), of('unreadable-file', at(2))], [0, 1]],
  ['faults of Kptfiles in other files', [of('kptfile'), of('unreadable-file', at(1, 'b.yaml'))], [0, 1]],
  ['faults without a place', [finding('a', { tags: { rule: 'kptfile' } }), finding('b', { tags: { rule: 'unreadable-file' } })], [0, 1]],
  ['another error at the place of one', [of('kptfile'), of('required')], [0, 1]],
  ['warnings only', [of('kptfile', { severity: 'warning' }), of('unknown-kind', { severity: 'warning' })], [0, 1]],
  ['a reason not to remove, of variants and of packages', [of('deletion-guard'), of('deletion-guard', { message: 'other' })], [0]],
  ['such an error and a warning', [of('deletion-guard'), of('deletion-guard', { severity: 'warning', message: 'other' })], [0, 1]],
  [
    'such an error that goes on where a warning ends',
    [of('deletion-guard', { message: 'a; b' }), of('link-outside', { severity: 'warning', message: 'a' })],
    [0],
  ],
  [
    'such an error about another file',
    [of('deletion-guard', { message: 'a; b', ...at(1, 'b.yaml') }), of('link-outside', { severity: 'warning', message: 'a' })],
    [0, 1],
  ],
  ['equal errors of another rule with other messages', [of('required'), of('required', { message: 'other' })], [0, 1]],
])('of findings at one place some say the same: %s', (_, found, kept) => {
  expect(distinctResults(found)).toEqual(kept.flatMap((index) => found[index] ?? []))
})

test('a finding has the style of its severity, an info has none', () => {
  const styles = stylesFor({ environment: {}, isTerminal: true }, {})
  const shown = (severity: Result['severity']) => printResult(finding('error: m', { severity }), styles)
  expect(shown('error')).toBe(`${styles.error('error:')} error: m [required]`)
  expect(shown('warning')).toBe(`${styles.warning('warning:')} error: m [required]`)
  expect(shown('info')).toBe('info: error: m [required]')
  expect(printResult(finding('m', {}), undefined)).toBe('error: m [required]')
})
