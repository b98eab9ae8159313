import { expect, test } from 'vitest'
import type { Texts } from '../../testdata/package-of-texts.ts'
import { config, kptfile, mergeTexts, sub } from './testing/merge-of-texts.ts'

// kpt pkg/lib/update/resource-merge.go updatePackage.
test.each<[string, Texts, Texts, Texts, Texts, ...string[]]>([
  ['added upstream', {}, sub(), {}, sub()],
  ['added downstream', {}, {}, sub(), sub()],
  ['added on both sides alike', {}, sub(), sub(), sub()],
  ['deleted downstream stays deleted', sub(), sub('up'), {}, {}, 'change-passed-over'],
  [
    'deleted downstream leaves what is there',
    sub(),
    sub('up'),
    { 'sub/mine.yaml': config('m') },
    { 'sub/mine.yaml': config('m') },
    'change-passed-over',
  ],
  ['deleted upstream', sub(), {}, sub(), {}],
  [
    'deleted upstream, changed downstream',
    sub(),
    {},
    sub('one', { 'sub/mine.md': '' }),
    sub('one', { 'sub/mine.md': '' }),
    'change-passed-over',
  ],
  ['changed on both sides', sub(), sub('up'), sub('one', { 'sub/mine.md': '' }), sub('up', { 'sub/mine.md': '' })],
  [
    'a folder that becomes a package',
    { 'sub/a.yaml': config('a') },
    sub('up'),
    { 'sub/a.yaml': config('a'), 'sub/m.md': '' },
    sub('up', { 'sub/m.md': '' }),
  ],
])('a subpackage %s', (_, base, theirs, ours, merged, ...warnings) => {
  const result = mergeTexts({ base, theirs, ours })
  expect(result.files).toEqual(merged)
  expect(result.messages).toEqual(warnings.map((rule) => expect.stringContaining(`[${rule}]`)))
})

test('a subpackage whose upstream people changed is theirs', () => {
  const from = (ref: string) => kptfile('sub', `upstream:\n  type: git\n  git: {repo: r, directory: d, ref: ${ref}}\n`)
  const at = (ref: string, value: string) => ({ 'sub/Kptfile': from(ref), 'sub/a.yaml': config('a', value) })
  expect(mergeTexts({ base: at('v1', 'one'), theirs: at('v2', 'up'), ours: at('mine', 'one') }).files).toEqual(at('mine', 'one'))
  expect(mergeTexts({ base: at('v1', 'one'), theirs: at('v2', 'up'), ours: at('v1', 'one') }).files).toEqual(at('v2', 'up'))
})

test('a subpackage added on both sides, each in its way, fails', () => {
  const result = mergeTexts({ base: {}, theirs: sub('up'), ours: sub('mine') })
  expect(result.files).toEqual(sub('mine'))
  expect(result.messages).toEqual([
    "sub/Kptfile: error: `sub` must not be a package of the downstream and one that upstream adds, 'sub' is there on both sides [package-added-twice]",
  ])
})
