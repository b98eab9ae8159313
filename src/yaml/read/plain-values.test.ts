import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VALUES } from './builder.ts'
import { readFast } from './fast-reader.ts'
import { PlainValues } from './plain-values.ts'
import { type Wanted, wantedKeys } from './wanted.ts'

const HEAD = 'kind: a\n'
const PASSED = { root: ['kind'], end: HEAD.length }
const WANTED: Wanted = new Map([
  ['a', undefined],
  ['b', wantedKeys(['a', 'c'])],
])

const SCALAR = fc.constantFrom(
  '1',
  '0.10',
  'null',
  '~',
  'true',
  'a b',
  'a #c',
  "'1'",
  '"a b"',
  "'a''b'",
  '"\\x41"',
  'a: b',
  "''",
  '2024-01-01',
  '*x',
  '[a]',
  '|',
)
const LINES = fc.array(
  fc.tuple(fc.constantFrom('a:', 'b:', '  a:', '  c:', '- ', '  - ', '  - a:', '    c:', '#'), fc.boolean(), SCALAR, SCALAR),
  {
    minLength: 1,
    maxLength: 6,
  },
)

test('the values are those of the fast reader, for the first object and for the next with the same keys', () => {
  let seen = 0
  fc.assert(
    fc.property(LINES, (lines) => {
      const values = new PlainValues(WANTED)
      for (const at of [2, 3] as const) {
        const text = HEAD + lines.map((line) => `${line[0]}${line[1] ? ` ${line[at]}` : ''}\n`).join('')
        const read = values.read(text, 'document', PASSED)
        if (read === undefined) continue
        seen++
        expect(read).toEqual(readFast(text, VALUES, { frame: 'document', wanted: WANTED }))
      }
    }),
    { seed: 1, numRuns: 20_000 },
  )
  expect(seen).toBeGreaterThan(500)
})

test('objects whose wanted keys are among the passed lines are left to the readers', () => {
  expect(new PlainValues(wantedKeys(['kind'])).read(`${HEAD}a: 1\n`, 'document', PASSED)).toBeUndefined()
})

test('a value of another type is that type, and a comment is no part of a value', () => {
  const values = new PlainValues(WANTED)
  const read = (value: string) => values.read(`${HEAD}a: ${value}\n`, 'document', PASSED)
  expect(['1 # one', "'1'", '"1"', 'null', 'true', '1.0.0'].map(read)).toEqual([1, '1', '1', null, true, '1.0.0'].map((a) => ({ a })))
})
