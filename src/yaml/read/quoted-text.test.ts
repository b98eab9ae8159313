import { expect, test } from 'vitest'
import { joinQuotedLines, resolveDoubledQuotes, resolveEscapes } from './quoted-text.ts'
import { REFUSAL } from './text-cursor.ts'

/** Returns what a call returns, or `refused`. */
function orRefused(call: () => string): string {
  try {
    return call()
  } catch (error) {
    if (error === REFUSAL) return 'refused'
    throw error
  }
}

// YAML 1.2.2, 5.7.
test.each([
  ['no escape', 'a b', 'a b'],
  ['the letters', '\\0\\a\\b\\t\\n\\v\\f\\r\\e', '\0\x07\b\t\n\v\f\r\x1b'],
  ['a blank, a tab, a quote, a slash and a backslash', '\\ \\\t\\"\\/\\\\', ' \t"/\\'],
  ['the line breaks and spaces of Unicode', '\\N\\_\\L\\P', '\x85\xa0\u2028\u2029'],
  ['two digits', 'a\\x41b\\xe9', 'aAbé'],
  ['four digits', '\\u0041\\u20AC', 'A€'],
  ['eight digits', '\\U0001F600\\U00000041', '😀A'],
  ['the last of the basic plane, and the first and last beyond', '\\U0000ffff\\U00010000\\U0010ffff', '\uffff\u{10000}\u{10ffff}'],
  ['a text beyond Unicode', '\\U00110000', 'refused'],
  ['too few digits', '\\x4', 'refused'],
  ['digits that are none', '\\u00g0', 'refused'],
  ['an unknown letter', '\\q', 'refused'],
  ['a backslash at the end', 'a\\', 'refused'],
])('between double quotes, %s', (_, source, expected) => {
  expect(orRefused(() => resolveEscapes(source))).toBe(expected)
})

test('a text of more than one part has all of its escapes', () => {
  expect(resolveEscapes('\\x41'.repeat(20_000))).toBe('A'.repeat(20_000))
  expect(resolveDoubledQuotes("''".repeat(20_000))).toBe("'".repeat(20_000))
})

test.each([
  ["it''s", "it's"],
  ["''''", "''"],
  ["a''", "a'"],
  ['no quote', 'no quote'],
])('between single quotes, %s is %s', (source, expected) => {
  expect(resolveDoubledQuotes(source)).toBe(expected)
})

test.each<[string, 'double' | 'single', string, string]>([
  ['a line break is a space', 'double', 'a\n  b', 'a b'],
  ['a line break with CRLF is a space', 'double', 'a\r\n  b', 'a b'],
  ['blank lines are line breaks', 'double', 'a\n\n \n  b', 'a\n\nb'],
  ['blanks around a line break go', 'double', 'a \t\n  \tb', 'a b'],
  ['blanks at both ends stay', 'double', ' a\n  b ', ' a b '],
  ['the last line may be blank', 'double', 'a\n  ', 'a '],
  ['an escaped line break is nothing', 'double', 'a\\\n  b', 'ab'],
  ['blank lines behind an escaped line break are line breaks', 'double', 'a\\\n\n  b', 'a\nb'],
  ['an escaped blank at the end of a line stays', 'double', 'a\\ \n  b', 'a\\  b'],
  ['a backslash that is escaped escapes no line break', 'double', 'a\\\\\n  b', 'a\\\\ b'],
  ['in single quotes a backslash escapes nothing', 'single', 'a\\\n  b', 'a\\ b'],
  ['a line that is not deeper is refused', 'double', 'a\n b', 'refused'],
  ['a last line that is not deeper is refused', 'double', 'a\n  b\n ', 'refused'],
  ['an escape does not go on in the next line', 'double', 'a\\x4\\\n  1', 'refused'],
  ['an escaped backslash before an x begins no escape', 'double', 'a\\\\x\\\n  b', 'a\\\\xb'],
  ['a whole escape may end a line', 'double', 'a\\x41\\\n  b', 'a\\x41b'],
])('of several lines in quotes, %s', (_, style, source, expected) => {
  expect(orRefused(() => joinQuotedLines(source, style, 1))).toBe(expected)
})
