import { expect, test } from 'vitest'
import { configMapText, writtenObject } from '../../testdata/written-objects.ts'
import { finish } from '../progress.ts'
import { FunctionError } from '../result.ts'
import { EDITED } from './causes/causes.ts'
import { type DiffOptions, diffFleets, operationOf } from './diff-fleets.ts'
import type { ChangeGroup, DiffReport } from './report.ts'
import { matrixFleet, matrixText, webAt } from './testing/matrix-states.ts'
import { configText, type Files, KPTFILE_TEXT, renderedPackages, stateOfFiles, variantText } from './testing/states-of-files.ts'

/** Returns the files of a revision of an upstream package. */
const revision = (number: number, files: Files, name = 'web'): Files =>
  Object.fromEntries(Object.entries({ Kptfile: KPTFILE_TEXT, ...files }).map(([path, text]) => [`catalog/${name}@${number}/${path}`, text]))

/** Returns the variant of each package, REPOSITORY/PACKAGE, at a revision of `catalog/web`; the names of variants are in another order. */
const variants = (revisions: Readonly<Record<string, number>>): Files =>
  Object.fromEntries(
    Object.entries(revisions).map(([folder, number], at) => [`fleet/v${at}.yaml`, variantText(`v${at}`, folder, { revision: number })]),
  )

interface Case {
  readonly from: Files
  readonly to: Files
  readonly options?: Partial<DiffOptions>
}

function reportOf({ from, to, options = {} }: Case): DiffReport {
  return finish(diffFleets(stateOfFiles(from), stateOfFiles(to), { withComments: false, ...options }))
}

/** Returns the report of packages whose upstream gets the files of another revision. */
function raised(before: Files, after: Files, more: Files = {}, options: Partial<DiffOptions> = {}): DiffReport {
  const upstream = { ...revision(1, before), ...revision(2, after), ...more }
  return reportOf({ from: { ...upstream, ...variants({ 'edge/a': 1 }) }, to: { ...upstream, ...variants({ 'edge/a': 2 }) }, options })
}

const shown = ({ op, objects, fields }: ChangeGroup) =>
  `${op} ${objects.map(({ name }) => name).join()} [${fields.map(({ path }) => path).join()}]`

const ONE = revision(1, { 'a.yaml': configText('a', 'one'), 'b.yaml': configText('b', 'one') })
const UPSTREAM = {
  ...ONE,
  ...revision(2, { 'a.yaml': configText('a', 'two'), 'b.yaml': configText('b', 'two') }),
  ...revision(3, { 'a.yaml': configText('a', 'one'), 'b.yaml': configText('b', 'one') }),
}
const FROM = { ...UPSTREAM, ...variants({ 'west/x': 1, 'edge/y': 1, 'edge/x': 1, 'edge/same': 1 }) }
const TO = { ...UPSTREAM, ...variants({ 'west/x': 2, 'edge/y': 3, 'edge/x': 2, 'edge/same': 1 }) }

test('the packages that differ are listed by folder, each with its variant, its fate and its groups', () => {
  const { packages, groups } = reportOf({ from: FROM, to: TO })
  const idsIn = (folder: string) => groups.flatMap(({ id, places }) => (places.some((place) => place.package === folder) ? [id] : []))
  expect(packages).toEqual([
    { folder: 'edge/x', cluster: 'edge', variant: 'fleet/v2', fate: 'changed', groups: idsIn('edge/x') },
    { folder: 'edge/y', cluster: 'edge', variant: 'fleet/v1', fate: 'local', groups: [] },
    { folder: 'west/x', cluster: 'west', variant: 'fleet/v0', fate: 'changed', groups: idsIn('west/x') },
  ])
  // Each variant has a line of its own as the cause, and each object one in the upstream.
  expect(groups.map(shown).sort()).toEqual([
    'change a [data.value]',
    'change a [data.value]',
    'change b [data.value]',
    'change b [data.value]',
  ])
  expect(idsIn('edge/x')).toHaveLength(2)
})

test('packages of which a cluster gets a change are counted apart from those that differ otherwise', () => {
  const report = reportOf({ from: FROM, to: TO })
  expect(report.counts).toEqual({ packages: 4, changed: 2, local: 1, clusters: 2, groups: 4 })
  expect([report.packagesAre, report.from.name, report.to.name]).toEqual(['rendered', 'state', 'state'])
  for (const name of ['rings', 'ignored', 'notFollowed']) expect(report).not.toHaveProperty(name)
})

test('an input that changes no file is no difference', () => {
  const kept = { ...UPSTREAM, 'fleet/a.yaml': variantText('a', 'edge/a', { more: '  adoptionPolicy: adoptExisting\n' }) }
  const { packages, counts } = reportOf({ from: { ...UPSTREAM, 'fleet/a.yaml': variantText('a', 'edge/a') }, to: kept })
  expect([packages, counts.packages]).toEqual([[], 1])
})

test('only the packages that are asked for are compared and counted', () => {
  const { packages, counts } = reportOf({ from: FROM, to: TO, options: { isAsked: (folder) => folder === 'west/x' } })
  expect([packages.map(({ folder }) => folder), counts.packages]).toEqual([['west/x'], 1])
})

test('each package that differs is shown with its files in both states', () => {
  const seen: string[] = []
  const more = { ...TO, 'fleet/new.yaml': variantText('new', 'edge/new') }
  reportOf({ from: FROM, to: more, options: { look: (folder, before, after) => seen.push(`${folder} ${before.size} ${after.size}`) } })
  expect(seen.sort()).toEqual(['edge/new 0 4', 'edge/x 4 4', 'edge/y 4 4', 'west/x 4 4'])
})

test('the progress counts every package, and says at the end that all are done', () => {
  const steps = diffFleets(stateOfFiles(FROM), stateOfFiles(TO), { withComments: false })
  const seen: unknown[] = []
  for (let step = steps.next(); step.done !== true; step = steps.next()) seen.push(step.value)
  expect(seen.at(-1)).toEqual({ done: 4, total: 4 })
})

test('a package that comes or goes has the fate, and a package of Kptfile alone counts as no change of a cluster', () => {
  const empty = { ...UPSTREAM, ...revision(1, {}, 'empty') }
  const more = { ...empty, ...variants({ 'edge/a': 1 }), 'fleet/e.yaml': variantText('e', 'edge/e', { upstream: 'catalog/empty' }) }
  const none = { ...empty, ...variants({ 'edge/b': 1 }) }
  const report = reportOf({ from: none, to: { ...more, 'fleet/b.yaml': variantText('b', 'edge/b') } })
  expect(report.packages.map(({ folder, fate, groups }) => [folder, fate, groups.length])).toEqual([
    ['edge/a', 'created', 1],
    ['edge/e', 'created', 0],
  ])
  expect(reportOf({ from: more, to: none }).packages.map(({ folder, fate }) => `${fate} ${folder}`)).toEqual([
    'removed edge/a',
    'created edge/b',
    'removed edge/e',
  ])
})

test('an object is created with its value, deleted, changed, or renamed with its former name', () => {
  const created = raised({}, { 'a.yaml': configText('a', 'one') })
  expect(created.groups.map(shown)).toEqual(['create a []'])
  expect(created.groups[0]?.objects[0]?.value).toMatchObject({ kind: 'ConfigMap', data: { value: 'one' } })
  const deleted = raised({ 'a.yaml': configText('a', 'one') }, {})
  expect(deleted.groups.map(shown)).toEqual(['delete a []'])
  expect(deleted.groups[0]?.objects[0]).not.toHaveProperty('value')
  const long = (name: string, last: string) => configMapText(name, `data: {a: x, b: x, c: ${last}}\n`)
  const renamed = raised({ 'a.yaml': long('a', 'x') }, { 'a.yaml': long('b', 'y') })
  expect(renamed.groups.map(shown)).toEqual(['rename b [data.c,metadata.name]'])
  expect(renamed.groups[0]?.objects[0]).toMatchObject({ name: 'b', was: { kind: 'ConfigMap', name: 'a' } })
  const changed = raised({ 'a.yaml': long('a', 'x') }, { 'a.yaml': long('a', 'y') })
  expect(changed.groups[0]?.objects[0]).not.toHaveProperty('was')
  const [{ before = '', after = '' } = {}] = changed.groups[0]?.objects ?? []
  expect([before.split('\n').at(-2), after.split('\n').at(-2)]).toEqual(['data: {a: x, b: x, c: x}', 'data: {a: x, b: x, c: y}'])
})

const object = (name: string, namespace?: string) =>
  writtenObject(configMapText(name, namespace === undefined ? '' : `  namespace: ${namespace}\n`))

test.each([
  ['create', undefined, object('a')],
  ['delete', object('a'), undefined],
  ['change', object('a'), object('a')],
  ['change', object('a', 'x'), object('a', 'x')],
  ['change', object('a'), object('a', '""')],
  ['rename', object('a'), object('b')],
  ['rename', object('a', 'x'), object('a', 'y')],
  ['rename', object('a'), object('a', 'x')],
])('the operation is %s: case %#', (op, before, after) => {
  expect(operationOf({ ...(before && { before }), ...(after && { after }) })).toBe(op)
})

test('fields of other causes are other groups, and a danger is in the group of its field', () => {
  const deployment = (name: string, replicas: number, image: string) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, labels: {team: none}}\nspec:\n  replicas: ${replicas}\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: a, image: "${image}"}]}\n`
  const upstream = { ...revision(1, { 'a.yaml': deployment('a', 2, 'x:1') }), ...revision(2, { 'a.yaml': deployment('a', 0, 'x:1') }) }
  const labelled = (number: number, team: string): Files => ({
    ...upstream,
    'fleet/a.yaml': variantText('a', 'edge/a', {
      revision: number,
      more: `  pipeline:\n    mutators:\n    - {name: l, image: "ghcr.io/kptdev/krm-functions-catalog/set-annotations:v0.1.4", configMap: {team: ${team}}}\n`,
    }),
  })
  const { groups } = reportOf({ from: labelled(1, 'a'), to: labelled(2, 'b') })
  expect(
    groups.map((group) => [group.fields.map(({ path }) => path.split('.').slice(0, 2).join('.')), group.dangers.map(({ rule }) => rule)]),
  ).toEqual([
    [['spec.replicas'], ['no-replicas']],
    [expect.arrayContaining(['metadata.annotations']), []],
  ])
})

const kustomization = (folder: string, prune: boolean): Files => ({
  'fleet/flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: flux}\nspec: {path: ./${folder}, prune: ${prune}}\n`,
})

test('an object that leaves its package has what its deployer does with it, as TO says, and else as FROM says', () => {
  const [a, b] = [configText('a', 'one'), configMapText('b', 'data: {x: u, y: v, z: w}\n')]
  const upstream = { ...revision(1, { 'a.yaml': a }), ...revision(2, { 'b.yaml': b }) }
  const state = (number: number, more: Files = {}) => ({ ...upstream, ...variants({ 'edge/a': number }), ...more })
  const removals = (before: Files, after: Files) =>
    reportOf({ from: state(1, before), to: state(2, after) }).groups.map(({ op, removal }) => `${op} ${removal?.by} ${removal?.isPruned}`)
  expect(removals(kustomization('edge/a', false), kustomization('edge/a', true)).sort()).toEqual([
    'create undefined undefined',
    'delete Flux true',
  ])
  expect(removals(kustomization('edge/a', false), {})).toContain('delete Flux false')
  expect(removals({}, {})).toContain('delete undefined undefined')
  const long = (name: string) => configMapText(name, 'data: {a: x, b: x, c: x}\n')
  const flux = kustomization('edge/a', true)
  const renamed = raised({ 'a.yaml': long('a') }, { 'a.yaml': long('b') }, flux)
  expect(renamed.groups.map(({ op, removal }) => [op, removal?.isPruned])).toEqual([['rename', true]])
  const changed = raised({ 'a.yaml': configText('a', 'one') }, { 'a.yaml': configText('a', 'two') }, flux)
  expect(changed.groups[0]).not.toHaveProperty('removal')
})

const CLAIM = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec: {accessModes: [ReadWriteOnce]}\n'

test('a deleted object that its deployer leaves in the cluster is a notice, one that it deletes a danger', () => {
  const severityOf = (prune: boolean) =>
    raised({ 'a.yaml': CLAIM }, {}, kustomization('edge/a', prune)).groups.map(({ dangers }) =>
      dangers.map(({ rule, severity }) => [rule, severity]),
    )
  expect(severityOf(true)).toEqual([[['volume-claim-deleted', undefined]]])
  expect(severityOf(false)).toEqual([[['volume-claim-deleted', 'notice']]])
})

const BUDGET = 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 1}\n'

/** Returns an object of the fleet that names a version of Kubernetes. */
const versionIn = (kind: string, version: string): string =>
  `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: ${kind.toLowerCase()}}\nspec: {cluster: {kubernetesVersion: "${version}"}}\n`

test.each<[string, Files, boolean]>([
  ['one object', { 'fleet/c.yaml': versionIn('CheckDependencies', '1.25') }, true],
  [
    'two objects with one version',
    { 'fleet/c.yaml': versionIn('CheckDependencies', '1.25'), 'fleet/r.yaml': versionIn('ResolveDependencies', '1.25') },
    true,
  ],
  [
    'two objects with two versions',
    { 'fleet/c.yaml': versionIn('CheckDependencies', '1.25'), 'fleet/r.yaml': versionIn('ResolveDependencies', '1.26') },
    false,
  ],
  ['an object of another kind', { 'fleet/c.yaml': versionIn('Cluster', '1.25').replace('fn.krm-variants.dev', 'example.com') }, false],
  ['no object', {}, false],
])('the version of Kubernetes of the fleet is the one that %s names', (_, more, isKnown) => {
  const { groups } = raised({}, { 'a.yaml': BUDGET }, more)
  expect(groups.flatMap(({ dangers }) => dangers.map(({ rule }) => rule)).includes('api-not-served')).toBe(isKnown)
})

test('comments of an object are a change where they are asked for, and only its lines with comments are shown', () => {
  const text = (comment: string) => `# ${comment}\n${configMapText('a', `data:\n  b: x   # ${comment}\n`)}`
  const files = [{ 'a.yaml': text('old') }, { 'a.yaml': text('new') }] as const
  expect(raised(...files).groups).toEqual([])
  expect(raised(...files, {}, { withComments: true }).groups[0]?.fields).toEqual([
    {
      ...{ path: '#', steps: [], isComment: true },
      before: '# old\nmetadata: # kpt-merge: /a\nb: x   # old',
      after: '# new\nmetadata: # kpt-merge: /a\nb: x   # new',
    },
  ])
  const both = raised({ 'a.yaml': text('old') }, { 'a.yaml': text('new').replace('b: x', 'b: y') }, {}, { withComments: true })
  expect(both.groups.map(shown)).toEqual(['change a [data.b]'])
})

test('what the fleet ignores is counted, and a package of which everything is ignored is no entry', () => {
  const ignoring: Files = {
    'fleet/options.yaml':
      'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options}\nspec: {diff: {ignore: [{fields: [data.value], reason: values}]}}\n',
  }
  const all = raised({ 'a.yaml': configText('a', 'one') }, { 'a.yaml': configText('a', 'two') }, ignoring)
  expect([all.packages, all.groups, all.ignored]).toEqual([[], [], [{ reason: 'values', changes: 1, clusters: 1 }]])
  const some = raised(
    { 'a.yaml': configText('a', 'one'), 'b.yaml': configText('b', 'one') },
    { 'a.yaml': configText('a', 'two'), 'b.yaml': configMapText('b', 'data: {value: one, more: x}\n') },
    ignoring,
  )
  expect([some.groups.map(shown), some.packages.map(({ fate }) => fate)]).toEqual([['change b [data.more]'], ['changed']])
})

test('a change of an object depends on the other packages of its cluster: pods of another package leave a Service empty', () => {
  const deployment = (app: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: ${app}}}\nspec: {containers: [{name: a, image: "x:1"}]}\n`
  const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: front}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n'
  const upstream = {
    ...revision(1, { 'a.yaml': deployment('web') }),
    ...revision(2, { 'a.yaml': deployment('shop') }),
    ...revision(1, { 'a.yaml': service }, 'front'),
    ...revision(1, { 'a.yaml': configText('other', 'x') }, 'other'),
  }
  const fleet = (number: number): Files => ({
    ...upstream,
    ...variants({ 'alone/web': number, 'edge/web': number, 'west/web': number }),
    'fleet/front.yaml': variantText('front', 'edge/front', { upstream: 'catalog/front' }),
    'fleet/other.yaml': variantText('other', 'west/other', { upstream: 'catalog/other' }),
  })
  const { groups } = reportOf({ from: fleet(1), to: fleet(2) })
  const unreachable = groups.filter(({ dangers }) => dangers.some(({ rule }) => rule === 'service-unreachable'))
  expect(unreachable.map(({ places }) => places.map(({ cluster }) => cluster))).toEqual([['edge']])
})

test('the place of a change has the set and the ring of the package, and rings are counted', () => {
  const rings = ['rings:', '- {name: canary, where: target.name == "ber", revisions: {web: 2}}', '- {name: world}']
  const fleet = (...lines: readonly string[]) =>
    matrixFleet(matrixText(webAt(1), ...lines), { ber: ['status: open'], muc: ['status: open'] })
  const { groups, packages, rings: counted } = reportOf({ from: fleet(), to: fleet(...rings) })
  expect(groups[0]?.places).toMatchObject([{ cluster: 'ber', package: 'ber/web', set: 'fleet/web', ring: 'canary' }])
  expect(packages.map(({ folder, set, ring }) => [folder, set, ring])).toEqual([['ber/web', 'fleet/web', 'canary']])
  expect(counted).toEqual([
    { set: 'fleet/web', ring: 'canary', clusters: 1 },
    { set: 'fleet/web', ring: 'world', clusters: 0 },
  ])
})

test('a package that cannot be rendered is counted as failed, with its error among the results', () => {
  const broken = `${KPTFILE_TEXT}pipeline: {mutators: [{image: 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.1', configPath: missing.yaml}]}\n`
  const { counts, packages, results } = raised({ 'a.yaml': configText('a', 'one') }, { Kptfile: broken })
  expect([counts.failed, counts.changed, packages]).toEqual([1, 0, []])
  expect(results.some(({ severity }) => severity === 'error')).toBe(true)
})

test('a function without a runner ends the comparison with its error', () => {
  const unknown = `${KPTFILE_TEXT}pipeline: {mutators: [{image: 'example.com/unknown:v1'}]}\n`
  expect(() => raised({ 'a.yaml': configText('a', 'one') }, { Kptfile: unknown })).toThrow(FunctionError)
})

const PACKAGES = renderedPackages({ ...ONE, ...variants({ 'edge/a': 1 }) })

test('committed packages are compared as they are, and one whose revision moved without it is counted', () => {
  const fleet = { ...ONE, ...variants({ 'edge/a': 1 }) }
  const moved = { ...fleet, 'catalog/web@1/a.yaml': configText('a', 'moved') }
  const report = finish(diffFleets(stateOfFiles(fleet, PACKAGES), stateOfFiles(moved, PACKAGES), { withComments: false }))
  expect([report.packagesAre, report.packages, report.notFollowed]).toEqual(['committed', [], [{ upstream: 'catalog/web 1', packages: 1 }]])
})

test('a committed package without a variant has its edit as the cause', () => {
  const own = { ...PACKAGES, 'edge/own/Kptfile': KPTFILE_TEXT, 'edge/own/a.yaml': configText('a', 'one') }
  const fleet = { ...ONE, ...variants({ 'edge/a': 1 }) }
  const edited = { ...own, 'edge/own/a.yaml': configText('a', 'two') }
  const { groups, packages } = finish(diffFleets(stateOfFiles(fleet, own), stateOfFiles(fleet, edited), { withComments: false }))
  expect(groups.map(({ causes }) => causes.map(({ kind, text }) => `${kind}: ${text}`))).toEqual([[`edit: ${EDITED}`]])
  expect(packages.map(({ folder, variant, fate }) => [folder, variant, fate])).toEqual([['edge/own', undefined, 'changed']])
})
