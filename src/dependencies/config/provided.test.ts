import { expect, test } from 'vitest'
import { type ProvidedEntry, providedFaults, providedIn, unknownProvidedClusters } from './provided.ts'

const PACKAGE = { package: 'shop' }
const KIND = { apiVersion: 'a.io/v1', kind: 'A' }

test.each<[string, ProvidedEntry, string | undefined, boolean]>([
  ['of every cluster', PACKAGE, 'ber', true],
  ['of every cluster, in a part without a name', PACKAGE, undefined, true],
  ['of the cluster', { ...PACKAGE, clusters: ['ams', 'ber'] }, 'ber', true],
  ['of another cluster', { ...PACKAGE, clusters: ['ams'] }, 'ber', false],
  ['of a cluster, in a part without a name', { ...PACKAGE, clusters: ['ams'] }, undefined, false],
  ['of the ecosystem', { ...PACKAGE, ecosystem: 'carvel' }, 'ber', true],
  ['of another ecosystem', { ...PACKAGE, ecosystem: 'glasskube' }, 'ber', false],
  ['of another name', { package: 'till' }, 'ber', false],
])('a package %s is provided', (_what, entry, cluster, expected) => {
  expect(providedIn(cluster, [entry]).hasPackage('carvel', 'shop')).toBe(expected)
})

test('the kinds of a cluster are those that its entries name whole', () => {
  const kinds = (...entries: readonly ProvidedEntry[]) => providedIn('ber', entries).apis
  expect(kinds(KIND, PACKAGE, { kind: 'B' }, { apiVersion: 'a.io/v1' }, { ...KIND, clusters: ['ams'] })).toEqual([KIND])
})

test.each<[ProvidedEntry, string | undefined]>([
  [PACKAGE, undefined],
  [{ ...PACKAGE, ecosystem: 'carvel' }, undefined],
  [{ ...PACKAGE, clusters: ['a'] }, undefined],
  [KIND, undefined],
  [{ ...KIND, clusters: ['a'] }, undefined],
  [{}, 'got neither'],
  [{ kind: 'A' }, "got 'kind'"],
  [{ apiVersion: 'v1' }, "got 'apiVersion'"],
  [{ ...KIND, ...PACKAGE }, "got 'apiVersion', 'kind', 'package'"],
  [{ ...PACKAGE, kind: 'A' }, "got 'package', 'kind'"],
  [{ ...KIND, ecosystem: 'carvel' }, "got 'apiVersion', 'kind', 'ecosystem'"],
  [{ ecosystem: 'carvel' }, "got 'ecosystem'"],
])('the entry %j has the fault: %s', (entry, message) => {
  const faults = providedFaults([PACKAGE, entry])
  expect(faults.map((fault) => [fault.path, fault.message])).toEqual(
    message === undefined ? [] : [[['spec', 'provided', 1], expect.stringContaining(message)]],
  )
})

test('a cluster that is none is named with the nearest one, else with all', () => {
  const words = (known: readonly string[], ...clusters: readonly string[]) =>
    unknownProvidedClusters([PACKAGE, { ...PACKAGE, clusters }], known)
  expect(words(['berlin', 'ams'], 'berlin')).toEqual([])
  expect(words(['berlin', 'ams'], 'ams', 'berlim')).toEqual([
    "`spec.provided[1].clusters[1]` must be the name of a cluster, got 'berlim'; did you mean 'berlin'?",
  ])
  expect(words(['berlin', 'ams'], 'tokyo')).toEqual([
    "`spec.provided[1].clusters[0]` must be the name of a cluster, got 'tokyo'; the clusters are 'berlin', 'ams'",
  ])
  expect(words([], 'tokyo')).toEqual(["`spec.provided[1].clusters[0]` must be the name of a cluster, got 'tokyo'; nothing names a cluster"])
})
