import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { list, repository, resourceListOf, setOf, variant, type Written } from './testing/fleet-of-objects.ts'
import { unseenDeclarations } from './unseen-declarations.ts'

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

test('a Repository that a package has of its upstream is no target', () => {
  const annotations = { 'internal.kpt.dev/upstream-identifier': 'config.porch.kpt.dev|Repository|default|ber' }
  const own = { ...BER, metadata: { name: 'ber', labels: { env: 'prod' }, annotations } }
  expect(refusals([SET, ...inPackage(own)])).toEqual([])
})
