import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { list, repository, resourceListOf, setOf, variant, type Written } from './testing/fleet-of-objects.ts'
import { type FleetChange, unseenDeclarations } from './unseen-declarations.ts'

const SET = setOf([{ repositorySelector: { matchLabels: { env: 'prod' } } }])
const BER = repository('ber', { env: 'prod' })

function inNamespace({ metadata, ...object }: JsonRecord, namespace: string): JsonRecord {
  return { ...object, metadata: { ...asRecord(metadata), namespace } }
}

/** Returns an object in the package of a variant, and the Kptfile of the package. */
function inPackage(object: JsonRecord): readonly Written[] {
  const annotations = { 'krm-variants.dev/package-variant': 'default/fleet-ams-app' }
  const kptfile = { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'app', annotations } }
  return [
    ['packages/ams/app/Kptfile', kptfile],
    ['packages/ams/app/moved.yaml', object],
  ]
}

/** Returns the messages about the removal of the package `ber/app`. */
function refusals(objects: readonly Written[], kept: readonly string[] = [], options = DEFAULT_OPTIONS): readonly string[] {
  const change = { what: 'packages', removed: new Map([['ber/app', 'clusters/ber/app']]), kept, options } as const
  return unseenDeclarations(resourceListOf(objects), change).map(({ severity, message }) =>
    severity === 'error' ? message : `${severity}: ${message}`,
  )
}

test('a target that is in no file is gone', () => {
  expect(refusals([SET, repository('ams', { env: 'prod' })])).toEqual([])
})

test('a target in another namespace than its set is not gone', () => {
  expect(refusals([SET, inNamespace(BER, 'defalt')])).toEqual([
    "`metadata.namespace` must be 'default', where a set of this namespace selects the Repository for the packages that would be removed (ber/app), got 'defalt': correct it, or take the Repository out of the folder for one run if they must go",
  ])
  expect(refusals([inNamespace(SET, 'fleet'), BER])).toEqual([expect.stringContaining("must be 'fleet'")])
})

test('a target that its set would not select in its namespace either wants nothing', () => {
  expect(refusals([SET, inNamespace(repository('ber', { env: 'test' }), 'defalt')])).toEqual([])
})

test('a twin in a namespace with a set and a package of its own is no reason to keep a package', () => {
  const objects = [SET, inNamespace({ ...SET, spec: { ...asRecord(SET.spec), upstream: DB } }, 'team'), inNamespace(BER, 'team')]
  expect(refusals(objects, ['clusters/ber/db'])).toEqual([])
  expect(refusals(objects)).toEqual([expect.stringContaining("got 'team'")])
})

test('a target that a set of its new namespace selects was moved on purpose where `maxDeletions` says that removals are meant', () => {
  const selected =
    "must be 'default', where a set of this namespace selects the Repository for the packages that would be removed (ber/app), got"
  const moved = [SET, inNamespace({ ...SET, spec: { ...asRecord(SET.spec), upstream: DB } }, 'team'), inNamespace(BER, 'team')]
  const meant = { ...DEFAULT_OPTIONS, maxDeletions: { count: 1 } }
  expect(refusals(moved)).toEqual([
    `\`metadata.namespace\` ${selected} 'team': correct it, or set \`spec.maxDeletions: 1\` in the RenderVariants if they must go`,
  ])
  expect(refusals(moved, [], meant)).toEqual([`warning: \`metadata.namespace\` ${selected} 'team'; \`maxDeletions\` allows it`])
  expect(refusals([SET, inNamespace(BER, 'defalt')], [], meant)).toEqual([expect.stringContaining('out of the folder for one run')])
  expect(refusals([SET, ...inPackage(BER)], [], meant)).toEqual([expect.stringContaining('must not be in a rendered package')])
})

const DB = { repo: 'catalog', package: 'db', revision: 1 }

test('a target that was moved into a rendered package is not gone', () => {
  const [message] = refusals([SET, ...inPackage(BER)])
  expect(message).toContain("Repository 'ber' must not be in a rendered package, where no command looks for a Repository")
  expect(refusals([SET, ...inPackage(inNamespace(BER, 'changed'))])).toHaveLength(1)
})

test('a set or a variant that was moved into a rendered package is not gone', () => {
  expect(refusals([setOf([]), BER, ...inPackage({ ...SET, metadata: { name: 'moved' } })])).toHaveLength(1)
  expect(refusals([setOf([]), ...inPackage({ ...setOf([list('ber')]), metadata: { name: 'moved' } })])).toHaveLength(1)
  expect(refusals([setOf([]), ...inPackage(variant('ber-app', 'ber'))])).toHaveLength(1)
})

test('an object in a file that got another ending is not gone, and each file is named once', () => {
  const asideAs = (path: string, objects: readonly JsonRecord[], fleet: readonly Written[] = [SET]) => {
    const { items, functionConfig } = resourceListOf(fleet)
    const setAside = () => resourceListOf(objects.map((object): Written => [path, object])).items
    const change = { what: 'packages', removed: new Map([['ber/app', 'clusters/ber/app']]), kept: [], options: DEFAULT_OPTIONS } as const
    return unseenDeclarations({ items, functionConfig, setAside }, change).map(({ severity, message, file, tags }) => {
      return `${file?.path} ${severity} ${tags.rule} ${message}`
    })
  }
  const message = (kind: string, name: string) =>
    `fleet/ber.yaml.bak error deletion-guard must have the ending .yaml, .yml or .json for its objects to be read, got 'ber.yaml.bak': ${kind} '${name}' wants the packages that would be removed (ber/app); rename the file, or delete the file or name it in .krmignore if they must go`
  expect(asideAs('fleet/ber.yaml.bak', [BER, BER])).toEqual([message('Repository', 'ber')])
  expect(asideAs('fleet/ber.yaml.bak', [inNamespace(BER, 'fleet')])).toEqual([message('Repository', 'ber')])
  expect(asideAs('fleet/ber.yaml.bak', [{ ...SET, metadata: { name: 'moved' } }], [setOf([]), BER])).toEqual([
    message('PackageVariantSet', 'moved'),
  ])
  expect(asideAs('fleet/ber.yaml.bak', [variant('ber-app', 'ber')])).toEqual([message('PackageVariant', 'ber-app')])
  expect(asideAs('fleet/ber.yaml.bak', [repository('ber', { env: 'test' })])).toEqual([])
  expect(asideAs('fleet/ber.yaml.bak', [repository('ams', { env: 'prod' })])).toEqual([])
})

test('a Repository that a package has of its upstream is no target', () => {
  const annotations = { 'internal.kpt.dev/upstream-identifier': 'config.porch.kpt.dev|Repository|default|ber' }
  const own = { ...BER, metadata: { name: 'ber', labels: { env: 'prod' }, annotations } }
  expect(refusals([SET, ...inPackage(own)])).toEqual([])
})

/** Returns the severity, the field and the file of each finding about packages that are removed. */
function found(objects: readonly Written[], change: Partial<FleetChange> = {}) {
  const asked = {
    what: 'packages',
    removed: new Map([['ber/app', 'clusters/ber/app']]),
    kept: [],
    options: DEFAULT_OPTIONS,
    ...change,
  } as const
  return unseenDeclarations(resourceListOf(objects), asked)
}

test('where nothing is removed, nothing is an error', () => {
  expect(found([SET, inNamespace(BER, 'defalt')], { removed: new Map() })).toEqual([])
  expect(found([SET, inNamespace(BER, 'defalt')], { removed: new Map([['x', 'clusters/other/app']]) })).toEqual([])
})

test('a package is one that is wanted only if its whole path ends so', () => {
  const refused = (place: string) => found([SET, inNamespace(BER, 'defalt')], { removed: new Map([['x', place]]) }).length
  expect(['ber/app', 'a/ber/app', 'cyber/app', 'ber/app/db'].map(refused)).toEqual([1, 1, 0, 0])
})

test('one finding names all packages that an object wants, at most three', () => {
  const set = setOf([{ repositorySelector: {}, template: {} }])
  const names = ['a', 'b', 'c', 'd']
  const objects = [set, inNamespace(BER, 'defalt')]
  const removed = new Map(names.map((name) => [name, 'clusters/ber/app']))
  expect(found(objects, { removed }).map(({ message }) => /\((.*?)\)/.exec(message)?.[1])).toEqual(['a, b, c and 1 more'])
})

test('the error of an object in a package is at its name, with its file', () => {
  const [result] = found([SET, ...inPackage(BER)])
  expect(result).toMatchObject({
    severity: 'error',
    resourceRef: { kind: 'Repository', name: 'ber' },
    file: { path: 'packages/ams/app/moved.yaml' },
    position: { line: 1 },
    tags: { rule: 'deletion-guard' },
  })
})

test('of variants, the option that says that removals are meant is maxDeletions of the functionConfig', () => {
  const moved = [SET, inNamespace({ ...SET, spec: { ...asRecord(SET.spec), upstream: DB } }, 'team'), inNamespace(BER, 'team')]
  const [result] = found(moved, { what: 'variants' })
  expect(result?.message).toMatch(/for the variants that would be removed.*or set .*maxDeletions/)
  expect(result?.message).not.toContain('RenderVariants')
})

test('objects in packages that are not among the items count, if the caller reads them, and only those of declaring kinds', () => {
  const { items } = resourceListOf([variant('ber-app', 'ber'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }])
  const kinds: string[] = []
  const inPackages: FleetChange['inPackages'] = (asked) => {
    kinds.push(...asked)
    return items
  }
  expect(found([SET], { inPackages }).map(({ resourceRef }) => resourceRef?.name)).toEqual(['ber-app'])
  expect(kinds).toEqual(expect.arrayContaining(['PackageVariant', 'PackageVariantSet', 'PackageVariantMatrix', 'Repository']))
  expect(found([SET]).length).toBe(0)
})

test('a target without a namespace of its own is not in another namespace', () => {
  const site = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ber', labels: { env: 'prod' } } }
  const set = setOf([
    {
      objectSelector: { apiVersion: 'v1', kind: 'Namespace', matchLabels: { env: 'prod' } },
      template: { downstream: { repoExpr: "'ber'" } },
    },
  ])
  expect(found([set, site])).toEqual([])
})
