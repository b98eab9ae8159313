import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { currentRevisionName } from './revisions.ts'
import { digest, objectOf, packageObject, read, revisionObject } from './testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const SQL = 'xpkg.example.org/acme/sql'
const NAME = currentRevisionName('helm', digest('a'), undefined)
const CATALOG = [
  { id: HELM, versions: [{ version: 'v1.0.0', digest: digest('a'), dependencies: [{ provider: SQL, version: '>=v1.0.0' }] }] },
]

/** Returns the steps on the Lock in one reconcile of a Provider with one revision, each with the entries afterwards. */
function stepsAfter(entries: readonly JsonRecord[], state: 'Active' | 'Inactive' = 'Active', crossplaneVersion = 'v2.3.4') {
  const objects = [
    packageObject('helm', `${HELM}:v1.0.0`, state === 'Active' ? {} : { revisionActivationPolicy: 'Manual' }),
    revisionObject('helm', NAME, { image: `${HELM}:v1.0.0`, revision: 1, desiredState: state }),
    objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages: entries }),
  ]
  const done = read(objects, CATALOG, { crossplaneVersion }).controller?.reconcile?.(NO_KINDS)
  return [...(done?.steps ?? []), ...(done?.clusterSteps ?? [])].flatMap(({ what, why, edits }) =>
    edits.flatMap((edit) => (edit.type === 'set' && edit.object.kind === 'Lock' ? [{ what, why, after: edit.fields[0]?.value }] : [])),
  )
}

/** Returns the entries of the Lock after each of these steps. */
function entriesAfter(...given: Parameters<typeof stepsAfter>): readonly unknown[] {
  return stepsAfter(...given).map(({ after }) => after)
}

const entry = (more: JsonRecord = {}): JsonRecord => ({
  apiVersion: 'pkg.crossplane.io/v1',
  kind: 'Provider',
  name: NAME,
  source: HELM,
  version: 'v1.0.0',
  dependencies: [{ package: SQL, constraints: '>=v1.0.0' }],
  ...more,
})
const OTHER = entry({ name: 'other-1', source: SQL, dependencies: [] })

test('an Active revision adds its entry, with what its version requires, behind the others', () => {
  expect(entriesAfter([OTHER])).toEqual([[OTHER, entry()]])
})

test('an entry as the revision wants it is left as it is', () => {
  expect(entriesAfter([entry(), OTHER])).toEqual([])
})

test('an entry with another version gets the version, and keeps its place', () => {
  expect(entriesAfter([entry({ version: 'v0.9.0' }), OTHER])).toEqual([[entry(), OTHER]])
})

test('an entry of another source is replaced, and not left beside the new one', () => {
  expect(entriesAfter([entry({ source: SQL }), OTHER])).toEqual([[OTHER, entry()]])
})

test('an Inactive revision takes out its own entry alone', () => {
  expect(entriesAfter([entry(), OTHER], 'Inactive')).toEqual([[OTHER]])
})

test('an Inactive revision without an entry changes nothing', () => {
  expect(entriesAfter([OTHER], 'Inactive')).toEqual([])
})

test('before Crossplane 2.2 an entry with another version stays, and one of another source is replaced', () => {
  expect(entriesAfter([entry({ version: 'v0.9.0' })], 'Active', 'v2.1.3')).toEqual([])
  expect(entriesAfter([entry({ source: SQL })], 'Active', 'v2.1.3')).toEqual([[entry()]])
})

test.each<[string, readonly JsonRecord[], 'Active' | 'Inactive', string, string]>([
  ['a new entry', [], 'Active', `has ${HELM} v1.0.0 as ${NAME}`, 'an Active revision adds itself'],
  ['another version', [entry({ version: 'v0.9.0' })], 'Active', `has ${HELM} v1.0.0 as ${NAME}`, 'the entry had v0.9.0'],
  ['a missing version', [entry({ version: '' })], 'Active', `has ${HELM} v1.0.0 as ${NAME}`, 'the entry had no version'],
  ['another source', [entry({ source: SQL })], 'Active', `has ${HELM} v1.0.0 as ${NAME}`, `its entry was outdated, of ${SQL}`],
  ['an entry that goes', [entry()], 'Inactive', `has no entry ${NAME} any more`, 'only Active revisions are in the Lock'],
])('the step of %s says what changes and why', (_, entries, state, what, why) => {
  expect(stepsAfter(entries, state).map((step) => [step.what, step.why])).toEqual([[`Lock lock ${what}`, why]])
})
