import { expect, test } from 'vitest'
import { objectOf } from './crossplane/testing/objects.ts'
import { PORCH } from './porch/porch.ts'
import { type ReadInput, readObjects } from './read-objects.ts'
import type { Ecosystem } from './reading/ecosystem.ts'
import { fieldAt, itemFields } from './reading/field.ts'

const objectIn = (apiVersion: string | undefined, name: string, kind = 'A') => objectOf({ apiVersion, kind, metadata: { name } })

/** Returns the input of some objects, and of a catalog with some packages. */
function inputOf(objects: ReadInput['objects'], packages: readonly object[] = [], apis: ReadInput['apis'] = []): ReadInput {
  const listed = itemFields(fieldAt(objectOf({ packages }), ['packages']))
  return {
    objects,
    listed,
    apis,
    options: { closed: true, globalPackageNamespace: 'g', carvelSemver: '2024', crossplaneSemantics: 'current' },
  }
}

/** Returns an ecosystem that notes what it is given: names of objects, ids of catalog packages, and whether the universe is closed. */
function ecosystemOf(id: string, groups: RegExp, more: Partial<Ecosystem> = {}) {
  const given: unknown[] = []
  const ecosystem: Ecosystem = {
    id,
    groups,
    read(objects, catalog, options) {
      given.push(
        objects.map(({ name }) => name),
        catalog.map((each) => each.id),
        options.closed,
      )
      return { findings: () => [], faults: () => [], provided: [], brought: [] }
    },
    ...more,
  }
  return { ecosystem, given }
}

test('each ecosystem gets the objects of its groups and of those beside, group by group, and its own packages of the catalog', () => {
  const one = ecosystemOf('one', /^(one|shared)\.io$/)
  const two = ecosystemOf('two', /^shared\.io$/, { groupsBeside: new Set(['', 'beside.io']) })
  const objects = [
    objectIn('one.io/v1', 'a'),
    objectIn('v1', 'core'),
    objectIn('shared.io/v1', 'b'),
    objectIn('one.io/v2', 'c'),
    objectIn('beside.io/v1', 'd'),
    objectIn('other.io/v1', 'e'),
    objectIn(undefined, 'none'),
  ]
  const packages = ['one', 'two', 'three'].map((ecosystem) => ({ ecosystem, id: `p-${ecosystem}`, versions: [] }))
  const { all, indexes } = readObjects(inputOf(objects, packages), [one.ecosystem, two.ecosystem])
  expect(one.given).toEqual([['a', 'c', 'b'], ['p-one'], true])
  expect(two.given).toEqual([['core', 'none', 'b', 'd'], ['p-two'], true])
  expect([all.map(({ ecosystem }) => ecosystem), indexes]).toEqual([['one', 'two'], []])
})

test('the kinds that are served are those of the options, of definitions, and of what ecosystems provide', () => {
  const place = () => ({ ref: { apiVersion: '', kind: '', name: '' }, path: [], isOwnReading: false })
  const provided = [{ apiVersion: 'p.io/v1', kind: 'P', installed: true, by: 'p', place, packageFor: () => undefined, version: '1' }]
  const { ecosystem } = ecosystemOf('one', /^one\.io$/, {
    read: () => ({ findings: () => [], faults: () => [], provided, brought: [] }),
  })
  const definition = objectOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ds.d.io' },
    spec: { group: 'd.io', names: { kind: 'D' }, versions: [{ name: 'v1' }] },
  })
  const { kinds } = readObjects(inputOf([definition], [], [{ apiVersion: 'o.io/v1', kind: 'O' }]), [ecosystem])
  const serves = (apiVersion: string, kind: string) => kinds.serves({ apiVersion, kind })
  expect([serves('o.io/v1', 'O'), serves('d.io/v1', 'D'), serves('p.io/v1', 'P'), serves('x.io/v1', 'X')]).toEqual([
    true,
    true,
    true,
    false,
  ])
})

test('a fault of the catalog is a finding of the whole', () => {
  const entry = (scope: string) => ({ ecosystem: 'carvel', id: 'p', versions: [{ version: '1', scope }] })
  expect(readObjects(inputOf([], [entry('a'), entry('b')])).findings.map(({ rule }) => rule)).toEqual(['package-conflicting'])
  expect(readObjects(inputOf([], [entry('a'), entry('a')])).findings).toEqual([])
})

test('the ecosystems that install packages are read, each with an index, and Porch where it is asked for', () => {
  const read = readObjects(inputOf([]))
  expect([read.all.map(({ ecosystem }) => ecosystem), read.indexes.map(({ ecosystem }) => ecosystem)]).toEqual(
    Array(2).fill(['carvel', 'crossplane', 'glasskube']),
  )
  expect(readObjects(inputOf([]), [PORCH]).all.map(({ ecosystem }) => ecosystem)).toEqual(['kpt'])
})
