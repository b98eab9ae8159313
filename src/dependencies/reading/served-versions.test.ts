import { expect, test } from 'vitest'
import { readInput } from '../../../testdata/conformance-runner/dependencies/plans.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { checkObjects } from '../check-objects.ts'
import { doubtsAbout } from '../resolve-objects.ts'

const objectOf = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'a', namespace: 'b' } })
const versionFaults = (apiVersion: string, kind: string) =>
  checkObjects(readInput([objectOf(apiVersion, kind)]), { downgrades: false })
    .filter(({ place }) => place.path.join() === 'apiVersion')
    .map(({ message, severity = 'error' }) => `${severity}: ${message}`)

test.each([
  ['packaging.carvel.dev/v1', 'PackageInstall'],
  ['packaging.carvel.dev/v1', 'PackageRepository'],
  ['data.packaging.carvel.dev/v1', 'Package'],
  ['data.packaging.carvel.dev/v1', 'PackageMetadata'],
  ['kappctrl.k14s.io/v1', 'App'],
  ['packages.glasskube.dev/v1', 'ClusterPackage'],
  ['packages.glasskube.dev/v1', 'PackageInfo'],
  ['pkg.crossplane.io/v2', 'Provider'],
  ['pkg.crossplane.io/v2', 'FunctionRevision'],
  ['pkg.crossplane.io/v1', 'Lock'],
  ['pkg.crossplane.io/v1alpha1', 'ImageConfig'],
  ['meta.pkg.crossplane.io/v2', 'Configuration'],
])('a version that no server takes is an error, before which nothing is resolved: %s %s', (apiVersion, kind) => {
  const object = objectOf(apiVersion, kind)
  expect(versionFaults(apiVersion, kind)).toEqual([expect.stringMatching(/^error: `apiVersion` must be /)])
  expect(doubtsAbout(readInput([object])).map(({ place }) => place.path)).toContainEqual(['apiVersion'])
})

test.each([
  ['pkg.crossplane.io/v1alpha1', 'Function', "one of 'pkg.crossplane.io/v1', 'pkg.crossplane.io/v1beta1'"],
  ['pkg.crossplane.io/v1beta1', 'Provider', "'pkg.crossplane.io/v1'"],
  ['pkg.crossplane.io/v1alpha1', 'Lock', "'pkg.crossplane.io/v1beta1'"],
])('a version of older releases alone is a warning: %s %s', (apiVersion, kind, served) => {
  const words = `must be ${served}, got '${apiVersion}'`
  expect(versionFaults(apiVersion, kind)).toEqual([`warning: \`apiVersion\` ${words}, which only older releases serve`])
})

test.each([
  ['pkg.crossplane.io/v1beta1', 'Function'],
  ['meta.pkg.crossplane.io/v1alpha1', 'Provider'],
  ['packages.glasskube.dev/v1alpha1', 'PackageInfo'],
  ['pkg.crossplane.io/v7', 'KindOfTomorrow'],
])('a served version is no fault, nor is a kind that is not known: %s %s', (apiVersion, kind) => {
  expect(versionFaults(apiVersion, kind)).toEqual([])
})

test('of a repeated apiVersion the last one counts: a lost `---` makes one object of two', () => {
  const item = '- apiVersion: packages.glasskube.dev/v1alpha1\n  kind: ClusterPackage\n  apiVersion: v1\n  metadata: {name: a}\n'
  const { items } = ResourceList.parse(`apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${item}`)
  const found = checkObjects({ ...readInput([]), objects: items }, { downgrades: false }).map(({ message }) => message)
  expect(found).toContain("`apiVersion` must be 'packages.glasskube.dev/v1alpha1', got 'v1'")
})
