import fc from 'fast-check'
import { expect, test } from 'vitest'
import { code, escapeText, fencedBlock } from './markdown.ts'

/**
 * Returns what is left of a line of CommonMark when code spans and escaped characters are taken out: what GitHub reads as more than text.
 */
function readText(line: string): string {
  let rest = ''
  for (let at = 0; at < line.length; ) {
    const run = /^`+/.exec(line.slice(at))?.[0] ?? ''
    if (run !== '') {
      const end = closingRun(line, at + run.length, run.length)
      rest += end === undefined ? run : ' code '
      at = end ?? at + run.length
    } else if (line.charAt(at) === '\\' && /[!-/:-@[-`{-~]/.test(line.charAt(at + 1))) {
      rest += ' '
      at += 2
    } else {
      rest += line.charAt(at)
      at += 1
    }
  }
  return rest
}

/** Behind the run of exactly so many back-quotes that ends a code span. */
function closingRun(line: string, from: number, length: number): number | undefined {
  for (const { 0: run, index } of line.slice(from).matchAll(/`+/g)) if (run.length === length) return from + index + length
  return undefined
}

const part = fc.constantFrom(
  ...[
    '@user',
    '@org/team',
    '#12',
    'org/repo#1',
    'GH-3',
    'https://a.b/c',
    'www.a.b',
    'a@b.co',
    '0123456789abcdef',
    'a/b@01234567',
    '[x](y)',
  ],
  ...[
    '![i](u)',
    '<b>',
    '<!--',
    '&lt;',
    '`',
    '``',
    '```',
    '\\',
    '|',
    '\n',
    '\n# h',
    '\n- i',
    '\n```\n',
    '~~s~~',
    '$m$',
    ':tada:',
    '*',
    '_',
    ' ',
    'a',
  ],
  ...['http://[x', 'x\u202ey', '@', '\\@user', '\\`@user', '(@user', 'ftp://a', 'mailto:a@b.c', '\u200b'],
)
const hostile = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))

const MENTION = /(?:^|[^\w])@\w|#\d|\bgh-\d|:\/\/|www\.|[\w.+-]@[\w-]+\.\w|\b[0-9a-f]{7,40}\b|&\w|~~|:\w+:/i

test('a text of a comment mentions no user and has no link, image, HTML or further line, whatever it is', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const line = escapeText(text)
      expect(line).not.toContain('\n')
      const read = readText(line)
      expect(read).not.toMatch(MENTION)
      expect(read).not.toMatch(/[<>[\]`*_|]/)
    }),
    { numRuns: 5000 },
  )
})

test('a code span holds the whole of any text', () => {
  fc.assert(
    fc.property(hostile, (text) => void expect(readText(`a ${code(text)} b`)).toBe('a  code  b')),
    { numRuns: 5000 },
  )
})

test('a block ends where it is closed, whatever is in it', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const [opening = '', ...lines] = fencedBlock('diff', `${text}\n`).trimEnd().split('\n')
      const fence = /^`+/.exec(opening)?.[0] ?? ''
      const closing = lines.findIndex((line) => new RegExp(`^ {0,3}\`{${fence.length},}\\s*$`).test(line))
      expect(closing).toBe(lines.length - 1)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['catalog/upf@3', 'catalog/upf@3'],
  ['catalog/upf@main', 'catalog/upf@main'],
  ['spec.targets[0] matches Store a_b', 'spec.targets\\[0\\] matches Store a\\_b'],
  ['owned by @admin', 'owned by `@admin`'],
  ['fixes #12', 'fixes `#12`'],
  ['catalog/upf@v1.2', '`catalog/upf@v1.2`'],
])('%s is written as %s', (text, written) => {
  expect(escapeText(text)).toBe(written)
})
