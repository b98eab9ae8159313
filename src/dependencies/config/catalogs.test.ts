import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { textOfField } from '../reading/field.ts'
import { inCluster, readList } from './catalogs.ts'

const READ = { closed: true, globalPackageNamespace: 'global', carvelSemver: '2024', crossplaneSemantics: 'current' } as const

function catalog(name: string, spec: object): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name }, spec }))
}

/** Returns the ids of the packages that are read, the number of faults, and if a package that is not seen is not there. */
function read(...items: readonly KrmObject[]) {
  const { input, faults } = readList(
    { items },
    { read: READ, apis: [], clusters: [], provided: [], catalog: undefined, severities: new Map(), strict: false },
  )
  const ids = input.listed.map((field) => JSON.stringify(field.value).replace(/.*"id":"(\w+)".*/, '$1') || textOfField(field))
  return { ids, faults: faults.length, closed: input.options.closed }
}

const known = (id: string, versions: unknown = ['1.0.0']) => ({ ecosystem: 'carvel', id, versions })

test('catalogs are read by name', () => {
  expect(read(catalog('b', { packages: [known('b')] }), catalog('a', { packages: [known('a')] }))).toEqual({
    ids: ['a', 'b'],
    faults: 0,
    closed: true,
  })
})

test('of a catalog with a faulty package the others are read, and no package is missing for certain', () => {
  expect(read(catalog('a', { packages: [known('a'), known('b', 5), known('c')] }))).toEqual({ ids: ['a', 'c'], faults: 1, closed: false })
})

test('of a catalog with a fault outside of its packages none is read', () => {
  const faulty = catalog('a', { packages: [known('a')], pakages: [] })
  expect(read(faulty, catalog('b', { packages: [known('b')] }))).toEqual({ ids: ['b'], faults: 1, closed: false })
  expect(read(catalog('a', { packages: 'text' }))).toEqual({ ids: [], faults: 1, closed: false })
})

test('a result of a cluster says so, and one of no cluster stays as it is', () => {
  const result = { severity: 'error', message: 'broken', tags: { rule: 'wrong-type' } } as const
  expect(inCluster({ cluster: undefined }, [result])).toEqual([result])
  const [finding] = inCluster({ cluster: 'ber' }, [result])
  expect(finding?.message).toContain('ber')
  expect(finding?.tags).toEqual({ rule: 'wrong-type', cluster: 'ber' })
})
