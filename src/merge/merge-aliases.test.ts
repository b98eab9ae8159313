import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import { formatResult } from '../result.ts'
import { mergeObject } from './merge-object.ts'
import { CONFIG, merge, POD } from './testing/merge-of-objects.ts'

const ALIAS = 'apiVersion: v1\nkind: X\nmetadata:\n  labels: &l\n    a: b\nspec:\n  labels: *l\n  n: 1\n  m: 1\n'

test('a resource with an alias is taken whole where one side changed it', () => {
  expect(merge(ALIAS, ALIAS.replace('n: 1', 'n: 2'), ALIAS)).toBe(ALIAS.replace('n: 1', 'n: 2'))
  expect(merge(ALIAS, ALIAS, ALIAS.replace('n: 1', 'n: 2'))).toBe(ALIAS.replace('n: 1', 'n: 2'))
})

const alias = (from: string, to: string) => ALIAS.replace(from, to)

test.each<[string, string, string, string]>([
  ['other fields', alias('n: 1', 'n: 2'), alias('m: 1', 'm: 3'), alias('n: 1\n  m: 1', 'n: 2\n  m: 3')],
  ['what the alias stands for, upstream', alias('a: b', 'a: c'), alias('m: 1', 'm: 3'), alias('a: b', 'a: c').replace('m: 1', 'm: 3')],
  ['what the alias stands for, downstream', alias('n: 1', 'n: 2'), alias('a: b', 'a: d'), alias('a: b', 'a: d').replace('n: 1', 'n: 2')],
  ['the alias to a value', alias('n: 1', 'n: 2'), alias('*l', '{a: mine}'), alias('*l', '{a: mine}').replace('n: 1', 'n: 2')],
  [
    'the anchor and the alias to values',
    alias('&l\n    a: b', '{a: b}').replace('*l', '{a: b}'),
    alias('m: 1', 'm: 3'),
    alias('&l\n    a: b', '{a: b}').replace('*l', '{a: b}').replace('m: 1', 'm: 3'),
  ],
])('an alias stays where both sides changed the resource: %s', (_, theirs, ours, merged) => {
  expect(merge(ALIAS, theirs, ours)).toBe(merged)
})

const MERGE = `apiVersion: v1
kind: X
metadata:
  labels: &l
    a: b
    c: d
spec:
  selector:
    <<: *l # as above
    extra: 1
  n: 1
  m: 1
`

const merging = (from: string, to: string, text = MERGE) => {
  expect(text).toContain(from)
  return text.replace(from, to)
}

test.each<[string, string, string, string]>([
  ['other fields', merging('n: 1', 'n: 2'), merging('m: 1', 'm: 3'), merging('n: 1\n  m: 1', 'n: 2\n  m: 3')],
  [
    'people add an entry beside it',
    merging('n: 1', 'n: 2'),
    merging('extra: 1', 'extra: 1\n    mine: 2'),
    merging('extra: 1\n  n: 1', 'extra: 1\n    mine: 2\n  n: 2'),
  ],
  [
    'people override an entry',
    merging('n: 1', 'n: 2'),
    merging('extra: 1', 'extra: 1\n    a: mine'),
    merging('extra: 1\n  n: 1', 'extra: 1\n    a: mine\n  n: 2'),
  ],
  [
    'upstream changes its own entry beside it',
    merging('extra: 1', 'extra: 2'),
    merging('m: 1', 'm: 3'),
    merging('extra: 1', 'extra: 2', merging('m: 1', 'm: 3')),
  ],
  [
    'upstream changes what it stands for',
    merging('a: b', 'a: up'),
    merging('m: 1', 'm: 3'),
    merging('a: b', 'a: up', merging('m: 1', 'm: 3')),
  ],
  [
    'people change what it stands for',
    merging('n: 1', 'n: 2'),
    merging('a: b', 'a: mine'),
    merging('a: b', 'a: mine', merging('n: 1', 'n: 2')),
  ],
  [
    'upstream adds to what it stands for',
    merging('a: b', 'a: b\n    e: f'),
    merging('m: 1', 'm: 3'),
    merging('a: b', 'a: b\n    e: f', merging('m: 1', 'm: 3')),
  ],
  [
    'upstream removes from what it stands for',
    merging('    c: d\n', ''),
    merging('m: 1', 'm: 3'),
    merging('    c: d\n', '', merging('m: 1', 'm: 3')),
  ],
  [
    'people override what upstream changes',
    merging('a: b', 'a: up'),
    merging('extra: 1', 'extra: 1\n    a: mine'),
    merging('a: b', 'a: up', merging('extra: 1', 'extra: 1\n    a: mine')),
  ],
  [
    'upstream writes it out',
    merging('<<: *l # as above', 'a: b\n    c: d'),
    merging('m: 1', 'm: 3'),
    merging('<<: *l # as above', 'a: b\n    c: d', merging('m: 1', 'm: 3')),
  ],
  [
    'upstream takes another map',
    merging('spec:\n  selector:\n    <<: *l', 'other: &o {a: z, c: d}\nspec:\n  selector:\n    <<: *o'),
    merging('extra: 1', 'extra: 1\n    mine: 2'),
    merging('spec:', 'other: &o {a: z, c: d}\nspec:', merging('extra: 1', 'extra: 1\n    mine: 2\n    a: z')),
  ],
  [
    'people remove one of its entries',
    merging('n: 1', 'n: 2'),
    merging('<<: *l # as above', 'c: d'),
    merging('<<: *l # as above', 'c: d', merging('n: 1', 'n: 2')),
  ],
])('a merge key stays where both sides changed the resource: %s', (_, theirs, ours, merged) => {
  expect(merge(MERGE, theirs, ours)).toBe(merged)
})

test('a merge key without a map is refused with its place where both sides changed the resource', () => {
  const broken = merging('*l # as above', '*unknown')
  const sides = {
    base: writtenObject(broken),
    theirs: writtenObject(broken.replace('n: 1', 'n: 2')),
    ours: writtenObject(broken.replace('m: 1', 'm: 3')),
  }
  const merged = mergeObject(sides)
  expect(merged.object).toBe(sides.ours)
  expect(merged.results.map(formatResult)).toEqual([
    'a.yaml:9:5: error: `spec.selector["<<"]` must be written out: the alias *unknown is not expanded [alias]',
  ])
})

/** A text whose aliases of aliases would make gigabytes, if they were read. */
const bomb = (n: number, m = 1) =>
  `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}n: ${n}\nm: ${m}\n`

test('aliases of aliases that would make gigabytes are refused', () => {
  const merged = mergeObject({ base: writtenObject(bomb(1)), theirs: writtenObject(bomb(2)), ours: writtenObject(bomb(1, 3)) })
  expect(merged.results.map(({ tags }) => tags.rule)).toEqual(['alias'])
})

test.each<[string, string, string, string]>([
  ['upstream alone', bomb(2), bomb(1), bomb(2)],
  ['people alone', bomb(1), bomb(3), bomb(3)],
  ['both sides alike', bomb(2), bomb(2), bomb(2)],
])('a resource that cannot be read is no obstacle where it was changed by %s', (_, theirs, ours, expected) => {
  const merged = mergeObject({ base: writtenObject(bomb(1)), theirs: writtenObject(theirs), ours: writtenObject(ours) })
  expect({ text: merged.object.toText(), results: merged.results }).toEqual({ text: expected, results: [] })
})

test('a key that stands twice keeps a text from being edited', () => {
  const twice = POD.replace('  name: pod\n', '  name: pod\n  name: pod2\n')
  const merged = mergeObject({
    base: writtenObject(POD),
    theirs: writtenObject(POD.replace('name: pod', 'name: up')),
    ours: writtenObject(twice),
  })
  expect(merged.results.map(({ tags }) => tags.rule)).toEqual(['duplicate-key'])
})

test.each<[string, string, string, string, string]>([
  ['upstream removes the blank line', '# The licence\n\n', '# The licence\n', '# The licence\n\n', '# The licence\n'],
  ['upstream adds a blank line', '# The licence\n', '# The licence\n\n', '# The licence\n', '# The licence\n\n'],
  ['upstream changes the header', '# The licence\n\n', '# Another\n', '# The licence\n\n', '# Another\n'],
  ['people add a line', '# The licence\n\n', '# The licence\n', '# The licence\n# mine\n\n', '# The licence\n# mine\n\n'],
  ['people add a blank line', '# The licence\n', '# Another\n', '# The licence\n\n', '# Another\n'],
])('a header is there once where %s', (_, base, theirs, ours, merged) => {
  const rest = CONFIG.replace('# The licence.\n\n', '')
  expect(merge(base + rest, theirs + rest, ours + rest.replace('"1"', '"7"'))).toBe(merged + rest.replace('"1"', '"7"'))
})

test('a null that upstream removed, and no person changed, goes from an edited resource', () => {
  const withNull = CONFIG.replace('\ndata:', '\n  creationTimestamp: null\ndata:')
  expect(merge(withNull, CONFIG, withNull.replace('"1"', '"7"'))).toBe(CONFIG.replace('"1"', '"7"'))
})

const MERGE_KEY = ALIAS.replace('labels: *l', 'labels: {<<: *l}')

test.each<[string, string, string]>([
  ['has', MERGE_KEY, MERGE_KEY.replace('n: 1', 'n: 2')],
  ['gets from upstream', ALIAS.replace('labels: *l', 'labels: {}'), MERGE_KEY],
  ['loses', MERGE_KEY, ALIAS.replace('labels: *l', 'labels: {}')],
])('a merge key that a resource %s is no obstacle where upstream alone changed the resource', (_, base, theirs) => {
  expect(merge(base, theirs, base)).toBe(theirs)
})
