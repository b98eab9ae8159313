import { expect, test } from 'vitest'
import { type FieldPlace, formatPlace, listNames, listSome, nameSome, quote, shorten, wholeObject } from './finding.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `p${i + 1}`)

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('the names %j are joined as "%s"', (names, text) => {
  expect(listNames(names)).toBe(text)
})

test('ten names are listed, of more the first ten and the number of the others', () => {
  expect(listSome([])).toEqual([])
  expect(listSome(numbered(10))).toEqual(numbered(10))
  expect(listSome(numbered(11))).toEqual([...numbered(10), '1 more'])
  expect(listSome(numbered(30)).at(-1)).toBe('20 more')
})

test('a caller may list fewer, and only what is listed is named', () => {
  const named: number[] = []
  const nameOf = (each: number) => {
    named.push(each)
    return `n${each}`
  }
  expect(nameSome([1, 2, 3, 4], nameOf, 2)).toEqual(['n1', 'n2', '2 more'])
  expect(named).toEqual([1, 2])
  expect(nameSome([1, 2], nameOf, 2)).toEqual(['n1', 'n2'])
})

test("a user's text is shown whole up to 200 characters, then cut", () => {
  const [most, more] = ['x'.repeat(200), 'x'.repeat(201)]
  expect([shorten(most), shorten(more)]).toEqual([most, `${most}…`])
  expect([quote('>=1.0.0'), quote(more)]).toEqual(['">=1.0.0"', `"${most}…"`])
})

const PLACE: FieldPlace = {
  ref: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'team' },
  path: ['spec', 'list', 0, 'b'],
  file: { path: 'a.yaml', index: 0 },
  position: { line: 7, column: 3 },
  isOwnReading: true,
  currentValue: '1.0.0',
}

test.each<[string, Partial<FieldPlace>, string]>([
  ['a field of a file that was read', {}, 'a.yaml:7'],
  ["a field of a host's copy", { isOwnReading: false }, 'a.yaml spec.list[0].b'],
  ['a field of an object that is too long to count lines', { position: undefined }, 'a.yaml spec.list[0].b'],
  ['a field of an object without a file', { file: undefined }, 'ConfigMap team/c spec.list[0].b'],
  ['an object without a file', { file: undefined, path: [] }, 'ConfigMap team/c .'],
])('%s is named', (_, more, text) => {
  expect(formatPlace({ ...PLACE, ...more })).toBe(text)
})

test('the place of the whole object has its file, and neither field, line nor value', () => {
  const { ref, file } = PLACE
  expect({ ...wholeObject(PLACE) }).toEqual({ ref, file, path: [], isOwnReading: true })
  expect(wholeObject({ ...PLACE, isOwnReading: false }).isOwnReading).toBe(false)
})
