import { expect, test } from 'vitest'
import { isReachedBy, matchesBraces, matchesDirectory } from './git-patterns.ts'

test.each([
  ['apps/*', 'apps/web', true],
  ['apps/*', 'apps/web/sub', false],
  ['apps/*', 'old/apps/web', false],
  ['apps/**', 'apps/web/sub', false],
  ['*', 'apps', true],
  ['apps/w?b', 'apps/web', true],
  ['apps?web', 'apps/web', false],
  ['apps/[vw]eb', 'apps/web', true],
  ['apps/[vw]eb', 'apps/feb', false],
  ['apps/a.b', 'apps/axb', false],
  ['apps/a+b', 'apps/a+b', true],
  ['apps/a(b', 'apps/a(b', true],
  ['apps/\\*', 'apps/*', true],
  ['apps/\\*', 'apps/web', false],
  ['apps/[z-a]', 'apps/z', false],
])('of the folders, %s matches %s: %s', (pattern, folder, expected) => {
  expect(matchesDirectory(pattern, folder)).toBe(expected)
})

test.each([
  ['a/*/c.json', 'a/b/c.json', true, true],
  ['a/*/c.json', 'a/b/b/c.json', true, false],
  ['a/**/c.json', 'a/b/b/c.json', true, true],
  ['a/**/c.json', 'a/c.json', false, true],
  ['**/c.json', 'a/b/c.json', true, true],
  ['a/**', 'a/b/c.json', true, true],
  ['a/c?json', 'a/c.json', true, true],
  ['a?c.json', 'a/c.json', true, false],
  ['a/c.json', 'a/c.json', true, true],
  ['a/c.json', 'b/a/c.json', false, false],
  ['a', 'a/b/c.json', true, false],
  ['a/', 'a/b/c.json', true, false],
  ['a', 'ab/c.json', false, false],
])('%s reaches the file %s with the old glob: %s, with the new one: %s', (pattern, file, old, current) => {
  expect([isReachedBy(pattern, file, 'old'), isReachedBy(pattern, file, 'new')]).toEqual([old, current])
})

test.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', 'sub/a.yaml', true],
  ['*.yaml', 'a.json', false],
  ['{*.yaml,*.yml}', 'a.yml', true],
  ['{*.yaml, *.yml}', 'sub/a.yml', true],
  ['{*.yaml,*.yml}', 'a.json', false],
  ['{a.yaml}', 'a.yaml', true],
])('include or exclude %s matches the file %s: %s', (pattern, file, expected) => {
  expect(matchesBraces(pattern, file)).toBe(expected)
})
