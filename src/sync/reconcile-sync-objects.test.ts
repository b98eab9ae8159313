import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult } from '../result.ts'
import { withMarks, withoutMarks } from './generated-objects.ts'
import { reconcileSyncObjects } from './reconcile-sync-objects.ts'
import { optionsOfTest } from './testing/sync-of-objects.ts'

function kustomization(name: string, spec: JsonRecord = {}, namespace = 'flux-system'): JsonRecord {
  const metadata = { name, namespace }
  return { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata, spec: { prune: true, ...spec } }
}

/** Returns an object as a run wrote it, with edits of people. */
function written(value: JsonRecord, edits: JsonRecord = {}, by = 's'): JsonRecord {
  return withMarks({ ...value, ...edits }, value, by)
}

/** Reconciles wanted objects with those of a list; the names of the removed are in `remove`. */
function reconciled(wanted: readonly JsonRecord[], present: readonly JsonRecord[], remove: readonly string[] = [], committed = present) {
  const items = (values: readonly JsonRecord[]) =>
    values.map((value, index) => KrmObject.fromDocument(JSON.stringify(value), { path: 'sync.yaml', index, line: index + 1 }))
  const options = optionsOfTest({ system: 'flux', remove: new Set(remove) })
  const { created, updated, removed, results } = reconcileSyncObjects(wanted, items(present), options, { committed: items(committed) })
  return {
    created: created.map(({ value }) => value),
    updated: updated.map(({ value }) => value),
    removed: removed.map(({ name }) => name),
    results: results.map(formatResult),
  }
}

const NOTHING = { created: [], updated: [], removed: [], results: [] }
const APP = kustomization('app', { path: './app', interval: '5m' })

test('a wanted object that the list lacks is created, with its marks', () => {
  expect(reconciled([APP], [])).toEqual({ ...NOTHING, created: [withMarks(APP, APP, 's')] })
})

test('an object that is as it is wanted does not change', () => {
  expect(reconciled([APP], [written(APP)])).toEqual(NOTHING)
})

test('objects are matched by group, kind, namespace and name, whatever their version', () => {
  const older = { ...APP, apiVersion: 'kustomize.toolkit.fluxcd.io/v1beta2' }
  const { created, updated } = reconciled([APP], [written(older)])
  expect({ created, updated }).toEqual({ created: [], updated: [withMarks(APP, APP, 's')] })
  const others = [kustomization('other'), kustomization('app', {}, 'else'), { ...APP, kind: 'Kustomisation' }]
  for (const other of others) expect(reconciled([APP], [written(other, {}, '')]).created).toHaveLength(1)
})

test('what people edited stays, and what the fleet changed beside it is taken', () => {
  const edited = written(APP, { spec: { ...asRecord(APP.spec), timeout: '9m', interval: '7m' } })
  expect(reconciled([APP], [edited])).toEqual(NOTHING)
  const wanted = kustomization('app', { path: './new', interval: '5m' })
  const { updated, results } = reconciled([wanted], [edited])
  expect(updated).toEqual([withMarks(kustomization('app', { path: './new', interval: '7m', timeout: '9m' }), wanted, 's')])
  expect(results).toEqual([])
})

test.each([
  // [the base, the edit, what the fleet wants, how the message shows the two]
  ['5m', '7m', '9m', "is '7m' here; the fleet changed it to '9m'"],
  [['a'], ['b', { c: 1 }], ['d'], 'is ["b",{"c":1}] here; the fleet changed it to ["d"]'],
  [['a'], ['x'.repeat(300)], ['d'], `is ["${'x'.repeat(190)}`],
])(
  'of a field %j that people changed to %j and the fleet to %j the value of the fleet is taken, with a warning',
  (base, ours, theirs, words) => {
    const object = written(kustomization('app', { interval: base }), { spec: { prune: true, interval: ours } })
    const { updated, results } = reconciled([kustomization('app', { interval: theirs })], [object])
    expect(updated.map(({ spec }) => spec)).toEqual([{ prune: true, interval: theirs }])
    expect(results).toHaveLength(1)
    expect(results[0]).toMatch(/^sync\.yaml:1:\d+: warning: `spec\.interval` .*, and that is taken \[sync-edit-lost\]$/)
    expect(results[0]).toContain(words)
    expect(results[0]).not.toContain('x'.repeat(201))
  },
)

test('a map of people in place of a text that the fleet changed stays, with a warning', () => {
  const object = written(kustomization('app', { interval: '5m' }), { spec: { prune: true, interval: { mine: '7m' } } })
  const { results } = reconciled([kustomization('app', { interval: '9m' })], [object])
  expect(results).toEqual([
    expect.stringContaining(
      '`spec.interval` is {"mine":"7m"} here; the fleet changed it to \'9m\', and the value here stays, since the kinds of the two differ',
    ),
  ])
})

test('a field that people removed and the fleet changed is absent in the warning', () => {
  const object = written(kustomization('app', { interval: '5m' }), { spec: { prune: true } })
  const { results } = reconciled([kustomization('app', { interval: '9m' })], [object])
  expect(results).toEqual([expect.stringContaining("`spec.interval` is absent here; the fleet changed it to '9m', and that is taken")])
})

test('without a record of what was generated, the wanted object is the base: what differs is an edit', () => {
  const edited = kustomization('app', { path: './app', interval: '7m' })
  const object = withMarks(edited, edited, 's')
  const lost = { ...object, metadata: { name: 'app', namespace: 'flux-system', annotations: { 'krm-variants.dev/generate-sync': 's' } } }
  expect(reconciled([APP], [lost]).updated).toEqual([withMarks(edited, APP, 's')])
})

test.each([
  ['no GenerateSync generated it', withoutMarks(written(APP))],
  ["the GenerateSync 'other' generated it", written(APP, {}, 'other')],
])('an object of the wanted name is left alone if %s', (whose, object) => {
  const { results, ...changes } = reconciled([APP], [object, { kind: 'GenerateSync', metadata: { name: 'other' } }])
  expect(changes).toEqual({ created: [], updated: [], removed: [] })
  expect(results).toEqual([
    expect.stringMatching(
      new RegExp(
        `^sync\\.yaml:1:\\d+: error: \`metadata.annotations\\S*generate-sync\\S*\` must be 's' for an object that is generated, and ${whose}; rename one of the two, or write the annotation to hand it over \\[sync-name\\]$`,
      ),
    ),
  ])
})

test('an object that nothing needs is kept and deletes nothing, with the options that remove it', () => {
  const { created, updated, removed, results } = reconciled([], [written(APP)])
  const settled = kustomization('app', { path: './app', interval: '5m', prune: false })
  expect({ created, updated, removed }).toEqual({ created: [], updated: [withMarks(settled, settled, 's')], removed: [] })
  expect(results.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    "warning: `metadata.name` is 'app', which the fleet does not need any more; the object stays and deletes nothing in its cluster; commit and apply this state first; then --remove app, or `remove: [app]` in the GenerateSync, removes the object [sync-left]",
  ])
})

test('several objects that nothing needs have one warning, at the first of them', () => {
  const { results } = reconciled([APP], [written(APP), ...['b', 'c', 'd'].map((name) => written(kustomization(name)))])
  expect(results).toEqual([
    expect.stringMatching(
      /^sync\.yaml:2:\d+: warning: `metadata\.name` is 'b', .* any more, like 2 other objects; the objects stay and delete nothing in their clusters; .*; then --remove b --remove c --remove d, or `remove: \[b, c, d\]` in the GenerateSync, removes the objects/,
    ),
  ])
})

test('objects of people, of another GenerateSync and of other kinds are not left ones', () => {
  const objects = [
    withoutMarks(written(kustomization('mine'))),
    written(kustomization('theirs'), {}, 'other'),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', annotations: { 'krm-variants.dev/generate-sync': 's' } } },
    { kind: 'GenerateSync', metadata: { name: 'other' } },
  ]
  expect(reconciled([], objects)).toEqual(NOTHING)
})

const SETTLED = kustomization('app', { prune: false })

test('a settled object that is named goes, and one that is not named stays', () => {
  const present = [written(SETTLED), written(kustomization('old', { prune: false }))]
  const { results, ...changes } = reconciled([], present, ['app'])
  expect(changes).toEqual({ created: [], updated: [], removed: ['app'] })
  expect(results).toEqual([expect.stringMatching(/`metadata\.name` is 'old', .*; then --remove old,/)])
})

test('nothing goes before every left object is settled, named or not', () => {
  const present = [written(SETTLED), written(kustomization('old'))]
  const { removed, results } = reconciled([], present, ['app'])
  expect(removed).toEqual([])
  expect(results).toEqual([
    expect.stringMatching(
      /'app', .*; the object stays and deletes nothing in its cluster; commit and apply this state first, so that no controller deletes anything; then the same options remove what they name \[sync-left\]$/,
    ),
    expect.stringMatching(/'old', .*; then --remove old,/),
  ])
})

test('a removal is an error while the last commit prunes, or while an object that stays needs the removed one', () => {
  const early = reconciled([], [written(SETTLED)], ['app'], [written(kustomization('app'))])
  expect(early.results).toEqual([expect.stringContaining('[sync-removal-early]')])
  const user = kustomization('user', { dependsOn: [{ name: 'app' }] })
  for (const present of [[user], []]) {
    const { results } = reconciled(present.length === 0 ? [user] : [], [...present, written(SETTLED), written(user)], ['app'])
    expect(results.filter((line) => line.endsWith('[sync-needed]'))).toHaveLength(1)
  }
})

test('a name in `remove` that the fleet needs, or that no object has, is a warning', () => {
  const { results } = reconciled([APP], [written(APP), written(SETTLED, { metadata: { name: 'gone' } })], ['app', 'gon'])
  expect(results.filter((line) => line.endsWith('[sync-remove]'))).toEqual([
    expect.stringContaining("got 'app', which the fleet needs"),
    expect.stringContaining("got 'gon'; did you mean 'gone'?"),
  ])
})

test('objects of a GenerateSync that the list lacks are named once, by system', () => {
  const orphans = ['a', 'b', 'c'].map((name) => written(kustomization(name), {}, 'lost'))
  const application = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'x' }, spec: {} }
  const { results, ...changes } = reconciled([], [...orphans, written(kustomization('z'), {}, 'alone'), written(application, {}, 'lost')])
  expect(changes).toEqual({ created: [], updated: [], removed: [] })
  expect(results).toEqual([
    expect.stringMatching(
      /^sync\.yaml:1:\d+: warning: `metadata.annotations\S*generate-sync\S*` names a GenerateSync that the list does not have, 'lost'; Kustomization flux-system\/a and 2 other objects stay as they are \[sync-orphaned\]$/,
    ),
    expect.stringMatching(
      /^sync\.yaml:4:\d+: warning: `metadata.annotations\S*generate-sync\S*` names a GenerateSync that the list does not have, 'alone'; Kustomization flux-system\/z stays as it is \[sync-orphaned\]$/,
    ),
  ])
})
