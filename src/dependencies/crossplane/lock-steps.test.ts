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

/** Returns the entries of the Lock after one reconcile of a Provider with one revision. */
function entriesAfter(entries: readonly JsonRecord[], state: 'Active' | 'Inactive' = 'Active'): readonly unknown[] {
  const objects = [
    packageObject('helm', `${HELM}:v1.0.0`, state === 'Active' ? {} : { revisionActivationPolicy: 'Manual' }),
    revisionObject('helm', NAME, { image: `${HELM}:v1.0.0`, revision: 1, desiredState: state }),
    objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages: entries }),
  ]
  const done = read(objects, CATALOG, { crossplaneVersion: 'v2.3.4' }).controller?.reconcile?.(NO_KINDS)
  const edits = [...(done?.steps ?? []), ...(done?.clusterSteps ?? [])].flatMap((step) => step.edits)
  const written = edits.flatMap((edit) => (edit.type === 'set' && edit.object.kind === 'Lock' ? edit.fields : []))
  return written.map(({ value }) => value)
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
