import { expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../result.ts'
import { textOfField } from '../reading/field.ts'
import {
  type AskedClusters,
  catalogFaults,
  faultsOf,
  inCluster,
  installedParts,
  type PartInput,
  providedElsewhere,
  readList,
  readParts,
  withFormer,
} from './catalogs.ts'
import type { SharedOptions } from './options.ts'

const READ = { closed: true, globalPackageNamespace: 'global', carvelSemver: '2024', crossplaneSemantics: 'current' } as const

const OPTIONS: SharedOptions = {
  read: READ,
  apis: [],
  clusters: [],
  provided: [],
  catalog: undefined,
  severities: new Map(),
  strict: false,
}

function catalog(name: string, spec: object): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name }, spec }))
}

/** Returns the ids of the packages that are read, the number of faults, and if a package that is not seen is not there. */
function read(...items: readonly KrmObject[]) {
  const { input, faults } = readList({ items }, OPTIONS)
  const ids = input.listed.map((field) => JSON.stringify(field.value).replace(/.*"id":"(\w+)".*/, '$1') || textOfField(field))
  return { ids, faults: faults.length, closed: input.options.closed }
}

const known = (id: string, versions: JsonValue = ['1.0.0']) => ({ ecosystem: 'carvel', id, versions })

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

function fileOf(path: string, fields: object = { apiVersion: 'v1', kind: 'ConfigMap' }): KrmObject {
  return KrmObject.fromDocument(JSON.stringify({ metadata: { name: path.replace(/\W/g, '-') }, ...fields }), { path, index: 0, line: 1 })
}

const repository = (name: string) =>
  fileOf('fleet/repositories.yaml', {
    apiVersion: 'config.porch.kpt.dev/v1alpha1',
    kind: 'Repository',
    metadata: { name },
    spec: { deployment: true },
  })

/** Returns the faults with which an action ends. */
function thrown(action: () => unknown): readonly Result[] {
  try {
    action()
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Returns the cluster of each part, and the files of the objects that its readers get. */
const shown = (parts: readonly Pick<PartInput, 'cluster' | 'input'>[]) =>
  parts.map(({ cluster = '-', input }) => `${cluster}: ${input.objects.map(({ file }) => file?.path).join(' ')}`)

const BY_FOLDER: SharedOptions = { ...OPTIONS, clusters: ['clusters/NAME/**'] }
const [BER, HAM, BASE] = [fileOf('clusters/ber/q.yaml'), fileOf('clusters/ham/q.yaml'), fileOf('base/q.yaml')]
const FLEET: AskedClusters = { folder: 'fleet', out: 'fleet/out' }
const IN_FLEET = [repository('ber'), repository('ham'), fileOf('fleet/out/ber/q.yaml')]

test('the objects of a part are those of its cluster, or of the chosen cluster alone', () => {
  const items = [HAM, BER, BASE]
  expect(shown(readParts({ items }, BY_FOLDER))).toEqual(['ber: clusters/ber/q.yaml', 'ham: clusters/ham/q.yaml', '-: base/q.yaml'])
  expect(shown(readParts({ items }, BY_FOLDER, { cluster: 'ham' }))).toEqual(['ham: clusters/ham/q.yaml'])
  expect(shown(readParts({ items }, OPTIONS))).toEqual(['-: clusters/ham/q.yaml clusters/ber/q.yaml base/q.yaml'])
})

test('each part has what is provided in its cluster', () => {
  const provided = [
    { apiVersion: 'a.io/v1', kind: 'A', clusters: ['ham'] },
    { apiVersion: 'b.io/v1', kind: 'B' },
  ]
  const parts = readParts({ items: [BER, HAM] }, { ...BY_FOLDER, provided })
  expect(parts.map(({ cluster, input }) => [cluster, input.apis.map(({ kind }) => kind)])).toEqual([
    ['ber', ['B']],
    ['ham', ['A', 'B']],
    [undefined, ['B']],
  ])
  const [empty] = readParts({ items: IN_FLEET }, { ...OPTIONS, provided }, { ...FLEET, cluster: 'ham' })
  expect(empty?.input.apis.map(({ kind }) => kind)).toEqual(['A', 'B'])
})

test('a cluster of a fleet without a package is an installed part without objects', () => {
  const parts = readParts({ items: IN_FLEET }, OPTIONS, { ...FLEET, cluster: 'ham' })
  expect(parts.map(({ cluster, folder, isInstalled, items }) => [cluster, folder, isInstalled, items])).toEqual([['ham', '', true, []]])
  expect(shown(parts)).toEqual(['ham: '])
})

test.each<[string, readonly KrmObject[], SharedOptions, AskedClusters, string]>([
  [
    'no file matches the patterns',
    [BASE],
    BY_FOLDER,
    {},
    "`clusters` must match the path of a file below the folder of the fleet, 'clusters/NAME/**' matches none",
  ],
  [
    'the cluster is misspelt',
    [BER, HAM],
    BY_FOLDER,
    { cluster: 'hamm' },
    "`--cluster` must be the name of a cluster, got 'hamm'; did you mean 'ham'?",
  ],
  [
    'the cluster is none of the known ones',
    [BER, HAM],
    BY_FOLDER,
    { cluster: 'osaka' },
    "`--cluster` must be the name of a cluster, got 'osaka'; the clusters are 'ber', 'ham'",
  ],
  [
    'nothing names a cluster',
    [BASE],
    OPTIONS,
    { cluster: 'ham' },
    "`--cluster` must be the name of a cluster, got 'ham'; there are no clusters: no Repository and no pattern of `clusters` names one",
  ],
  [
    'a Repository has the name, and patterns name the clusters',
    [repository('ham'), BER],
    BY_FOLDER,
    { cluster: 'ham' },
    "`--cluster` must be the name of a cluster, got 'ham'; the clusters are 'ber'",
  ],
])('parts are refused where %s', (_case, items, options, asked, message) => {
  expect(thrown(() => readParts({ items }, options, asked))).toEqual([{ severity: 'error', message, tags: { rule: 'unknown-cluster' } }])
})

test('installed parts leave out what is installed nowhere, with the faults of its Catalogs', () => {
  expect(shown(installedParts({ items: [BER, BASE] }, BY_FOLDER))).toEqual(['ber: clusters/ber/q.yaml'])
  expect(shown(installedParts({ items: [BER, HAM] }, BY_FOLDER, { cluster: 'ham' }))).toEqual(['ham: clusters/ham/q.yaml'])
})

test('a faulty Catalog beside the clusters has its faults once, in whatever number of parts', () => {
  const faulty = [catalog('a', { packages: [known('a', 5)] }), catalog('b', { packages: [known('b', 5)] })]
  const parts = readParts({ items: [BER, HAM, ...faulty] }, BY_FOLDER)
  expect(parts.map(({ cluster, faults }) => [cluster, faults.length])).toEqual([
    ['ber', 2],
    ['ham', 2],
    [undefined, 2],
  ])
  const names = (faults: readonly Result[]) => faults.map(({ resourceRef, field }) => [resourceRef?.name, field?.path.join('.')])
  const each = ['a', 'b'].map((name) => [name, 'spec.packages.0.versions'])
  expect(names(faultsOf(parts))).toEqual(each)
  expect(names(thrown(() => installedParts({ items: [BER, HAM, ...faulty] }, BY_FOLDER)))).toEqual(each)
  expect(faultsOf([])).toEqual([])
})

/** Returns the installed parts of a list with the files of each now and before. */
function changes(
  items: readonly KrmObject[],
  former: readonly KrmObject[],
  options: SharedOptions,
  asked: AskedClusters = {},
): readonly string[] {
  const both = withFormer(readParts({ items }, options, asked), ResourceList.of(former), options, asked)
  return both.flatMap(({ part, before }) => shown([part, { cluster: 'before', input: before }]))
}

test('each installed part is compared with the same cluster of the former state', () => {
  const [ber, ham] = [fileOf('clusters/ber/old.yaml'), fileOf('clusters/ham/old.yaml')]
  const now = ['ber: clusters/ber/q.yaml', 'before: clusters/ber/old.yaml', 'ham: clusters/ham/q.yaml', 'before: clusters/ham/old.yaml']
  expect(changes([BER, HAM, BASE], [ham, ber, BASE], BY_FOLDER)).toEqual(now)
  expect(changes([BER, HAM], [ber, ham], BY_FOLDER, { cluster: 'ham' })).toEqual(now.slice(2))
  expect(changes([BER], [HAM], OPTIONS)).toEqual(['-: clusters/ber/q.yaml', 'before: clusters/ham/q.yaml'])
})

test.each<[string, readonly KrmObject[]]>([
  ['had no files of the cluster', [BER]],
  ['had no file of any cluster', [BASE]],
  ['was empty', []],
])('a chosen cluster that is new had no objects where the former state %s', (_case, former) => {
  expect(changes([BER, HAM], former, BY_FOLDER, { cluster: 'ham' })).toEqual(['ham: clusters/ham/q.yaml', 'before: '])
})

test('a cluster that is new in a fleet had no objects, and what is beside the clusters is compared too', () => {
  expect(changes([repository('ber'), fileOf('fleet/out/ber/q.yaml')], [repository('ham')], OPTIONS, FLEET)).toEqual([
    'ber: fleet/out/ber/q.yaml',
    'before: ',
    '-: fleet/repositories.yaml',
    'before: fleet/repositories.yaml',
  ])
})

test('a cluster of `provided` must be a part of the list or a Repository, unless one cluster alone is read', () => {
  const provided = [{ package: 'shop', clusters: ['ber', 'ham', 'osaka'] }]
  const found = (items: readonly KrmObject[], options: SharedOptions, asked: AskedClusters = {}) =>
    providedElsewhere({ provided }, { items }, readParts({ items }, options, asked), asked)
  const unknown = (place: number, name: string, known: string) => ({
    severity: 'error',
    message: `\`spec.provided[0].clusters[${place}]\` must be the name of a cluster, got '${name}'; the clusters are ${known}`,
    tags: { rule: 'unknown-cluster' },
  })
  expect(found([BER], BY_FOLDER)).toEqual([unknown(1, 'ham', "'ber'"), unknown(2, 'osaka', "'ber'")])
  expect(found(IN_FLEET, OPTIONS, FLEET)).toEqual([unknown(2, 'osaka', "'ber', 'ham'")])
  expect(found([BER], BY_FOLDER, { cluster: 'ber' })).toEqual([])
})

test.each<[string, object, readonly [string, string | undefined][]]>([
  ['no fault', { packages: [known('a')] }, []],
  ['a field of a wrong name', { packages: [], pakages: [] }, [['unknown-field', 'spec.pakages']]],
  ['a field of a wrong type', { packages: [known('a', 5)] }, [['wrong-type', 'spec.packages.0.versions']]],
])('a Catalog with %s has exactly that', (_case, spec, faults) => {
  expect(catalogFaults(catalog('a', spec)).map(({ tags, field }) => [tags?.rule, field?.path.join('.')])).toEqual(faults)
})

test('a Catalog whose text has changed is examined again', () => {
  const object = catalog('a', { packages: [known('a')] })
  expect(catalogFaults(object)).toEqual([])
  object.set(['spec', 'packages', 0, 'versions'], 5)
  expect(catalogFaults(object)).toHaveLength(1)
  object.set(['spec', 'packages', 0], known('b'))
  expect(read(object)).toEqual({ ids: ['b'], faults: 0, closed: true })
})
