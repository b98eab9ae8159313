import { expect, test } from 'vitest'
import { objectOf } from './crossplane/testing/objects.ts'
import { ECOSYSTEMS, INSTALLING, nameOfContent, PACKAGE_DEFINITIONS } from './ecosystems.ts'

test('three ecosystems install packages by objects, and Porch is read beside them', () => {
  expect(INSTALLING.map(({ id }) => id)).toEqual(['carvel', 'crossplane', 'glasskube'])
  expect(ECOSYSTEMS.map(({ id }) => id)).toEqual(['carvel', 'crossplane', 'glasskube', 'kpt'])
})

test('no two ecosystems read the objects of one group as their own', () => {
  const groups = ['packaging.carvel.dev', 'pkg.crossplane.io', 'packages.glasskube.dev', 'porch.kpt.dev']
  expect(groups.map((group) => ECOSYSTEMS.filter((each) => each.groups.test(group)).map(({ id }) => id))).toEqual([
    ['carvel'],
    ['crossplane'],
    ['glasskube'],
    ['kpt'],
  ])
})

test('kinds are defined by CustomResourceDefinitions and by the definitions of Crossplane', () => {
  expect(PACKAGE_DEFINITIONS).toEqual([
    { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
    { group: 'apiextensions.crossplane.io', kind: 'CompositeResourceDefinition' },
  ])
})

test.each([
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'CustomResourceDefinition x.y.io'],
  // Crossplane makes a CustomResourceDefinition of the same name.
  ['apiextensions.crossplane.io/v1', 'CompositeResourceDefinition', 'CustomResourceDefinition x.y.io'],
  ['apiextensions.crossplane.io/v1', 'Composition', 'Composition x.y.io'],
  ['example.org/v1', 'CustomResourceDefinition', undefined],
  ['v1', 'ConfigMap', undefined],
])('of %s %s only one package may bring %s', (apiVersion, kind, name) => {
  expect(nameOfContent(objectOf({ apiVersion, kind, metadata: { name: 'x.y.io' } }))).toBe(name)
})
