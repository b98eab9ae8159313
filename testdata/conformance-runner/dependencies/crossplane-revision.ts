import { checkRequirements } from '../../../src/dependencies/check-requirements.ts'
import { readCrossplane } from '../../../src/dependencies/crossplane/read-crossplane.ts'
import { parseReference } from '../../../src/dependencies/crossplane/reference.ts'
import { dependenciesOf, impliedNodes } from '../../../src/dependencies/graph.ts'
import { dependencyGraph } from '../../../src/dependencies/shape.ts'
import { isRecord, type JsonRecord } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import type { Difference } from '../adapter.ts'
import { printResourceList } from '../wire.ts'
import { differ, list, record, records, text } from './vectors.ts'

/** A revision that resolves itself against the Lock: how many packages it needs, how many are there, how many are the wrong ones. */
export function judgeRevision(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const counts = countsOf(vector)
  return ['found', 'installed', 'invalid'].flatMap((key) => differ(key, counts[key], expected[key]))
}

function countsOf(vector: JsonRecord): Readonly<Record<string, number>> {
  const revision = record(vector, 'revision')
  if (text(revision, 'desiredState') === 'Inactive') return { found: 0, installed: 0, invalid: 0 }
  const { source, tag, digest } = parseReference(text(revision, 'image'))
  const lock = records(vector, 'lock').filter((entry) => text(entry, 'name') !== text(revision, 'name'))
  const isNew = lock.length === records(vector, 'lock').length
  const { universe } = readCrossplane(objectsOf(vector, lock, source, tag || digest), [], OPTIONS)
  const graph = dependencyGraph(universe)
  const missing = new Set(impliedNodes(graph))
  const direct = [...new Set(graph.get(source) ?? [])]
  const found = isNew && direct.some((each) => missing.has(each)) ? direct : dependenciesOf(graph, source)
  const absent = found.filter((each) => missing.has(each)).length
  const findings = checkRequirements(universe, { serves: () => true, providersOf: () => [] }, { downgrades: false })
  const violated = findings.filter(
    ({ tags, rule }) => tags.package === source && tags.installed !== undefined && rule !== 'dependency-missing',
  )
  return { found: found.length, installed: found.length - absent, invalid: absent > 0 ? 0 : violated.length }
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
