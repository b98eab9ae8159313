import fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'

function edited(text: string, edit: (object: KrmObject) => void): string {
  const object = KrmObject.fromDocument(text)
  edit(object)
  return object.toText()
}

const replaced = (text: string, path: FieldPath, value: JsonValue) => edited(text, (object) => object.set(path, value))

test.each<[string, string, JsonValue, string]>([
  ['quotes in braces stay', "a: {b: 'x', c: 1} # why\n", { b: 'y', c: 1 }, "a: {b: 'y', c: 1} # why\n"],
  ['a number in braces loses the quotes', "a: {b: 'x'}\n", { b: 2 }, 'a: {b: 2}\n'],
  ['a text in braces gets quotes where it needs them', 'a: {b: x}\n', { b: 'v, w' }, 'a: {b: "v, w"}\n'],
  ['a value missing behind a colon in braces', 'a: {b: , c: 1}\n', { b: 'x', c: 1 }, 'a: {b: x , c: 1}\n'],
  ['a value missing without a colon in braces', 'a: {b, c: 1}\n', { b: 'x', c: 1 }, 'a: {b: x, c: 1}\n'],
  ['a value missing right behind a colon', 'a: {"b":, c: 1}\n', { b: 'x', c: 1 }, 'a: {"b": x, c: 1}\n'],
  ['a list in brackets', 'a: [x, "y", z] # why\n', ['x', 'w', 'z'], 'a: [x, "w", z] # why\n'],
  ['a value that is missing', 'a:\nb: 1\n', 'x', 'a: x\nb: 1\n'],
  ['a value that is missing, before a comment', 'a: # why\nb: 1\n', 'x', 'a: x # why\nb: 1\n'],
  ['a text on the line below', 'a:\n  x\nb: 1\n', 'z', 'a:\n  z\nb: 1\n'],
  ['a text below a comment', 'a:\n  # why\n  x # what\nb: 1\n', 'z', 'a:\n  # why\n  z # what\nb: 1\n'],
  ['a map for a text', 'a: x # why\nb: 1\n', { c: 1, d: [2] }, 'a: # why\n  c: 1\n  d:\n  - 2\nb: 1\n'],
  ['a text for a map', 'a: # why\n  c: 1\n  # inside\n  d: 2\nb: 1\n', 'x', 'a: x # why\nb: 1\n'],
  ['a list for a map', 'a: # why\n  c: 1\nb: 1\n', ['x'], 'a: # why\n- x\nb: 1\n'],
  ['a map for a list', 'a:\n- x\n- y\nb: 1\n', { c: 1 }, 'a:\n  c: 1\nb: 1\n'],
  ['a list that is indented stays indented', 'a:\n    - x\n    - y # why\nb: 1\n', ['x', 'z'], 'a:\n    - x\n    - z # why\nb: 1\n'],
  ['a map that is indented by four stays so', 'a:\n    c: 1\nb: 1\n', { c: 1, d: 2 }, 'a:\n    c: 1\n    d: 2\nb: 1\n'],
  ['a block of text', 'a: | # why\n  one\n  two\nb: 1\n', 'one\nthree\n', 'a: | # why\n  one\n  three\nb: 1\n'],
  ['a block of text without a last line break', 'a: |-\n  one\nb: 1\n', 'one\ntwo', 'a: |-\n  one\n  two\nb: 1\n'],
  ['a number for a block of text', 'a: | # why\n  one\n  two\nb: 1\n', 2, 'a: 2 # why\nb: 1\n'],
  ['a map for a block of text', 'a: |\n  one\nb: 1\n', { c: 1 }, 'a:\n  c: 1\nb: 1\n'],
  ['an anchor stays on the new value', 'a: &x one\nb: 1\n', 'two', 'a: &x two\nb: 1\n'],
  ['a tag goes with its value', 'a: !!str 1\nb: 1\n', 2, 'a: 2\nb: 1\n'],
  ['a tag and an anchor on a map go with it', 'a: !!map &x\n  c: 1\nb: 1\n', 'two', 'a: two\nb: 1\n'],
  ['a map behind a tab', 'a:\tx\nb: 1\n', { c: 1 }, 'a:\n  c: 1\nb: 1\n'],
  ['a text behind a tab', 'a:\tx # why\nb: 1\n', 'z', 'a: z # why\nb: 1\n'],
])('set: %s', (_, text, value, expected) => {
  expect(replaced(text, ['a'], value)).toBe(expected)
})

test.each<[string, string, JsonValue, string]>([
  ['a text', 'a:\n- x # why\n- y\n', 'z', 'a:\n- z # why\n- y\n'],
  ['a map for a text', 'a:\n- x\n- y\n', { c: 1, d: 2 }, 'a:\n- c: 1\n  d: 2\n- y\n'],
  ['a map behind several blanks', 'a:\n-   c: 1\n    d: 2\n- y\n', { c: 1, d: 3 }, 'a:\n-   c: 1\n    d: 3\n- y\n'],
  ['a text for a map', 'a:\n- c: 1\n  d: 2\n- y\n', 'z', 'a:\n- z\n- y\n'],
  ['a list for a map', 'a:\n- c: 1\n- y\n', ['z', 'w'], 'a:\n- - z\n  - w\n- y\n'],
  ['a map for a list', 'a:\n- - x\n- y\n', { c: 1 }, 'a:\n- c: 1\n- y\n'],
  ['a map on the line below the dash', 'a:\n-\n  c: 1\n- y\n', { c: 2 }, 'a:\n-\n  c: 2\n- y\n'],
  ['a missing one', 'a:\n-\n- y\n', 'z', 'a:\n- z\n- y\n'],
])('set an item: %s', (_, text, value, expected) => {
  expect(replaced(text, ['a', 0], value)).toBe(expected)
})

test('an item that takes the place of another one keeps its comment, and one that is removed takes its comment along', () => {
  const text = 'a:\n- x\n# about v\n- v\n- z\nb: 1\n'
  const crlf = (lines: string) => lines.replaceAll('\n', '\r\n')
  expect(replaced(text, ['a'], ['x', 'w', 'z'])).toBe('a:\n- x\n# about v\n- w\n- z\nb: 1\n')
  expect(replaced(text, ['a'], ['x', 'z'])).toBe('a:\n- x\n- z\nb: 1\n')
  expect(replaced(crlf(text), ['a'], ['x', 'z', 'w'])).toBe(crlf('a:\n- x\n- z\n- w\nb: 1\n'))
})

test('entries that are removed, changed and added at once', () => {
  const text = 'spec:\n  a: 1 # one\n  # about b\n  b: 2\n\n  c: 3\n'
  const result = edited(text, (object) => {
    object.delete(['spec', 'b'])
    object.set(['spec', 'd'], 4)
    object.set(['spec', 'a'], 5)
    object.set(['spec', 'b'], 6)
  })
  expect(load(result)).toEqual({ spec: { a: 5, c: 3, d: 4, b: 6 } })
  expect(result).toContain('a: 5 # one\n')
})

const leaf = fc.constantFrom<JsonValue>('x', 'y: z', '', 'two\nlines\n', '1', 'true', 7, -0.5, true, null, '# no comment', ' padded ')
const value = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.dictionary(fc.constantFrom('a', 'b', 'c d', '"q"'), tie('any'), { maxKeys: 3 }),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
})).any

const TEXTS = [
  'kind: A\na:\n  b: 1 # one\n  c:\n  - x\n  - d: 2\n    e: |\n      text\nlast: {f: [1, "2"], g: }\n',
  'kind: A\na:\n    b:\n        c: x\n        # about d\n        d:\n            - - y\n              - z\n            -   e: 1\n',
  'kind: A\n"a": &n\n  b: >-\n    folded\n    text\n  c: !!str 1\nf: *n\n',
] as const

const PATHS: readonly FieldPath[] = [
  ['a'],
  ['a', 'b'],
  ['a', 'c'],
  ['a', 'c', 0],
  ['a', 'b', 'd'],
  ['a', 'b', 'd', 0],
  ['last'],
  ['last', 'f'],
  ['last', 'g'],
  ['new'],
]

test('whatever is set anywhere is read back by another reader, and all other values stay', () => {
  const property = fc.property(fc.constantFrom(...TEXTS), fc.constantFrom(...PATHS), value, (text, path, written) => {
    const before = KrmObject.fromDocument(text)
    const holder = path.length === 1 ? {} : before.get(path.slice(0, -1))
    fc.pre(typeof holder === 'object' && holder !== null && (typeof path.at(-1) === 'number') === Array.isArray(holder))
    fc.pre(!text.includes('*n') || path[0] !== 'a')
    const result = replaced(text, path, written)
    const expected = structuredClone(load(text))
    let at: unknown = expected
    for (const step of path.slice(0, -1)) at = Reflect.get(Object(at), step)
    Reflect.set(Object(at), path.at(-1) ?? '', written)
    expect(load(result)).toEqual(expected)
    expect(replaced(result, path, written)).toBe(result)
  })
  expect(() => fc.assert(property, { numRuns: 200 })).not.toThrow()
})
