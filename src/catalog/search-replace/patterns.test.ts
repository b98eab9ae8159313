import { expect, test } from 'vitest'
import { filePatternExpression, isOneField, pathMatcher } from './patterns.ts'

test.each([
  ['spec.a', ['spec', 'a'], true],
  ['spec.a', ['spec', 'b'], false],
  ['spec.a', ['spec', 'a', 'b'], false],
  ['spec.*', ['spec', 'a'], true],
  ['spec.*', ['spec', 'a', 'b'], false],
  ['**.image', ['spec', 'list', 0, 'image'], true],
  ['**.image', ['image'], true],
  ['spec.**.image', ['spec', 'image'], true],
  ['spec.**', ['spec', 'a', 'b'], true],
  ['spec.**', ['metadata', 'a'], false],
  ['spec.list[0].a', ['spec', 'list', 0, 'a'], true],
  ['spec.list[0].a', ['spec', 'list', 1, 'a'], false],
  ['spec.list[*].a', ['spec', 'list', 1, 'a'], true],
  ['spec.*[1].a', ['spec', 'list', 1, 'a'], true],
  ['spec.list.a', ['spec', 'list', 1, 'a'], false],
  ['a.**.**.b', ['a', 'b'], true],
  ['a.b.c', ['a', 'b.c'], true],
])('the path %s and the field %j: %s', (pattern, path, expected) => {
  expect(pathMatcher(pattern)(path)).toBe(expected)
})

test.each([
  ['spec.a', true],
  ['spec.*', false],
  ['spec..a', false],
  ['spec.a[0]', false],
  ['', false],
])('the path %j names one field: %s', (pattern, expected) => {
  expect(isOneField(pattern)).toBe(expected)
})

test.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', 'x/a.yaml', false],
  ['**/a.yaml', 'a.yaml', true],
  ['**/a.yaml', 'x/y/a.yaml', true],
  ['x/**', 'x/y/a.yaml', true],
  ['x**', 'x/y', false],
  ['?.yaml', 'a.yaml', true],
  ['?.yaml', '/.yaml', false],
  ['[ab].yaml', 'b.yaml', true],
  ['[a-c].yaml', 'b.yaml', true],
  ['[^a].yaml', 'a.yaml', false],
  ['[!a].yaml', 'b.yaml', true],
  ['{a,b}.yaml', 'b.yaml', true],
  ['a,b.yaml', 'a,b.yaml', true],
  ['a.yaml', 'axyaml', false],
  ['\\*.yaml', '*.yaml', true],
  ['\\*.yaml', 'a.yaml', false],
])('the file pattern %s and the path %s: %s', (pattern, path, expected) => {
  // RE2 writes a character as \x{2e}, JavaScript as \u{2e}.
  const expression = filePatternExpression(pattern)?.replaceAll('\\x{', '\\u{') ?? 'none'
  expect(new RegExp(expression, 'u').test(path)).toBe(expected)
})

test.each(['[a', 'a}', '{a', '[]', 'a\\'])('the file pattern %s is malformed', (pattern) => {
  expect(filePatternExpression(pattern)).toBeUndefined()
})
