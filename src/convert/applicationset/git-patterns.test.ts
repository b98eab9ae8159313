import { expect, test } from 'vitest'
import { isReachedBy, matchesDirectory, matchesFilter } from './git-patterns.ts'

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
  ['apps/[^w]eb', 'apps/feb', true],
  ['apps/[^w]eb', 'apps/web', false],
  ['apps/[!w]eb', 'apps/feb', false],
  ['apps/\\web', 'apps/web', true],
  ['apps/\\w', 'apps/a', false],
  ['apps/{web,dns}', 'apps/web', false],
  ['apps/{web,dns}', 'apps/{web,dns}', true],
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
  ['[!a]/c.json', 'b/c.json', true, true],
  ['[!a]/c.json', 'a/c.json', false, false],
  ['[^a]/c.json', 'b/c.json', true, true],
  ['{a,b}/c.json', 'b/c.json', false, true],
  ['{a,{b,d}}/c.json', 'd/c.json', false, true],
  ['a,b.json', 'a,b.json', true, true],
])('%s reaches the file %s with the old glob: %s, with the new one: %s', (pattern, file, old, current) => {
  expect([isReachedBy(pattern, file, 'old'), isReachedBy(pattern, file, 'new')]).toEqual([old, current])
})

test.each([
  ['*.yaml', 'a.yaml', true],
  ['*.yaml', 'sub/a.yaml', true],
  ['*.yaml', 'a.json', false],
  ['{*.yaml,*.yml}', 'a.yml', true],
  ['{*.yaml, *.yml}', 'sub/a.yml', false],
  ['*.{yaml,yml}', 'sub/a.yml', true],
  ['{a,b}/{c,d}.yaml', 'b/d.yaml', true],
  ['{a,b}/{c,d}.yaml', 'b/e.yaml', false],
  ['[!a].yaml', 'b.yaml', true],
  ['[^a].yaml', 'b.yaml', false],
  ['a,b.yaml', 'a,b.yaml', true],
  ['a{b', 'a{b', false],
  ['{*.yaml,*.yml}', 'a.json', false],
  ['{a.yaml}', 'a.yaml', true],
])('include or exclude %s matches the file %s: %s', (pattern, file, expected) => {
  expect(matchesFilter(pattern, file)).toBe(expected)
})
