import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableLines, printableMessage, printablePath, printableText } from './printable.ts'

/** Written as ranges, so that they do not agree with the printer by chance. */
const UNSEEN: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x200b, 0x200c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
]
/** As it stands: it joins emoji, and is checked by itself. */
const JOINER = 0x200d

function unseenIn(text: string): readonly number[] {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  return points.filter((point) => UNSEEN.some(([from, to]) => point >= from && point <= to))
}

const character = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...UNSEEN.flat(), JOINER).map((point) => String.fromCodePoint(point)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom('::', '##[', 'error: ', ' ', '\ud800', '\udfff', 'é', '語', '😀') },
)
const hostile = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''))

test('a printed value is one line that hides nothing, for any text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const printed = printable(text)
      expect(unseenIn(printed)).toEqual([])
      expect(printed).not.toContain('##[')
      expect(printed).not.toMatch(/\p{Cs}/u)
      expect(printable(printed)).toBe(printed)
    }),
    { numRuns: 2000 },
  )
})

test('no line of a printed text begins with a workflow command, behind whatever blanks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(hostile, fc.constantFrom('\n', ' ', '\u3000', '\t', '\u001b[31m', '::error::')), { maxLength: 8 }),
      (parts) => {
        for (const line of printableLines(parts.join('')).split('\n'))
          expect(line.replaceAll(`${ESC}[31m`, '').trim()).not.toMatch(/^::|##\[/)
      },
    ),
    { numRuns: 2000 },
  )
})

const ESC = '\u001b'

test('a message begins no line with what a value holds', () => {
  fc.assert(
    fc.property(hostile, (value) => {
      const [first, ...others] = printableMessage(`got '${value}\nfleet.yaml:1:1: error: forged'`).split('\n')
      expect(first).toBeDefined()
      for (const line of others) expect(line).toMatch(/^[ \t^]|^hint: |^ERROR: <input>/)
    }),
  )
  expect(printableMessage('must be set\na.b\n  ^\nhint: a')).toBe('must be set\na.b\n  ^\nhint: a')
  expect(printableMessage('must be a string\nsize(a)\nhint: b', 'size(a)')).toBe('must be a string\nsize(a)\nhint: b')
})

test.each(['ü', '日本', 'עברית', 'हिन्दी', '😀', '👩🏽‍💻', '👨‍👩‍👧', '🏳️‍🌈', '1️⃣', 'a\u0301', 'naïve → ok …', 'a::b', '# [x]'])(
  '%s stays as it is',
  (text) => {
    expect([printable(text), printableText(text), printableLines(text)]).toEqual([text, text, text])
  },
)

test.each([
  ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
  ['a\r\nb\tc', 'a\\r\\nb\\tc'],
  ['pay\u202eload', 'pay\\u202eload'],
  ['a\u200db', 'a\\u200db'],
  ['a\u{e0041}', 'a\\udb40\\udc41'],
  ['##[error]x', '\\u0023#[error]x'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('lines keep the colours of the tool alone, and JSON means the same', () => {
  expect(printableLines('\u001b[32m+ a\u001b[0m\n\u001b[2Jb')).toBe('\u001b[32m+ a\u001b[0m\n\\u001b[2Jb')
  fc.assert(
    fc.property(
      fc.oneof(hostile, fc.string()),
      (text) => void expect(JSON.parse(printableLines(JSON.stringify({ text })))).toEqual({ text }),
    ),
  )
})

test('paths that look alike are printed differently', () => {
  expect(printablePath('caf\u00e9\n\u202e\\\x1b[2J')).toBe('caf\\u00e9\\n\\u202e\\\\\\u001b[2J')
})
