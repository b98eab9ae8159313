import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { LostWithPackages } from './lost-with-packages.ts'
import { losesPackage, PACKAGE_DANGERS } from './package-dangers.ts'
import { dangerPaths, deletionOf, judgedChange, judgedObject } from './testing/judged-changes.ts'

const provider = (reference: string, kind = 'Provider') => judgedObject(`pkg.crossplane.io/v1 ${kind}`, { spec: { package: reference } })
const install = (name: string, constraints: string, more = '') =>
  judgedObject('packaging.carvel.dev/v1alpha1 PackageInstall', {
    spec: parse(`{packageRef: {refName: "${name}", versionSelection: {constraints: "${constraints}"}}${more}}`),
  })
const glasskube = (name: string, version: string, repository = '', kind = 'ClusterPackage') =>
  judgedObject(`packages.glasskube.dev/v1alpha1 ${kind}`, {
    spec: { packageInfo: { name, version, ...(repository && { repositoryName: repository }) } },
  })
const app = (spec = '{}') => judgedObject('kappctrl.k14s.io/v1alpha1 App', { spec: parse(spec) })

/** The dangers of a change as `RULE PATH`. */
const found = (change: Parameters<typeof dangerPaths>[1]) =>
  PACKAGE_DANGERS.flatMap(({ id }) => dangerPaths(id, change).map((path) => `${id} ${path}`.trim()))

test.each<readonly [object: JsonRecord, dangers: readonly string[]]>([
  ...['Provider', 'Configuration', 'Function'].map((kind) => [provider('x/p:v1', kind), ['package-deleted']] as const),
  [judgedObject('pkg.crossplane.io/v1 ProviderRevision'), []],
  [install('a', '1.0.0'), ['package-deleted']],
  [install('a', '1.0.0', ', noopDelete: true'), []],
  [install('a', '1.0.0', ', noopDelete: false'), ['package-deleted']],
  [app(), ['package-deleted']],
  [app('{noopDelete: true}'), []],
  [glasskube('a', 'v1'), ['package-deleted']],
  [glasskube('a', 'v1', '', 'Package'), ['package-deleted']],
  [judgedObject('pkg.crossplane.io/v1 Provider', { spec: { package: 'x/p:v1', noopDelete: true } }), ['package-deleted']],
  [judgedObject('packaging.carvel.dev/v1alpha1 PackageRepository'), ['package-repository-deleted']],
  [judgedObject('packages.glasskube.dev/v1alpha1 PackageRepository'), ['package-repository-deleted']],
])('the deletion and the renaming of %j are %j', (object, dangers) => {
  expect(found(deletionOf(object))).toEqual(dangers)
  expect(found({ ...judgedChange(object, { ...object, metadata: { name: 'b' } }), op: 'rename' })).toEqual(dangers)
})

const IN_CARVEL = 'spec.packageRef.versionSelection.constraints'

test.each([
  [provider('x/p:v1.2.0'), provider('x/p:v1.1.9'), ['package-downgraded spec.package']],
  [provider('x/p:v1.1.9'), provider('x/p:v1.2.0'), []],
  [provider('x/p:v1.2.0'), provider('x/p:v1.2.0'), []],
  [provider('x/p:v1.2.0'), provider('x/p:v1.2.0-rc.1'), ['package-downgraded spec.package']],
  [provider('x/p:v1.2.0'), provider('x/p:latest'), []],
  [provider('x/p:latest'), provider('x/p:v1.0.0'), []],
  [provider('x/p:v2.0.0'), provider('y/p:v1.0.0'), ['package-replaced spec.package']],
  [provider('x/p:v1.0.0'), provider(''), []],
  [provider(''), provider('x/p:v1.0.0'), []],
  [provider('x/p:v2.0.0'), provider('y/p:v1.0.0', 'Function'), []],
  [install('a', '2.0.0'), install('a', '1.0.0'), [`package-downgraded ${IN_CARVEL}`]],
  [install('a', '1.0.0'), install('a', '2.0.0'), []],
  // A range says nothing about the version that is installed.
  [install('a', '2.0.0'), install('a', '>=1.0.0'), []],
  [install('a', '>=2.0.0'), install('a', '1.0.0'), []],
  [install('a', '2.0.0'), install('b', '1.0.0'), ['package-replaced spec.packageRef.refName']],
  [glasskube('a', 'v1.1.0+1'), glasskube('a', 'v1.0.0+1'), ['package-downgraded spec.packageInfo.version']],
  [glasskube('a', 'v1.0.0+1'), glasskube('a', 'v1.1.0+1'), []],
  [glasskube('a', 'v1.0.0'), glasskube('b', 'v1.0.0'), ['package-replaced spec.packageInfo.name']],
  // Without a repository, Glasskube decides: both may mean the same.
  [glasskube('a', 'v1.0.0', 'x'), glasskube('a', 'v1.0.0', 'y'), ['package-replaced spec.packageInfo.name']],
  [glasskube('a', 'v1.1.0', ''), glasskube('a', 'v1.0.0', 'y'), ['package-downgraded spec.packageInfo.version']],
  [glasskube('a', 'v1.1.0', 'x'), glasskube('a', 'v1.0.0', ''), ['package-downgraded spec.packageInfo.version']],
  [app(), app('{noopDelete: true}'), []],
])('from %j to %j is %j', (before, after, dangers) => {
  expect(found(judgedChange(before, after))).toEqual(dangers)
  expect(found({ ...judgedChange(before, after), op: 'create' })).toEqual([])
})

test('a change of an object that installs a package may lose the package; a new one does not', () => {
  const [old, other] = [provider('x/p:v1'), judgedObject('v1 ConfigMap')]
  expect(losesPackage(judgedChange(old, provider('x/p:v2')))).toBe(true)
  expect(losesPackage(deletionOf(old))).toBe(true)
  expect(losesPackage({ op: 'create', after: old, fields: [] })).toBe(false)
  expect(losesPackage({ ...deletionOf(old), op: 'create' })).toBe(false)
  expect([other, provider(''), app()].map((each) => losesPackage(deletionOf(each)))).toEqual([false, false, false])
})

test('an object that goes with its package is a danger of a deletion and of a replacement alone', () => {
  const rules = PACKAGE_DANGERS.filter(({ lost }) => lost !== undefined)
  expect(rules.map(({ id }) => id)).toEqual(['package-deleted', 'package-replaced'])
  const catalog = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
spec: {packages: [{ecosystem: crossplane, id: x/p, versions: [{version: v1, provides: [{apiVersion: v1, kind: A}]}]}]}`
  const lostWithPackages = new LostWithPackages([KrmObject.fromDocument(catalog, { path: 'c.yaml', index: 0, line: 1 })])
  const lost = { definitions: 1, objects: 2 }
  const change = {
    ...deletionOf(provider('x/p:v1')),
    stored: [],
    inCluster: () => ({ before: [judgedObject('v1 A'), judgedObject('v1 A')], after: [judgedObject('v1 A')] }),
  }
  expect(rules.map((rule) => rule.lost?.({ ...change, lostWithPackages }))).toEqual([lost, lost])
  expect(rules.map((rule) => rule.lost?.(change))).toEqual([undefined, undefined])
  expect(rules.map((rule) => rule.lost?.({ ...change, before: app(), lostWithPackages }))).toEqual([undefined, undefined])
})
