import { expect, test } from 'vitest'
import type { JsonValue } from '../../src/json.ts'
import { printChange, printDocument, printJson, printValue } from './print-value.ts'

test('an integer that JSON readers would round is printed as a string of its digits, any other one as a number', () => {
  expect(printJson({ large: 9007199254740993n, small: 9007199254740991n, negative: -9007199254740993n, other: 1.5 })).toBe(
    '{"large":"9007199254740993","small":9007199254740991,"negative":"-9007199254740993","other":1.5}',
  )
  expect(printJson([1n], 2)).toBe('[\n  1\n]')
})

test('another fault of a value than such an integer is not caught', () => {
  const fails = { toJSON: () => JSON.parse('{') }
  expect(() => printJson(fails)).toThrow(SyntaxError)
})

test('a document has its version first, and findings at its end where a command has any', () => {
  expect(printDocument({ name: 'a' })).toBe('{\n  "formatVersion": 1,\n  "name": "a"\n}\n')
  expect(Object.keys(JSON.parse(printDocument({ name: 'a' }, [])))).toEqual(['formatVersion', 'name', 'results'])
  const { results } = JSON.parse(printDocument({}, [{ severity: 'error', message: 'm', tags: { rule: 'required' } }]))
  expect(results).toEqual([{ severity: 'error', message: 'm', tags: { rule: 'required' } }])
})

test.each<[JsonValue, string]>([
  ['shop', 'shop'],
  ['gcr.io/shop_a:1.2-b+c@d', 'gcr.io/shop_a:1.2-b+c@d'],
  ['two words', '"two words"'],
  ['1', '"1"'],
  ['', '""'],
  ['a\u202eb', '"a\\u202eb"'],
  [1, '1'],
  [true, 'true'],
  [null, 'null'],
  [{ a: ['b'] }, '{"a":["b"]}'],
])('the value %j is printed as %s', (value, text) => {
  expect(printValue(value)).toBe(text)
  expect(printChange(value, 'other')).toBe(`${text} → other`)
  expect(printChange('other', value)).toBe(`other → ${text}`)
})

test('a value of more than a hundred characters is cut, and no character in two', () => {
  expect(printValue('x'.repeat(100))).toBe('x'.repeat(100))
  expect(printValue('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`)
  expect(printValue('😀'.repeat(98))).toBe(`"${'😀'.repeat(98)}"`)
  expect(printValue('😀'.repeat(99))).toBe(`"${'😀'.repeat(98)}…`)
})

test('two long values are cut around the place where they differ first', () => {
  const same = 'x'.repeat(200)
  expect(printChange(`${same}a`, `${same}b`)).toBe(`…${'x'.repeat(20)}a → …${'x'.repeat(20)}b`)
})
