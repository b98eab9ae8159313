import { expect, test } from 'vitest'
import { kindsOfPackageManagers, versionsOfKind } from './package-kinds.ts'

test('the kinds of a group are sorted, whatever their versions', () => {
  expect(new Map(kindsOfPackageManagers()).get('pkg.crossplane.io')).toEqual([
    'Configuration',
    'ConfigurationRevision',
    'ControllerConfig',
    'DeploymentRuntimeConfig',
    'Function',
    'FunctionRevision',
    'ImageConfig',
    'Lock',
    'Package',
    'PackageLock',
    'PackageRevision',
    'Provider',
    'ProviderRevision',
  ])
})

test('a kind has its versions of today and of older releases; a kind that is gone, and one of another group, has none', () => {
  const group = 'pkg.crossplane.io'
  expect(versionsOfKind(`${group}/Function`)).toEqual({ served: [`${group}/v1`, `${group}/v1beta1`], older: [`${group}/v1alpha1`] })
  expect(versionsOfKind('kappctrl.k14s.io/App')).toEqual({ served: ['kappctrl.k14s.io/v1alpha1'], older: [] })
  expect([versionsOfKind(`${group}/PackageLock`), versionsOfKind('apps/Deployment')]).toEqual([undefined, undefined])
})
