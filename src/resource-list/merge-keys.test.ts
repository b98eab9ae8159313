import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../testdata/random-runs.ts'
import { FunctionError } from '../result.ts'
import { KrmObject } from './krm-object.ts'

const TEXT = `base: &base
  a: 1
  b: {c: 2, d: [x]}
other: &other {a: 3, e: 4}
both:
  <<: [*base, *other] # two at once
  f: 5
one:
  e: 0
  <<: *base
nested: &nested
  <<: *base
  a: 6
deep: {<<: *nested, g: 7}
`

test('a merge key has the values of its maps: own entries win, then the first alias', () => {
  const object = KrmObject.fromDocument(TEXT)
  const b = { c: 2, d: ['x'] }
  expect(object.toJson()).toEqual({
    base: { a: 1, b },
    other: { a: 3, e: 4 },
    both: { a: 1, b, e: 4, f: 5 },
    one: { a: 1, b, e: 0 },
    nested: { a: 6, b },
    deep: { a: 6, b, g: 7 },
  })
  expect(object.get(['deep', 'b', 'c'])).toBe(2)
  expect(object.get(['deep', 'missing'])).toBe(undefined)
  expect(object.aliases().filter(({ isReadable }) => !isReadable)).toEqual([])
})

test.each<[string, (object: KrmObject) => void, string, string]>([
  ['an entry is overridden beside it', (it) => it.set(['one', 'a'], 9), '  <<: *base\nnested', '  <<: *base\n  a: 9\nnested'],
  ['an entry with the value already is not written', (it) => it.set(['one', 'a'], 1), '', ''],
  ['a value below an entry is overridden with its neighbours', (it) => it.set(['deep', 'b', 'c'], 9), 'g: 7}', 'g: 7, b: {c: 9, d: [x]}}'],
  ['it is written out where an entry goes', (it) => it.delete(['one', 'b']), '  e: 0\n  <<: *base\n', '  e: 0\n  a: 1\n'],
  [
    'it is written out where an own entry hides another',
    (it) => it.delete(['deep', 'a']),
    '{<<: *nested, g: 7}',
    '{g: 7, b: {c: 2, d: [x]}}',
  ],
  ['an own entry that hides none goes alone', (it) => it.delete(['both', 'f']), '  f: 5\n', ''],
  ['a new value with its entries keeps it', (it) => it.set(['both'], { a: 1, b: { c: 2, d: ['x'] }, e: 4, f: 6 }), 'f: 5', 'f: 6'],
])('an edit of a map with a merge key: %s', (_, edit, from, to) => {
  const object = KrmObject.fromDocument(TEXT)
  edit(object)
  expect(object.toText()).toBe(TEXT.replace(from, to))
})

test('a quoted key, and one whose value is written in place, are ordinary keys', () => {
  const object = KrmObject.fromDocument('a: &x {b: 1}\nc: {"<<": *x}\nd: {<<: {b: 2}}\n')
  expect(object.toJson()).toEqual({ a: { b: 1 }, c: { '<<': { b: 1 } }, d: { '<<': { b: 2 } } })
})

test('an edit gives the value that is asked for, changes no other value, or is refused with the text as it was', () => {
  const path = fc.constantFrom(
    ['one', 'a'],
    ['one'],
    ['both', 'b', 'c'],
    ['deep', 'b'],
    ['deep', 'k'],
    ['nested', 'b', 'd'],
    ['base', 'a'],
    ['other', 'e'],
  )
  const value = fc.constantFrom(1, 2, { c: 2, d: ['x'] }, { a: 1, b: 3 }, ['x'], undefined)
  fc.assert(
    fc.property(fc.array(fc.tuple(path, value), { minLength: 1, maxLength: 4 }), (edits) => {
      const object = KrmObject.fromDocument(TEXT)
      let before = object.toText()
      try {
        for (const [at, wanted] of edits) {
          before = object.toText()
          const others = object.toJson()
          if (wanted === undefined) object.delete(at)
          else object.set(at, wanted)
          object.settle()
          expect(object.get(at)).toEqual(wanted)
          for (const key of Object.keys(others)) if (key !== at[0]) expect(object.get([key])).toEqual(others[key])
        }
        expect(KrmObject.fromDocument(object.toText()).toJson()).toEqual(object.toJson())
      } catch (error) {
        if (!(error instanceof FunctionError)) throw error
        expect(object.toText()).toBe(before)
        expect(KrmObject.fromDocument(before).toJson()).toEqual(object.toJson())
      }
    }),
    { numRuns: randomRuns(30) },
  )
})
