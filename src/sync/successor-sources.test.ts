import { expect, test } from 'vitest'
import { asRecord, type JsonRecord, scalarText } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { withMarks } from './generated-objects.ts'
import { reconcileSyncObjects } from './reconcile-sync-objects.ts'
import { successorSources } from './successor-sources.ts'
import { gitRepositoryOf, optionsOfTest, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const OPTIONS: TestOptions = { system: 'flux', expressions: { tagExpr: 'repository.labels.release' } }

/** Returns the sync objects of clusters in one git repository, each at a release. */
function objectsOf(releases: Readonly<Record<string, string>>, repo = 'https://g/fleet.git'): readonly JsonRecord[] {
  const clusters = Object.entries(releases).map(([name, release]) => gitRepositoryOf(name, { repo, directory: name }, { release }))
  return syncOf([...clusters, ...Object.keys(releases).map((name) => variantOf(name, 'dns'))], OPTIONS).objects
}

const nameOf = ({ metadata }: JsonRecord) => scalarText(asRecord(metadata).name)
const isIn = (objects: readonly JsonRecord[]) => (one: JsonRecord) =>
  objects.some((each) => each.kind === one.kind && nameOf(each) === nameOf(one))
const written = (value: JsonRecord, more: JsonRecord = {}) =>
  KrmObject.fromDocument(JSON.stringify(withMarks({ ...value, spec: { ...asRecord(value.spec), ...more } }, value, 's')), {
    path: 'sync.yaml',
    index: 0,
    line: 1,
  })

/** Returns the names of new sources, each with the name of the former one: `NEW < FORMER`. */
function successors(before: readonly JsonRecord[], wanted: readonly JsonRecord[]): readonly string[] {
  const coming = wanted.filter((one) => !isIn(before)(one))
  const present = before.map((value) => written(value))
  const left = present.filter((object) => !isIn(wanted)(object.toJson()))
  return [...successorSources({ coming, left, wanted, present })].map(([value, former]) => `${nameOf(value)} < ${former.name}`)
}

const BEFORE = objectsOf({ ber: 'v1', ham: 'v1' })

test.each<readonly [what: string, after: readonly JsonRecord[], expected: readonly string[]]>([
  ['another tag for all', objectsOf({ ber: 'v2', ham: 'v2' }), ['fleet-v2 < fleet-v1']],
  ['another tag and another cluster', objectsOf({ ber: 'v2', ham: 'v2', muc: 'v2' }), ['fleet-v2 < fleet-v1']],
  ['another tag and a cluster less', objectsOf({ ber: 'v2', muc: 'v2' }), ['fleet-v2 < fleet-v1']],
  ['another tag for one of two', objectsOf({ ber: 'v2', ham: 'v1' }), []],
  ['two tags', objectsOf({ ber: 'v2', ham: 'v3' }), []],
  ['another git repository', objectsOf({ ber: 'v2', ham: 'v2' }, 'https://g/other.git'), []],
  ['other clusters', objectsOf({ muc: 'v2', par: 'v2' }), []],
])('a shared source with %s', (_, after, expected) => {
  expect(successors(BEFORE, after)).toEqual(expected)
})

test('what people wrote into a shared source stays when its tag, and with it its name, changes', () => {
  const present = BEFORE.map((value) => written(value, value.kind === 'GitRepository' ? { ignore: '/docs' } : {}))
  const { created, results } = reconcileSyncObjects(objectsOf({ ber: 'v2', ham: 'v2' }), present, optionsOfTest(OPTIONS))
  expect(created.map(({ value, former }) => [nameOf(value), former?.name, asRecord(value.spec).ignore])).toEqual([
    ['fleet-v2', 'fleet-v1', '/docs'],
  ])
  expect(asRecord(created[0]?.value.spec).ref).toEqual({ tag: 'v2' })
  expect(results.map(({ tags, message }) => `${tags.rule} ${message}`)).toEqual([
    "sync-moved `spec.ignore` is from people; GitRepository 'fleet-v2', which is read instead from now on, has it too",
    expect.stringMatching(/^sync-left /),
  ])
})
