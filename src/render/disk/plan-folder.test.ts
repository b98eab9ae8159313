import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TestFleet } from '../../../testdata/test-fleet.ts'
import { FleetGit } from '../../git/fleet-git.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { shardOf } from '../selection.ts'
import { type FleetFolder, planFolder } from './plan-folder.ts'

const OPTIONS: FleetFolder['options'] = {
  repositories: new Map(),
  clone: 'kpt',
  status: false,
  followRenames: false,
  discardEdits: false,
  allowMoved: false,
  allowEmpty: false,
}

function variant(name: string): KrmObject {
  const text = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: ${name}}
spec:
  upstream: {repo: catalog, package: web, revision: 1}
  downstream: {repo: ${name}, package: web}
`
  return KrmObject.fromDocument(text, { path: `${name}.yaml`, index: 0, line: 1 })
}

const CONFIG_MAP = KrmObject.fromDocument('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n', { path: 'a.yaml', index: 0, line: 1 })

/** Writes a package, made for a variant. */
function putPackage(fleet: TestFleet, folder: string, owner: string): void {
  const annotations = `{krm-variants.dev/package-variant: default/${owner}}`
  fleet.write(`out/${folder}/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web, annotations: ${annotations}}\n`)
}

function emptyFleet(): TestFleet {
  const fleet = new TestFleet()
  onTestFinished(() => fleet.remove())
  return fleet
}

function plan(fleet: TestFleet, asked: Partial<FleetFolder> = {}): ReturnType<typeof planFolder> {
  return planFolder({
    items: [],
    dir: { disk: fleet.root, shown: 'fleet' },
    out: { disk: join(fleet.root, 'out'), shown: 'out' },
    options: OPTIONS,
    git: { cache: join(fleet.root, 'cache'), offline: true },
    allowOutside: false,
    terms: { only: [], shard: undefined },
    ...asked,
  })
}

/** Returns the errors of a plan, each with its rule. */
function errors(fleet: TestFleet, asked: Partial<FleetFolder>): readonly string[] {
  try {
    plan(fleet, asked)
    return []
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ severity, tags, message }) => `${severity} ${tags.rule}: ${message}`)
    throw error
  }
}

const only = (value: string) => ({ terms: { only: [{ field: 'repository' as const, value }], shard: undefined } })

test('a fleet without a variant and a rendered package is refused with what was read', () => {
  const message =
    'the input must hold a PackageVariant, or a PackageVariantSet that makes one; read 1 file, 1 ConfigMap, no PackageVariantSet'
  expect(errors(emptyFleet(), { items: [CONFIG_MAP] })).toEqual([`error no-variant: ${message}`])
  expect(errors(emptyFleet(), { items: [CONFIG_MAP], ...only('x') })).toEqual([`error no-variant: ${message}`])
  expect(errors(emptyFleet(), { items: [variant('a')] })).toEqual([])
})

test('a fleet whose variants are all gone is planned, since their packages are left', () => {
  const fleet = emptyFleet()
  putPackage(fleet, 'a/web', 'a')
  expect(errors(fleet, { items: [CONFIG_MAP] })).toEqual([])
  expect(errors(fleet, { items: [CONFIG_MAP], ...only('x') })).toEqual([])
  expect(errors(fleet, { items: [CONFIG_MAP], isPackage: (folder) => folder === 'a/web' })).toEqual([])
})

test('terms that select no variant are refused with the reason', () => {
  expect(errors(emptyFleet(), { items: [variant('a')], ...only('a') })).toEqual([])
  expect(errors(emptyFleet(), { items: [variant('a')], ...only('x*') })).toEqual([
    "error selection: `only` must select a PackageVariant: 'repository=x*' selects none; there is a",
  ])
})

test('without terms there is no selection, and the request has what the caller gave', () => {
  const request = plan(emptyFleet(), { items: [CONFIG_MAP, variant('a')] })
  expect(Object.keys(request)).toEqual(['items', 'options', 'dir', 'out', 'packageSource', 'places', 'passedOver', 'setAside'])
  expect(request.options).toBe(OPTIONS)
  expect(request.items.map(({ name }) => name)).toEqual(['a', 'a'])
  const search = { made: [], fleet: undefined, isOutAsked: false, git: new FleetGit(() => '') }
  expect(plan(emptyFleet(), { items: [variant('a')], search, passedOver: [] })).toMatchObject({ search, passedOver: [] })
})

test('the name of the fleet is the one of the names, else that of the options', () => {
  const [hadName, keepsName] = [(name: string) => name === 'old', (name: string) => name === 'kept']
  const asked = { items: [variant('a')], options: { ...OPTIONS, fleet: 'asked' } }
  const named = plan(emptyFleet(), { ...asked, names: { name: 'stores', hadName, keepsName } })
  expect([named.options.fleet, named.hadName, named.keepsName]).toEqual(['stores', hadName, keepsName])
  expect(plan(emptyFleet(), asked).options.fleet).toBe('asked')
})

test('a shard searches its own repositories and knows the variants of other shards that own packages there', () => {
  const fleet = emptyFleet()
  const repos = Array.from({ length: 8 }, (_, at) => `r${at}`)
  for (const repo of repos) putPackage(fleet, `${repo}/web`, `v-${repo}`)
  const mine = repos.filter((repo) => shardOf(repo, 2) === 1)
  const [first = ''] = mine
  const asked: string[][] = []
  const variantsNamed = (names: ReadonlySet<string>) => {
    asked.push([...names])
    return [variant('other')]
  }
  const items = [variant(`v-${first}`)]
  const terms = { only: [], shard: { part: 1, of: 2 } }
  const request = plan(fleet, { items, terms, elsewhere: { count: 3, names: ['n'], variantsNamed } })
  expect(request.places.owned.map(({ repo }) => repo)).toEqual(mine)
  expect(asked).toEqual([mine.slice(1).map((repo) => `default/v-${repo}`)])
  expect(request.items.map(namespacedName)).toEqual([`default/v-${first}`, 'default/other'])
  expect(request.elsewhere).toMatchObject({ count: 3, names: ['n'] })
  expect(plan(fleet, { items, terms }).places.owned).toHaveLength(repos.length)
  expect(errors(fleet, { terms, elsewhere: { count: 3, names: [], variantsNamed: () => [] } })).toEqual([])
})
