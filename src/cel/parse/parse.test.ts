import { expect, test } from 'vitest'
import { Faults } from '../faults.ts'
import { parse } from './parse.ts'

/** Offsets and words of the faults of an expression. */
function faultsOf(expression: string): string {
  try {
    parse(expression)
    return 'none'
  } catch (error) {
    if (error instanceof Faults) return error.faults.map(({ offset, message }) => `${offset}: ${message}`).join('\n')
    throw error
  }
}

// The places are those of cel-go 0.26.1.
test.each([
  {
    reason: 'something must follow an operator',
    expression: "'a' + ",
    faults: '6: Syntax error: unexpected end of expression, expected an expression',
  },
  { reason: 'and nothing an expression', expression: "'a' 'b'", faults: "4: Syntax error: unexpected ''b'', expected end of expression" },
  { reason: 'parentheses close', expression: "('a'", faults: "4: Syntax error: unexpected end of expression, expected ')'" },
  {
    reason: 'a list may have one comma at its end',
    expression: '[1,,]',
    faults: "3: Syntax error: unexpected ',', expected an expression",
  },
  { reason: 'or be nothing but it', expression: '[,]', faults: 'none' },
  { reason: 'arguments may not', expression: 'f(1,)', faults: "4: Syntax error: unexpected ')', expected an expression" },
  {
    reason: 'a condition is no branch of another without parentheses',
    expression: "true ? false ? 'a' : 'b' : 'c'",
    faults: "13: Syntax error: unexpected '?', expected ':'",
  },
  { reason: 'in is no field', expression: 'target.in', faults: "7: Syntax error: unexpected 'in', expected a field name" },
  { reason: 'other words are', expression: 'target.package', faults: 'none' },
  { reason: 'but no variables', expression: 'package + as', faults: '0: reserved identifier: package\n10: reserved identifier: as' },
  {
    reason: 'a string ends on its line',
    expression: "'a\nb'",
    faults: "0: Syntax error: the text that begins with ' is not closed",
  },
  { reason: 'long strings need not', expression: "'''a\nb'''", faults: 'none' },
  {
    reason: 'escapes are those of the language',
    expression: "'\\q'",
    faults: '0: Syntax error: \\q is no escape in a text, a backslash is written \\\\',
  },
  { reason: 'a code point is one', expression: "'\\ud800'", faults: '0: invalid unicode code point' },
  { reason: 'bytes have no code points', expression: "b'\\u0041'", faults: '0: unable to unescape string' },
  { reason: 'r comes after b', expression: "rb'a'", faults: "2: Syntax error: unexpected ''a'', expected end of expression" },
  { reason: 'an int has 64 bits', expression: '9223372036854775808', faults: '0: invalid int literal' },
  { reason: 'and its sign', expression: '-9223372036854775808', faults: 'none' },
  { reason: 'two signs are none', expression: '--9223372036854775808', faults: '2: invalid int literal' },
  { reason: 'a uint has 64 bits', expression: '18446744073709551616u', faults: '0: invalid uint literal' },
  { reason: 'a double is finite', expression: '1e999', faults: '0: invalid double literal' },
  {
    reason: 'a dot needs digits behind it',
    expression: '1.',
    faults: '2: Syntax error: unexpected end of expression, expected a field name',
  },
  { reason: 'signs do not mix', expression: '!-a', faults: "2: Syntax error: unexpected 'a', expected an expression" },
  {
    reason: 'optional syntax is not there',
    expression: 'a.?b + c[?d] + [?e][0]',
    faults: "1: unsupported syntax '.?'\n8: unsupported syntax '[?'\n16: unsupported syntax '?'",
  },
  { reason: 'nor are quoted fields', expression: 'a.`b-c`', faults: "2: unsupported syntax: '`'" },
  { reason: 'has takes a selection', expression: "has(a['b'])", faults: '5: invalid argument to has() macro' },
  { reason: 'map takes a name', expression: '[1].map(1, 2)', faults: '8: argument is not an identifier' },
  { reason: 'all takes a name', expression: '[1].all(a.b, true)', faults: '9: argument must be a simple name' },
  { reason: 'another number of arguments is another method', expression: '[1].map(x)', faults: 'none' },
  { reason: 'a comment may end an expression', expression: "'a' // b", faults: 'none' },
  { reason: 'nothing is no expression', expression: '', faults: '0: Syntax error: unexpected end of expression, expected an expression' },
])('$reason', ({ expression, faults }) => {
  expect(faultsOf(expression)).toBe(faults)
})

test.each([
  { reason: 'escapes', literal: "'\\a\\n\\x41\\101\\u00e9\\U0001F600\\?\\`'", value: '\x07\nAAé😀?`' },
  { reason: 'raw', literal: "r'a\\n'", value: 'a\\n' },
  { reason: 'quotes in long strings', literal: '"""a"b\'c"""', value: 'a"b\'c' },
  { reason: 'line ends are normalized', literal: "'''a\r\nb\rc'''", value: 'a\nb\nc' },
  { reason: 'an empty string before a quote that never closes is a string', literal: "''", value: '' },
])('a string literal: $reason', ({ literal, value }) => {
  expect(parse(literal)).toMatchObject({ kind: 'constant', value })
})

test('bytes are UTF-8, numeric escapes single bytes', () => {
  expect(parse("b'é\\xff\\377'")).toMatchObject({ value: Uint8Array.of(0xc3, 0xa9, 0xff, 0xff) })
})
