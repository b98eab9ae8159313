import { expect, test } from 'vitest'
import type { FleetVariant } from '../fleet/fleet-variants.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import {
  adopted,
  copyFound,
  moved,
  notAdopted,
  occupied,
  otherFleets,
  refuseRemovals,
  removedResult,
  renamed,
  takenOver,
  throughLink,
  upstreamRenamed,
} from './lifecycle-results.ts'
import type { DownstreamPlace } from './package-steps.ts'
import { packagePlace, packagePlaces, variantsOf } from './testing/places-of.ts'

/** Returns a package of another fleet. */
const placeOf = (folder: string, fleet: string): DownstreamPlace => ({
  ...packagePlace(folder),
  owner: { variant: 'default/x', deletionPolicy: 'delete', fleet },
})

/** Returns the errors about packages of other fleets, by folder. */
function inTheWay(fleet: string, packages: Readonly<Record<string, string>>): readonly string[] {
  const folders = Object.entries(packages)
  const variants = variantsOf(...folders.map(([folder]) => folder))
  const foreign = folders.flatMap(([folder, other], i) => {
    const variant = variants[i]
    return variant === undefined ? [] : [{ variant, place: placeOf(folder, other) }]
  })
  return otherFleets(foreign, { fleet }).map(({ message }) => message)
}

test.each([
  ['h/r//old', 'h/r//new', /; the fleet moved from '\/\/old' to '\/\/new': where both are one fleet, write/],
  ['h/r//old', 'h/other//old', /; take another folder .* where both are one fleet that has moved/],
  ['h/r//old', 'folder:new', /; there is no git repository here, whose name the packages have: where both/],
  ['folder:old', 'folder:new', /; take another folder/],
  ['mine', 'h/r//new', /; take another folder/],
])('packages of the fleet %j in the way of %j have this way out: %s', (other, fleet, words) => {
  expect(inTheWay(fleet, { 'a/app': other })).toEqual([expect.stringMatching(words)])
})

test('packages of each other fleet are one error, which counts them', () => {
  expect(inTheWay('mine', { 'a/app': 'x', 'b/app': 'x', 'c/app': 'y' })).toEqual([
    expect.stringMatching(/must not be packages of another fleet: 2 packages, 'a\/app', 'b\/app', are of 'x'/),
    expect.stringMatching(/must not be the package of another fleet: 'c\/app' is of 'y'/),
  ])
})

test.each<[string, Partial<DownstreamPlace>, RegExp]>([
  ['no Kptfile', { isPackage: false }, /`spec\.downstream` must be free or a package/],
  ['no owner', { owner: undefined }, /`spec\.adoptionPolicy` must be 'adoptExisting' .*, which no variant made;/],
  ['another owner', {}, /`spec\.adoptionPolicy` must be 'adoptExisting' .*, of PackageVariant default\/x;/],
])('a folder with %s is not taken over, for that reason', (_, fields, words) => {
  const place = { ...packagePlace('a/app', { owner: 'x' }), ...fields }
  expect(variantsOf('a/app').map((variant) => notAdopted(variant, place).message)).toEqual([expect.stringMatching(words)])
})

test('the package of a renamed downstream is removed, or left to itself by its own deletion policy', () => {
  const fate = (deletionPolicy: 'delete' | 'orphan') =>
    variantsOf('b/app').map((variant: FleetVariant) => {
      const place = { ...packagePlace('a/app'), owner: { variant: 'default/x', deletionPolicy } }
      return renamed(variant, place, 'b/app').message
    })
  expect(fate('delete')).toEqual([expect.stringContaining('what people did to it, is removed;')])
  expect(fate('orphan')).toEqual([expect.stringContaining('what people did to it, is left to itself;')])
})

test('a downstream that leads through a symbolic link is an error, any other is none', () => {
  const places = packagePlaces({})
  const through = (link: string | undefined) =>
    variantsOf('a/app').flatMap((variant) => throughLink(variant, { ...places, linkOnWayTo: () => link }).map(({ severity }) => severity))
  expect(through(undefined)).toEqual([])
  expect(through('clusters/a')).toEqual(['error'])
})

/** Returns the severity, rule, field and message of a finding. */
const shown = ({ severity, tags, field, message }: Result) => `${severity} ${tags.rule} ${field?.path.join('.') ?? ''}: ${message}`

test('each finding about the package of a variant has its severity, its rule and the field that decides', () => {
  const place = packagePlace('a/app', { owner: 'gone' })
  const { owner } = place
  const found = variantsOf('b/app').flatMap((variant) => [
    occupied(variant, place),
    adopted(variant, place),
    ...(owner === undefined ? [] : [takenOver(variant, place, owner)]),
    moved(variant, place, 'b/app'),
    renamed(variant, place, 'b/app'),
    notAdopted(variant, place),
    notAdopted(variant, { ...place, isPackage: false }),
    upstreamRenamed(variant, { place, upstreamPackage: 'old' }),
    ...throughLink(variant, { ...packagePlaces({}), linkOnWayTo: (folder) => `${folder}/..` }),
    ...otherFleets([{ variant, place }], { fleet: 'mine' }),
  ])
  expect(found.map((result) => shown(result).replace(/[;,] (?:followRenames|it is|they are|take).*$/, ''))).toEqual([
    "error downstream-occupied spec.downstream: `spec.downstream` must be free or a package to be taken over, but no Kptfile, or an empty one, says what the files at 'a/app' are",
    "info adopted spec.adoptionPolicy: `spec.adoptionPolicy` takes over the package at 'a/app'",
    "info adopted spec.downstream: `spec.downstream` takes over the package at 'a/app' from PackageVariant default/gone, which is gone",
    "info downstream-moved spec.downstream: `spec.downstream` moves the package from 'a/app' to 'b/app', with what people did to it",
    "warning downstream-renamed spec.downstream: `spec.downstream` is 'b/app', and the package lies in 'a/app': it is made anew, and the one there, with what people did to it, is removed",
    "warning not-adopted spec.adoptionPolicy: `spec.adoptionPolicy` must be 'adoptExisting' to take over what is at 'a/app', of PackageVariant default/gone",
    "warning not-adopted spec.downstream: `spec.downstream` must be free or a package, but there are files and no Kptfile, or an empty one, at 'a/app'",
    "error downstream-renamed spec.downstream: `spec.downstream` must not change from 'a/app' unsaid when the upstream package 'old' becomes 'app': followRenames (--follow-renames) moves that package to 'b/app' with what people did to it, `template.downstream.package` of the set lets it stay where it is",
    "error downstream-occupied spec.downstream: `spec.downstream` must not lead through a symbolic link, as 'b/app/..' is",
    "error other-fleet spec.downstream: `spec.downstream` must not be the package of another fleet: 'a/app' is of '', this fleet is 'mine'",
  ])
})

test('the package of a gone variant is named with its Kptfile, and what becomes of it', () => {
  const place = packagePlace('a/app', { owner: 'gone' })
  expect(removedResult({ op: 'remove', place })).toEqual({
    severity: 'info',
    message: "package 'a/app' is removed (deletionPolicy delete): PackageVariant default/gone does not want it any more",
    resourceRef: expect.objectContaining({ kind: 'Kptfile', name: 'app' }),
    file: { path: 'clusters/a/app/Kptfile', index: 0 },
    tags: { rule: 'package-removed' },
  })
  expect(removedResult({ op: 'orphan', place: { ...place, kptfile: () => undefined } })).toEqual({
    severity: 'info',
    message: "package 'a/app' is left to itself (deletionPolicy orphan): PackageVariant default/gone does not want it any more",
    tags: { rule: 'package-orphaned' },
  })
})

test('a copy of a package is a warning at the annotation of its Kptfile', () => {
  const place = packagePlace('b/app', { owner: 'x' })
  expect(copyFound(place, 'a/app').map(shown)).toEqual([
    expect.stringMatching(
      /^warning package-copied metadata\.annotations\.krm-variants\.dev\/package-variant: .*must not name PackageVariant default\/x, whose package is 'a\/app': this one is left as it is;/,
    ),
  ])
  expect(copyFound({ ...place, kptfile: () => undefined }, 'a/app')).toEqual([])
})

const leftovers = (count: number, op: 'remove' | 'orphan' = 'remove') =>
  Array.from({ length: count }, (_, index) => ({ op, place: packagePlace(`r${index}/app`, { owner: `v${index}` }) }))

/** Returns the severity of each finding about removals, and the option that it names. */
const refused = (removals: Partial<Parameters<typeof refuseRemovals>[0]>, options: Partial<Parameters<typeof refuseRemovals>[1]> = {}) =>
  refuseRemovals({ variants: 1, existing: 10, hasOwn: true, leftovers: [], ...removals }, { allowEmpty: false, ...options }).map(
    ({ severity, message }) => `${severity} ${/`(\w+)`|^/.exec(message)?.[1] ?? ''}`.trim(),
  )

test('at most five packages, or a fifth if that is more, are removed without being asked', () => {
  expect(refused({ leftovers: leftovers(5), existing: 20 })).toEqual([])
  expect(refused({ leftovers: leftovers(6), existing: 20 })).toEqual(['error maxDeletions'])
  expect(refused({ leftovers: leftovers(6), existing: 30 })).toEqual([])
  expect(refused({ leftovers: leftovers(6), existing: 20 }, { maxDeletions: { count: 6 } })).toEqual([])
  expect(refused({ leftovers: leftovers(3), existing: 20 }, { maxDeletions: { count: 2 } })).toEqual(['error maxDeletions'])
  expect(refused({ leftovers: leftovers(9, 'orphan'), existing: 20 })).toEqual([])
})

test('all packages are removed only if that is allowed', () => {
  expect(refused({ variants: 0, leftovers: leftovers(1) })).toEqual(['error allowEmpty'])
  expect(refused({ variants: 0, leftovers: leftovers(1) }, { allowEmpty: true })).toEqual([])
  expect(refused({ hasOwn: false, leftovers: leftovers(1) })).toEqual(['error allowEmpty'])
  expect(refused({ hasOwn: false, leftovers: leftovers(1, 'orphan') })).toEqual(['error allowEmpty'])
  expect(refused({ hasOwn: false, leftovers: [] })).toEqual([])
})

type Removals = Parameters<typeof refuseRemovals>[0]

test.each<[string, Partial<Removals>, string]>([
  [
    'of all variants',
    { variants: 0, leftovers: leftovers(2) },
    '`allowEmpty` must be true to remove the packages of all variants: there is no PackageVariant (r0/app, r1/app); a RenderVariants sets it, `spec.allowEmpty`',
  ],
  [
    'of variants that this fleet does not have',
    { hasOwn: false, leftovers: leftovers(2) },
    '`allowEmpty` must be true to remove every package of the folder: none belongs to a PackageVariant of this fleet; another folder for its packages keeps them (r0/app of default/v0, r1/app of default/v1); a RenderVariants sets it, `spec.allowEmpty`',
  ],
  [
    'of too many variants',
    { leftovers: leftovers(6) },
    '`maxDeletions` must be at least 6 to remove so many of 10 packages, is 5 by default (r0/app, r1/app, r2/app, r3/app, r4/app, r5/app); a RenderVariants sets it, `spec.maxDeletions`',
  ],
  [
    'of most variants',
    { existing: 7, leftovers: leftovers(4) },
    '4 of 7 packages are removed (r0/app, r1/app, r2/app, r3/app): no PackageVariant wants them any more',
  ],
])('removals %s have a message that names the packages', (_, removals, message) => {
  const options = { allowEmpty: false }
  const results = refuseRemovals({ variants: 1, existing: 10, hasOwn: true, leftovers: [], ...removals }, options)
  const severity = message.startsWith('`') ? 'error' : 'warning'
  expect(results.map((each) => [each.severity, each.message, each.tags.rule])).toEqual([[severity, message, 'deletion-guard']])
})

test('a limit of removals that was set is no default, and of more than 20 packages 20 are named', () => {
  const [result] = refuseRemovals(
    { variants: 1, existing: 30, hasOwn: true, leftovers: leftovers(22) },
    { allowEmpty: false, maxDeletions: { count: 3 } },
  )
  expect(result?.message).toMatch(/is 3 \(r0\/app, .*r19\/app and 2 more\);/)
})

test('the option of a functionConfig in a file is named there, that of a PackageVariant or without a file is not', () => {
  const places = (text: string, file?: { readonly path: string; readonly index: number; readonly line: number }) => {
    const config = KrmObject.fromDocument(text, file)
    const results = refuseRemovals({ variants: 0, existing: 1, hasOwn: true, leftovers: leftovers(1) }, { allowEmpty: false, config })
    return results.map(({ field, tags }) => `${tags.rule} ${field?.path.join('.')}`)
  }
  const file = { path: 'render.yaml', index: 0, line: 1 }
  expect(places('{kind: RenderVariants, metadata: {name: a}}', file)).toEqual(['deletion-guard spec.allowEmpty'])
  expect(places('{kind: ConfigMap, metadata: {name: a}}', file)).toEqual(['deletion-guard data.allowEmpty'])
  expect(places('{kind: PackageVariant, metadata: {name: a}}', file)).toEqual(['deletion-guard undefined'])
  expect(places('{kind: RenderVariants, metadata: {name: a}}')).toEqual(['deletion-guard undefined'])
})
