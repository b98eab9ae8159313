import { expect, test } from 'vitest'
import { planOn } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import type { PackageIndex } from '../package-index.ts'
import { keptByPrune, pruneGuard } from './pruning.ts'
import { install, packageOfCarvel } from './testing/carvel-plans.ts'

const GENERATED = {
  apiVersion: 'packaging.carvel.dev/v1alpha1',
  kind: 'PackageInstall',
  metadata: { name: 'b', namespace: 'default', annotations: { 'krm-variants.dev/resolved': '1.0.0' } },
  spec: { serviceAccountName: 'sa', packageRef: { refName: 'b.example.com', versionSelection: { constraints: '1.0.0' } } },
}
const PACKAGE = {
  apiVersion: 'data.packaging.carvel.dev/v1alpha1',
  kind: 'Package',
  metadata: { name: 'b.example.com.1.0.0', namespace: 'default' },
  spec: { refName: 'b.example.com', version: '1.0.0' },
}

/** Returns the reason of the guard for a generated install, changed by `change`, beside other installs. */
function reasonFor(change: object, others: readonly object[] = []): string | undefined {
  const index = planOn([PACKAGE, GENERATED]).readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  const [found] = index?.installs ?? []
  if (index === undefined || found === undefined) throw new Error('no install')
  const plain = { ...found, generated: true, metadataKnown: true, isOwnerKnown: true, keptBecause: undefined }
  const install = { ...plain, ...change }
  return pruneGuard({ ...index, installs: [install, ...others.map((other) => ({ ...plain, ...other }))], dependents: [] })(install)
}

test('a generated package is kept if its owner is not here, and may go if the owner is', () => {
  expect(reasonFor({ owner: 'a' })).toBeUndefined()
  expect(reasonFor({ owner: 'a', isOwnerKnown: false })).toMatch(/^PackageInstall a, for which it was installed, is not here/)
  expect(reasonFor({ owner: undefined, isOwnerKnown: false })).toBe('nothing says for which PackageInstall it was installed')
})

test('a generated package is kept for its own reason, and if a package of its scope may require it', () => {
  const scoped = (scope: string) => ({ package: { id: 'c', name: 'c', scope }, metadataKnown: false })
  expect(reasonFor({ keptBecause: 'a person edited it' })).toBe('a person edited it')
  expect(reasonFor({}, [scoped('default')])).toMatch(/may require it: the requirements of c are not known$/)
  expect(reasonFor({}, [scoped('eu')])).toBeUndefined()
})

test('where no owner is recorded, a package that a person installed shows that the folder is whole', () => {
  expect(reasonFor({ isOwnerKnown: undefined })).toContain('no package here was installed by a person')
  expect(reasonFor({ isOwnerKnown: undefined }, [{ generated: false }])).toBeUndefined()
})

test('a generated package may go where a package that is being written shows that no package requires it', () => {
  const index = planOn([PACKAGE, GENERATED]).readings.all.find(({ ecosystem }) => ecosystem === 'carvel')?.index
  const [found] = index?.installs ?? []
  if (index === undefined || found === undefined) throw new Error('no install')
  // As in an ecosystem whose objects name no owner.
  const install = { ...found, generated: true, metadataKnown: true, isOwnerKnown: undefined, keptBecause: undefined }
  const written = { id: 'a', name: 'a', place: install.place, requirements: [] }
  expect(pruneGuard({ ...index, installs: [install], dependents: [written] })(install)).toBeUndefined()
  expect(pruneGuard({ ...index, installs: [install], dependents: [] })(install)).toContain('no package here was installed by a person')
})

/** Returns the messages on the installs that `prune` keeps, each with its place and tags, of indexes that are changed. */
function kept(objects: readonly object[], change: (index: PackageIndex) => PackageIndex = (index) => index) {
  const { indexes, kinds } = planOn(objects).readings
  return keptByPrune(indexes.map(change), kinds).map(({ rule, message, place, tags }) => [rule, message, place.ref.name, tags])
}

test("a generated install that nothing requires and that may not go is said, and one that may go, is required or is a person's is not", () => {
  const base = packageOfCarvel('b', '1.0.0')
  const made = install('b', '1.0.0', 'gone')
  const withoutOwner = [
    'prune-unsafe',
    expect.stringMatching(
      /^`prune` keeps PackageInstall default\/b-made, which nothing here requires: PackageInstall gone, for which it was/,
    ),
    'b-made',
    { ecosystem: 'carvel', package: 'b.example.com', installed: '1.0.0' },
  ]
  expect(kept([base, made])).toEqual([withoutOwner])
  expect(
    kept([base, made], (index) => ({
      ...index,
      installs: index.installs.map((each) => ({ ...each, isOwnerKnown: true, keptBecause: undefined })),
    })),
  ).toEqual([])
  expect(kept([base, install('b', '1.0.0')])).toEqual([])
  expect(kept([base, made, packageOfCarvel('a', '1.0.0', 'b >=1.0.0'), install('a', '1.0.0')])).toEqual([])
  expect(kept([base, made, packageOfCarvel('a', '1.0.0', 'b >=2.0.0'), install('a', '1.0.0')])).toEqual([withoutOwner])
})
