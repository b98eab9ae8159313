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
  ['a', ['spec', 'a'], false],
  ['a', ['a', 'a'], false],
  ['a.b', ['a'], false],
  ['*', ['a', 'b'], false],
  ['**', ['a', 'b'], true],
  ['**.a.**', ['x', 'a', 'y'], true],
  ['**.a.**', ['x', 'b', 'y'], false],
  ['**.b', ['a', 'b', 'c'], false],
  ['a.**', ['b', 'a'], false],
  ['a.**.b', ['a', 'x', 'y', 'c'], false],
  ['*[*]', ['list', 0], true],
  ['list[*]', ['other', 0], false],
  ['list[*]', ['list'], false],
])('the path %s and the field %j: %s', (pattern, path, expected) => {
  expect(pathMatcher(pattern)(path)).toBe(expected)
})

test.each([
  ['spec.a', true],
  ['spec.*', false],
  ['spec..a', false],
  ['spec.a[0]', false],
  ['*.a', false],
  ['.a', false],
  ['a', true],
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
  ['', '', true],
  ['', 'a', false],
  ['**', 'x/y', true],
  ['x/**/y', 'x/y', true],
  ['x/**/y', 'x/a/b/y', true],
  ['x/**/y', 'xa/y', false],
  ['*', '', true],
  ['[!a]', '/', false],
  ['[a\\-c]', 'b', false],
  ['[a\\-c]', '-', true],
  ['{a,{b,c}d}', 'cd', true],
  ['{a,{b,c}d}', 'c', false],
  ['{a,b},c', 'b,c', true],
  ['ab', 'xab', false],
  ['ab', 'abx', false],
  ['é+', 'é+', true],
])('the file pattern %s and the path %s: %s', (pattern, path, expected) => {
  // RE2 writes a character as \x{2e}, JavaScript as \u{2e}.
  const expression = filePatternExpression(pattern)?.replaceAll('\\x{', '\\u{') ?? 'none'
  expect(new RegExp(expression, 'u').test(path)).toBe(expected)
})

test.each(['[a', 'a}', '{a', '[]', 'a\\', '{a}}', '{a,{b}'])('the file pattern %s is malformed', (pattern) => {
  expect(filePatternExpression(pattern)).toBeUndefined()
})
