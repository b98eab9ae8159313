import fc from 'fast-check'
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { randomRuns } from '../../../testdata/random-runs.ts'
import type { ScalarStyle } from '../read/node.ts'
import { emitString, isPlainText, isPrintable, requote } from './quote.ts'

/** Two independent readers, each in both versions of YAML. */
const READERS: readonly ((text: string) => unknown)[] = [
  (text) => parse(text, { version: '1.2' }),
  (text) => parse(text, { version: '1.1' }),
  (text) => load(text, { schema: CORE_SCHEMA }),
  (text) => load(text, { schema: YAML11_SCHEMA }),
]

/** Texts with a meaning in YAML, joined at random, and any other text. */
const PIECES = [
  ...[...'-?:,[]{}#&*!|>\'"%@`=~<.+_eExXoObBtTzZ019yn \t\n\r\\/'],
  ...[
    'yes',
    'off',
    'true',
    'null',
    '.inf',
    '.nan',
    '2001-01-01',
    '12:30',
    '---',
    '...',
    '\0',
    '\x7f',
    '\x85',
    '\u2028',
    '\ufeff',
    '\ud83d',
    '😀',
    'é',
  ],
]
const texts = fc.oneof(fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 8 }), fc.string({ unit: 'binary' }))

describe('emitString', () => {
  test.each([
    { reason: 'plain where that is safe', text: 'nginx:1.14.2', written: 'nginx:1.14.2' },
    { reason: 'an IP address is no number', text: '10.0.0.1', written: '10.0.0.1' },
    { reason: 'a version is no number', text: '1.2.3', written: '1.2.3' },
    { reason: 'quotes inside a text do no harm', text: `it's "so"`, written: `it's "so"` },
    { reason: 'a leading dash without blank is text', text: '-a', written: '-a' },
    { reason: 'the empty text would be null', text: '', written: '""' },
    { reason: 'null', text: '~', written: '"~"' },
    { reason: 'boolean of YAML 1.1', text: 'yes', written: '"yes"' },
    { reason: 'boolean of YAML 1.1', text: 'y', written: '"y"' },
    { reason: 'boolean of YAML 1.2', text: 'False', written: '"False"' },
    { reason: 'an exponent alone, on which readers differ', text: 'e5', written: '"e5"' },
    { reason: 'the same with an underscore, which go-yaml drops', text: 'E_5', written: '"E_5"' },
    { reason: 'a word that begins as an exponent does', text: 'edge-01', written: 'edge-01' },
    { reason: 'merge key of YAML 1.1', text: '<<', written: '"<<"' },
    { reason: 'default value of YAML 1.1', text: '=', written: '"="' },
    { reason: 'integer with underscores of YAML 1.1', text: '1_000', written: '"1_000"' },
    { reason: 'go-yaml drops underscores before it looks for a prefix', text: '0_x1F', written: '"0_x1F"' },
    { reason: 'base 60 of YAML 1.1', text: '12:30', written: '"12:30"' },
    { reason: 'base 60 float of YAML 1.1', text: '190:20:30.15', written: '"190:20:30.15"' },
    { reason: 'octal of YAML 1.1', text: '0644', written: '"0644"' },
    { reason: 'octal of YAML 1.2', text: '0o7', written: '"0o7"' },
    { reason: 'octal of Go, capital', text: '0O7', written: '"0O7"' },
    { reason: 'binary of YAML 1.1', text: '-0b11', written: '"-0b11"' },
    { reason: 'float without point', text: '1e3', written: '"1e3"' },
    { reason: 'a lone point is a float by the letter of YAML 1.1', text: '.', written: '"."' },
    { reason: 'infinity', text: '-.Inf', written: '"-.Inf"' },
    { reason: 'a date', text: '2001-01-01', written: '"2001-01-01"' },
    { reason: 'a date with a time', text: '2001-1-1 10:00:00', written: '"2001-1-1 10:00:00"' },
    { reason: 'a leading blank', text: ' a', written: "' a'" },
    { reason: 'a trailing blank', text: 'a ', written: "'a '" },
    { reason: 'a key', text: 'a: b', written: "'a: b'" },
    { reason: 'a comment', text: 'a #b', written: "'a #b'" },
    { reason: 'an indicator in front', text: '*a', written: "'*a'" },
    { reason: 'single quotes are doubled between single quotes', text: "'a'", written: "'''a'''" },
    { reason: 'a document marker', text: '---', written: "'---'" },
    { reason: 'a tab shows only as escape', text: 'a\tb', written: '"a\\tb"' },
    { reason: 'control characters are not allowed in YAML', text: 'a\x01\x1b', written: '"a\\x01\\e"' },
    { reason: 'DEL is not allowed in YAML', text: 'a\x7f', written: '"a\\x7F"' },
    { reason: 'NEL is a line break in YAML 1.1', text: 'a\x85b', written: '"a\\Nb"' },
    { reason: 'LS and PS are line breaks in YAML 1.1', text: 'a\u2028\u2029', written: '"a\\L\\P"' },
    { reason: 'readers drop a BOM', text: 'a\ufeffb', written: '"a\\uFEFFb"' },
    { reason: 'half a surrogate pair is no UTF-8', text: 'a\ud83d', written: '"a\\uD83D"' },
    { reason: 'a whole surrogate pair is an ordinary character', text: '😀', written: '😀' },
    { reason: 'a carriage return is not kept in a block', text: 'a\r\nb', written: '"a\\r\\nb"' },
    { reason: 'two lines', text: 'a\nb', written: '|-\n  a\n  b' },
    { reason: 'two lines, the last ended', text: 'a\nb\n', written: '|\n  a\n  b' },
    { reason: 'a block with empty lines at its end would take in those behind it', text: 'a\n\n', written: '"a\\n\\n"' },
    { reason: 'empty lines inside carry no blanks', text: 'a\n\nb', written: '|-\n  a\n\n  b' },
    { reason: 'a block that begins with a blank needs its indentation said', text: ' a\nb', written: '|2-\n   a\n  b' },
    { reason: 'a block that begins with an empty line: as go-yaml', text: '\na', written: '|2-\n\n  a' },
    { reason: 'tabs inside a block', text: 'a:\n\tb\n', written: '|\n  a:\n  \tb' },
    { reason: 'a document marker never stands at column 0', text: 'a\n---\nb', written: '|-\n  a\n  ---\n  b' },
    { reason: 'a tab in front of a block is an error in go-yaml', text: '\ta\nb', written: '"\\ta\\nb"' },
    { reason: 'blanks at the end of a line get lost in editors', text: 'a \nb', written: '"a \\nb"' },
    { reason: 'nothing but line feeds', text: '\n\n', written: '"\\n\\n"' },
  ])('$reason: $text', ({ text, written }) => {
    expect(emitString(text, 2)).toBe(written)
    for (const read of READERS) expect(read(`a: ${written}\n`)).toEqual({ a: text })
  })

  test('a whole document has no literal block: its lines would stand at column 0', () => {
    expect(emitString('a\n---\nb', 0)).toBe('"a\\n---\\nb"')
  })

  test('every reader reads the text, as value, item and key', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(2, 4, 7), (text, column) => {
        const outer = ' '.repeat(column - 2)
        const document = `- 1\n-\n${outer} a: ${emitString(text, column + 1)}\n${outer} b:\n${outer} - ${emitString(text, column + 1)}\n${outer} ${emitString(text, 0)}: c\n`
        fc.pre(!['a', 'b'].includes(text))
        const expected = [
          1,
          Object.fromEntries([
            ['a', text],
            ['b', [text]],
            [text, 'c'],
          ]),
        ]
        for (const read of READERS) expect(read(document)).toStrictEqual(expected)
      }),
      { numRuns: randomRuns(250) },
    )
  })

  test('holds nothing raw that a reader could take for a line break, drop or refuse, and no document marker at column 0', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(`a: ${emitString(text, 2)}`).not.toMatch(/[^\t\n -~\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]|^(---|\.\.\.)/m)
      }),
    )
  })
})

describe('requote', () => {
  test.each<{ reason: string; text: string; style: ScalarStyle; written: string | undefined }>([
    { reason: 'plain stays plain', text: 'b', style: 'plain', written: 'b' },
    { reason: 'plain cannot carry what another type has', text: 'yes', style: 'plain', written: undefined },
    { reason: 'plain cannot carry a comment', text: 'a #b', style: 'plain', written: undefined },
    { reason: 'single quotes stay though not needed', text: 'b', style: 'single', written: "'b'" },
    { reason: 'single quotes carry the ambiguous', text: 'yes', style: 'single', written: "'yes'" },
    { reason: 'single quotes carry no escapes', text: 'a\tb', style: 'single', written: undefined },
    { reason: 'single quotes stay on one line', text: 'a\nb', style: 'single', written: undefined },
    { reason: 'double quotes stay though not needed', text: 'b', style: 'double', written: '"b"' },
    { reason: 'double quotes carry everything', text: 'a\n"\\\0', style: 'double', written: '"a\\n\\"\\\\\\0"' },
    { reason: 'a literal block stays for one line', text: 'b', style: 'literal', written: '|-\n    b' },
    { reason: 'a literal block carries no control characters', text: 'b\x07\n', style: 'literal', written: undefined },
    { reason: 'a literal block carries no empty text', text: '', style: 'literal', written: undefined },
    { reason: 'folded text is never written', text: 'a\nb\n', style: 'folded', written: undefined },
  ])('$reason', ({ text, style, written }) => {
    expect(requote(text, style, 4)).toBe(written)
  })

  test('what it writes is read as the same text and in the same style', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom<ScalarStyle>('plain', 'single', 'double', 'literal', 'folded'), (text, style) => {
        const written = requote(text, style, 2)
        if (written !== undefined) for (const read of READERS) expect(read(`a: ${written}\n`)).toEqual({ a: text })
        expect(written === undefined || STARTS[style].test(written)).toBe(true)
      }),
      { numRuns: randomRuns(250) },
    )
  })
})

const STARTS: Readonly<Record<ScalarStyle, RegExp>> = { plain: /^[^'"|>]/, single: /^'/, double: /^"/, literal: /^\|/, folded: /^>/ }

test.each(['', 'a', 'a\tb', 'ä', '\xa0', '😀', '\ufffd'])('a comment can hold %j', (text) => {
  expect(isPrintable(text)).toBe(true)
})

test.each(['a\nb', '\r', '\x07', '\x7f', '\x85', '\u2028', '\u2029', '\ufeff', '\ud83d', '\ufffe'])('a comment cannot hold %j', (text) => {
  expect(isPrintable(text)).toBe(false)
})

test.each(['a', 'yes', '12', 'a b', 'a:b', 'a#b', '-a', '?a', ':a', 'a[b', 'a, b', "a'b"])('%j may be unquoted', (text) => {
  expect(isPlainText(text)).toBe(true)
})

test.each([
  ...['a: b', 'a:', 'a #b', '- a', '-', '? a', ': a', ' a', 'a ', '---', '...', 'a\tb', 'a\nb', 'a\x07'],
  ...[...'[]{},#&*!|>\'"%@`'].map((sign) => `${sign}a`),
])('%j must be quoted', (text) => {
  expect(isPlainText(text)).toBe(false)
})
