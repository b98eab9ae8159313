import { expect, test } from 'vitest'
import { tokenize } from './tokens.ts'

/** Returns the words of an expression: kind, text and offset of each, without the end. */
const words = (expression: string) =>
  tokenize(expression)
    .slice(0, -1)
    .map(({ kind, text, offset }) => `${kind} ${text} ${offset}`)

// The lexis of cel-spec, Syntax.
test.each([
  ['a_1 _b', ['identifier a_1 0', 'identifier _b 4']],
  [
    'true truely in inn null false',
    ['keyword true 0', 'identifier truely 5', 'keyword in 12', 'identifier inn 15', 'keyword null 19', 'keyword false 24'],
  ],
  ['1 0x1F 1u 0xFFU', ['int 1 0', 'int 0x1F 2', 'uint 1u 7', 'uint 0xFFU 10']],
  ['1.5 1e3 1.5E-3 .5 .5e+1', ['double 1.5 0', 'double 1e3 4', 'double 1.5E-3 8', 'double .5 15', 'double .5e+1 18']],
  ['1.a', ['int 1 0', 'operator . 1', 'identifier a 2']],
  [
    'a<=b>=c==d!=e&&f||g',
    [
      'identifier a 0',
      'operator <= 1',
      'identifier b 3',
      'operator >= 4',
      'identifier c 6',
      'operator == 7',
      'identifier d 9',
      'operator != 10',
      'identifier e 12',
      'operator && 13',
      'identifier f 15',
      'operator || 16',
      'identifier g 18',
    ],
  ],
  ['[<>]{}().,-!?:+*/%', [...'[<>]{}().,-!?:+*/%'].map((text, offset) => `operator ${text} ${offset}`)],
  ['`a.b/c-d e_1`', ['escaped `a.b/c-d e_1` 0']],
  ["'a' r'b' b'c' bR\"d\" Rb", ["string 'a' 0", "string r'b' 4", "bytes b'c' 9", 'bytes bR"d" 14', 'identifier Rb 20']],
  ['a // b\n\t\f\r c', ['identifier a 0', 'identifier c 11']],
  ['// b', []],
  ['', []],
])('the words of %j', (expression, expected) => {
  expect(words(expression)).toEqual(expected)
})

test('the last word is the end, behind blanks', () => {
  expect(tokenize('a  ').at(-1)).toEqual({ kind: 'end', text: '', offset: 3 })
})

test.each([
  ['a $ b', { kind: 'unknown', text: '$', offset: 2 }],
  ['a 😀 b', { kind: 'unknown', text: '😀', offset: 2 }],
  ["a 'b", { kind: 'unknown', text: "'", offset: 2, fault: "the text that begins with ' is not closed" }],
  ['"\\q"', { kind: 'unknown', text: '"', offset: 0, fault: '\\q is no escape in a text, a backslash is written \\\\' }],
])('the first character of %j that begins no word is the last word', (expression, token) => {
  expect(tokenize(expression).at(-1)).toEqual(token)
})

test('letters before a text without an end are a name', () => {
  expect(tokenize("r'b").map(({ kind, text }) => `${kind} ${text}`)).toEqual(['identifier r', "unknown '"])
})
