import { readCrossplane } from '../../../src/dependencies/crossplane/crossplane.ts'
import { type RevisionDependencies, revisionResolver } from '../../../src/dependencies/crossplane/reconcile.ts'
import { parseReference } from '../../../src/dependencies/crossplane/reference.ts'
import { isRecord, type JsonRecord } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import type { Difference } from '../adapter.ts'
import { printResourceList } from '../wire.ts'
import { differ, list, record, records, text } from './vectors.ts'

/** A revision that resolves itself against the Lock: how many packages it needs, how many are there, how many are the wrong ones. */
export function judgeRevision(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const counts = countsOf(vector)
  return (['found', 'installed', 'invalid'] as const).flatMap((key) => differ(key, counts[key], expected[key]))
}

function countsOf(vector: JsonRecord): RevisionDependencies {
  const revision = record(vector, 'revision')
  const { source, tag, digest } = parseReference(text(revision, 'image'))
  const lock = records(vector, 'lock').filter((entry) => text(entry, 'name') !== text(revision, 'name'))
  const isNew = lock.length === records(vector, 'lock').length
  const { index } = readCrossplane(objectsOf(vector, lock, source, tag || digest), [], OPTIONS)
  return revisionResolver(index)({ source, isNew, isActive: text(revision, 'desiredState') !== 'Inactive' })
}

const OPTIONS = {
  closed: true,
  crossplaneSemantics: 'current',
} as const

// The Lock without the revision's own entry, the revision as an installed package, and its metadata.
function objectsOf(vector: JsonRecord, lock: readonly JsonRecord[], source: string, version: string) {
  const reference = version.startsWith('sha256:') ? `${source}@${version}` : `${source}:${version}`
  const objects = [
    { apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages: lock },
    { apiVersion: 'pkg.crossplane.io/v1', kind: 'Configuration', metadata: { name: 'self' }, spec: { package: reference } },
    {
      apiVersion: 'meta.pkg.crossplane.io/v1',
      kind: 'Configuration',
      metadata: { name: 'self', annotations: { 'krm-variants.dev/package': reference } },
      spec: { dependsOn: list(vector, 'dependsOn').filter(isRecord) },
    },
  ]
  return ResourceList.parse(printResourceList(objects.map((object, index) => ({ object, path: 'lock.yaml', index })))).items
}
