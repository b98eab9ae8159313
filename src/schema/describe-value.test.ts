import { expect, test } from 'vitest'
import { describeChoice, describeTypes, describeValue, quoteNames, quoteText } from './describe-value.ts'

test.each([
  { value: null, expected: 'null' },
  { value: [], expected: 'a list' },
  { value: {}, expected: 'a map' },
  { value: 'a', expected: "'a'" },
  { value: '', expected: "''" },
  { value: 1.5, expected: 'the number 1.5' },
  { value: 9007199254740993n, expected: 'the number 9007199254740993' },
  { value: false, expected: 'the boolean false' },
])('a value in a message: $expected', ({ value, expected }) => {
  expect(describeValue(value)).toBe(expected)
})

test('a number and a boolean are shown as the file spells them, a text as it reads', () => {
  expect(describeValue(420, '0644')).toBe('the number 0644')
  expect(describeValue(true, 'True')).toBe('the boolean True')
  expect(describeValue('a', '"a"')).toBe("'a'")
})

test('the allowed types in a message', () => {
  expect(describeTypes(['string', 'integer', 'number'])).toBe('a string or an integer or a number')
  expect(describeTypes(['boolean'])).toBe('true or false')
  expect(describeTypes(['array', 'object'])).toBe('a list or a map')
})

test('a text of several lines is quoted in one line, and names are listed', () => {
  expect(quoteText('a\nb\n')).toBe("'a\\nb\\n'")
  expect(quoteNames(['a', 'b'])).toBe("'a', 'b'")
  expect(quoteNames([])).toBe('')
})

test('one allowed value is named alone, several are a choice', () => {
  expect(describeChoice(['a'])).toBe("'a'")
  expect(describeChoice(['a', 'b\n'])).toBe("one of 'a', 'b\\n'")
})
