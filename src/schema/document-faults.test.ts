import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { aliasResults, commentLost, duplicateKeyFaults, duplicateKeyResults } from './document-faults.ts'

function at({ message, position }: Pick<Result, 'message' | 'position'>): string {
  return `${position?.line}:${position?.column} ${message}`
}

const SEPARATOR = "; most likely the line '---' between two objects is missing"

test.each([
  { reason: 'no key twice', text: 'kind: A\nmetadata: {name: a}\n', expected: [] },
  {
    reason: 'a key twice in one line, at its last place',
    text: 'spec: {a: 1, b: 2, a: 3}\n',
    expected: ['1:20 `spec.a` must occur once in its map, but occurs 2 times in line 1'],
  },
  {
    reason: 'a key three times in two lines',
    text: 'spec: {a: 1, a: 2,\n  a: 3}\n',
    expected: ['2:3 `spec.a` must occur once in its map, but occurs in lines 1 and 2'],
  },
  {
    reason: 'a key in three lines',
    text: 'a: 1\na: 2\na: 3\n',
    expected: ['3:1 `a` must occur once in its map, but occurs in lines 1, 2 and 3'],
  },
  {
    reason: 'two objects without a line between them: of the root only the kind, and keys below',
    text: 'apiVersion: v1\nkind: A\nmetadata: {name: a, x: 1, x: 2}\napiVersion: v1\nkind: A\nmetadata: {name: b}\n',
    expected: [
      `5:1 \`kind\` must occur once in its map, but occurs in lines 2 and 5${SEPARATOR}`,
      '3:27 `metadata.x` must occur once in its map, but occurs 2 times in line 3',
    ],
  },
  {
    reason: 'a second kind alone is no second object',
    text: 'kind: A\nkind: B\nmetadata: {name: a}\n',
    expected: ['2:1 `kind` must occur once in its map, but occurs in lines 1 and 2'],
  },
  {
    reason: 'a second metadata alone is no second object',
    text: 'kind: A\nmetadata: {name: a}\nmetadata: {name: b}\n',
    expected: ['3:1 `metadata` must occur once in its map, but occurs in lines 2 and 3'],
  },
  {
    reason: 'a second kind beside a key twice in metadata is no second object',
    text: 'kind: A\nkind: B\nmetadata: {a: 1, a: 2}\n',
    expected: [
      '2:1 `kind` must occur once in its map, but occurs in lines 1 and 2',
      '3:18 `metadata.a` must occur once in its map, but occurs 2 times in line 3',
    ],
  },
  {
    reason: 'kind and metadata twice below the root are no second object',
    text: 'kind: A\nmetadata: {name: a}\nspec: {kind: a, kind: b, metadata: c, metadata: d}\n',
    expected: ['kind', 'metadata'].map(
      (key, index) => `3:${[17, 39][index]} \`spec.${key}\` must occur once in its map, but occurs 2 times in line 3`,
    ),
  },
])('duplicate keys: $reason', ({ text, expected }) => {
  const object = KrmObject.fromDocument(text)
  const results = duplicateKeyResults([object])
  expect(results.map(at).toSorted()).toEqual(expected.toSorted())
  expect(results.every(({ severity, tags }) => severity === 'error' && tags.rule === 'duplicate-key')).toBe(true)
  expect(duplicateKeyFaults(object)).toHaveLength(expected.length)
})

test('the duplicate keys of all objects are reported', () => {
  const objects = ['a: 1\na: 2\n', 'b: 1\n', 'c: 1\nc: 2\n'].map((text) => KrmObject.fromDocument(text))
  expect(duplicateKeyResults(objects).map(({ field }) => field?.path)).toEqual([['a'], ['c']])
})

test.each([
  { reason: 'an alias of a known anchor', text: 'a: &x {b: c}\nd: *x\n<<: *x\n', expected: [] },
  {
    reason: 'an unknown anchor',
    text: 'kind: A\nspec: {a: *x}\n',
    expected: ["2:11 `spec.a` must be written out: it refers to the anchor 'x', which cannot be followed"],
  },
  {
    reason: 'a merge key at the root without a map',
    text: 'a: &x b\n<<: *x\n',
    expected: [
      '2:5 `["<<"]` must be written out: it refers to the anchor \'x\', and a merge key needs a map with that anchor above it in the same document',
    ],
  },
  {
    reason: 'a merge key whose anchor is no map',
    text: 'a: &x b\nspec: {<<: *x}\n',
    expected: [
      '2:12 `spec["<<"]` must be written out: it refers to the anchor \'x\', and a merge key needs a map with that anchor above it in the same document',
    ],
  },
])('aliases: $reason', ({ text, expected }) => {
  const results = aliasResults(KrmObject.fromDocument(text, { path: 'a.yaml', index: 0, line: 1 }))
  expect(results.map(at)).toEqual(expected)
  expect(results.map(({ severity, file, tags }) => [severity, file?.path, tags.rule])).toEqual(
    expected.map(() => ['error', 'a.yaml', 'alias']),
  )
})

test('an alias in an object without a file has no file', () => {
  const [result] = aliasResults(KrmObject.fromDocument('kind: A\nspec: *x\n'))
  expect(result).not.toHaveProperty('file')
  expect(result?.resourceRef).toEqual({ apiVersion: '', kind: 'A', name: '' })
  expect(result?.field).toEqual({ path: ['spec'] })
})

const COMMENT = 'is lost: the entry of the comment was removed or replaced'

test('a lost comment is a warning at its field', () => {
  const object = KrmObject.fromDocument('kind: A\nmetadata: {name: a}\nspec: {b: c}\n', { path: 'a.yaml', index: 0, line: 1 })
  expect(commentLost(object, { field: ['spec', 'b'], comment: '# note' })).toEqual({
    severity: 'warning',
    message: `\`spec.b\` has the comment '# note' here, which ${COMMENT}`,
    resourceRef: { apiVersion: '', kind: 'A', name: 'a' },
    field: { path: ['spec', 'b'] },
    file: { path: 'a.yaml', index: 0 },
    position: { line: 3, column: 11 },
    tags: { rule: 'comment-lost' },
  })
})

test.each([
  {
    reason: 'the name of the object',
    text: 'metadata: {name: a}\n',
    origin: { path: 'a.yaml', index: 0, line: 1 },
    name: 'a',
    hasRef: true,
  },
  {
    reason: 'the file of an object without a name',
    text: 'kind: A\n',
    origin: { path: 'a.yaml', index: 0, line: 1 },
    name: 'a.yaml',
    hasRef: true,
  },
  { reason: 'nothing', text: 'x: 1\n', origin: undefined, name: '', hasRef: false },
])('a lost comment of the whole object is named by $reason', ({ text, origin, name, hasRef }) => {
  const result = commentLost(KrmObject.fromDocument(text, origin), { field: [], comment: '# note' })
  expect(result.message).toBe(`\`${name}\` has the comment '# note' here, which ${COMMENT}`)
  expect(result).not.toHaveProperty('field')
  expect(Object.hasOwn(result, 'resourceRef')).toBe(hasRef)
  expect(Object.hasOwn(result, 'file')).toBe(origin !== undefined)
})
