import { expect, test } from 'vitest'
import type { Result } from '../result.ts'
import { downstreamConflicts, downstreamPathFaults, inputsRemoved, insideLeftovers } from './conflicts.ts'
import type { LeftoverStep, VariantStep } from './package-steps.ts'
import { packagePlace, packagePlaces, variantsOf } from './testing/places-of.ts'

const { folderOf } = packagePlaces({})

/** Returns the name of the object and the rule of each finding. */
const shown = (results: readonly Result[]) => results.map(({ resourceRef, tags }) => `${resourceRef?.name} ${tags.rule}`)

test.each([
  ['different folders', ['a/app', 'b/app', 'a/app2'], []],
  [
    'one folder',
    [
      ['a/app', 'x'],
      ['a/app', 'y'],
    ],
    ['y downstream-duplicate'],
  ],
  [
    'folders that differ in case alone',
    [
      ['a/app', 'x'],
      ['a/App', 'y'],
    ],
    ['y downstream-duplicate'],
  ],
  ['a folder inside of another', ['a/app', 'a/app/db'], ['a-app-db path-nested']],
  [
    'a folder inside of one that two have',
    [
      ['a/app', 'x'],
      ['a/app', 'y'],
      ['a/app/db', 'z'],
    ],
    ['y downstream-duplicate', 'z path-nested'],
  ],
  ['a folder two steps inside of another', ['a/app', 'a/app/x/db'], ['a-app-x-db path-nested']],
  ['a folder whose name begins like another', ['a/app', 'a/app-db'], []],
] as const)('of two variants with %s', (_what, downstreams, expected) => {
  expect(shown(downstreamConflicts(variantsOf(...downstreams), folderOf))).toEqual(expected)
})

test('the message of two folders that differ in case names both', () => {
  const [other] = downstreamConflicts(variantsOf(['a/app', 'x'], ['a/App', 'y']), folderOf)
  expect(other?.message).toContain("'a/App', which some file systems take for 'a/app'")
  expect(other?.field?.path).toEqual(['spec', 'downstream'])
  const [same] = downstreamConflicts(variantsOf(['a/app', 'x'], ['a/app', 'y']), folderOf)
  expect(same?.message).not.toContain('which some file systems')
})

const stepsOf = (...folders: readonly string[]): readonly VariantStep[] =>
  variantsOf(...folders).map((variant) => ({ op: 'create', variant, folder: folderOf(variant) }))

test('a package must not be inside of the package of a gone variant', () => {
  const leftovers: readonly LeftoverStep[] = [{ op: 'remove', place: packagePlace('a/app', { owner: 'gone' }) }]
  expect(shown(insideLeftovers(stepsOf('a/app/db'), leftovers))).toEqual(['a-app-db path-nested'])
  expect(insideLeftovers(stepsOf('a/app/db'), leftovers)[0]?.message).toContain('of PackageVariant default/gone, which is gone')
  expect(shown(insideLeftovers(stepsOf('a/app2', 'a/app'), leftovers))).toEqual([])
})

test.each([
  ['a/app', []],
  ['a/app/db', []],
  ['../app', ['spec.downstream.repo']],
  ['.git/app', ['spec.downstream.repo']],
  ['a/../b', ['spec.downstream.package']],
  ['a/b//c', ['spec.downstream.package']],
  ['a/.git', ['spec.downstream.package']],
  [`${'a'.repeat(256)}/app`, ['spec.downstream.repo']],
  [`a/${'b'.repeat(256)}`, ['spec.downstream.package']],
])('the downstream %s has faults at %j', (downstream, fields) => {
  const [variant] = variantsOf([downstream, 'x'])
  expect(variant && downstreamPathFaults(variant).map(({ field }) => field?.path.join('.') ?? '')).toEqual(fields)
})

test.each([
  ['../app', "must be the name of a folder, without '/' and not '.', '..' or '.git', got '..'"],
  [`${'a'.repeat(254)}\\/app`, expect.stringMatching(/^must be the name of a folder, without/)],
  [`${'ä'.repeat(128)}/app`, `must be the name of a folder of at most 255 bytes, has 256, got '${'ä'.repeat(128)}'`],
  ['a/b//c', "must be a package path, parts joined by '/' and none of them empty, '.', '..' or '.git', got 'b//c'"],
])('the fault of the downstream %s says what it must be', (downstream, message) => {
  const [variant] = variantsOf([downstream, 'x'])
  const results = variant === undefined ? [] : downstreamPathFaults(variant)
  expect(results.map((each) => each.message.replace(/^`[^`]*` /, ''))).toEqual([message])
})

test('a package that a variant of the run is made from is neither removed nor moved away', () => {
  const made = (disk: string) => stepsOf('b/web').map((step) => ({ ...step, upstream: { source: { place: 'p', disk } } }))
  const removed: readonly LeftoverStep[] = [{ op: 'remove', place: packagePlace('a/app', { owner: 'gone' }) }]
  const places = packagePlaces({ 'a/app': { owner: 'gone' } })
  const rules = (disk: string, leftovers = removed) => shown(inputsRemoved(made(disk), leftovers, places))
  expect(rules('a/app')).toEqual(['app upstream-in-use'])
  expect(rules('a/app/sub')).toEqual(['app upstream-in-use'])
  expect(rules('a')).toEqual(['app upstream-in-use'])
  expect(rules('a/app2')).toEqual([])
  expect(rules('a/ap')).toEqual([])
  expect(rules('a/app', [{ op: 'orphan', place: packagePlace('a/app', { owner: 'gone' }) }])).toEqual([])
  const moved = made('a/app').map((step) => ({ ...step, op: 'update' as const, movedFrom: 'a/app' }))
  expect(shown(inputsRemoved(moved, [], places))).toEqual(['app upstream-in-use'])
})
