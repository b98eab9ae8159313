import { expect, test } from 'vitest'
import { planFanOut } from '../src/fleet/plan-fan-out.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../src/json.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import type { Result } from '../src/result.ts'
import { FLEET_API, OWNER_ANNOTATION, OWNER_LABEL } from '../src/well-known.ts'
import { filesOfTree } from './conformance-runner/vector-file.ts'

const FOLDER = 'testdata/conformance/porch/fan-out'

interface Vector {
  readonly set: JsonRecord
  readonly objects: readonly JsonRecord[]
}

/** The set and the objects of a vector. A matrix has no uid, so here the variants of a set name the set in our annotation. */
function readVectors(value: JsonValue): readonly Vector[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((vector) => {
    const input = isRecord(vector) ? lookup(vector, 'input') : undefined
    const set = isRecord(input) ? lookup(input, 'set') : undefined
    const objects = isRecord(input) ? lookup(input, 'objects') : undefined
    if (!isRecord(set) || !Array.isArray(objects)) return []
    const { uid, ...metadata } = asRecordOf(set.metadata)
    const owner = `${String(metadata.namespace ?? 'default')}/${String(metadata.name)}`
    return [{ set: { ...set, metadata }, objects: objects.flatMap((object) => (isRecord(object) ? [ownedBy(object, uid, owner)] : [])) }]
  })
}

function ownedBy(object: JsonRecord, uid: JsonValue | undefined, owner: string): JsonRecord {
  const metadata = asRecordOf(object.metadata)
  const { [OWNER_LABEL]: mark, ...labels } = asRecordOf(metadata.labels)
  if (mark === undefined || mark !== uid) return object
  return { ...object, metadata: { ...metadata, labels, annotations: { ...asRecordOf(metadata.annotations), [OWNER_ANNOTATION]: owner } } }
}

function asRecordOf(value: JsonValue | undefined): JsonRecord {
  return isRecord(value) ? value : {}
}

/** The set as a matrix of one upstream and no layers. */
function asMatrix({ metadata, spec }: JsonRecord): JsonRecord {
  const { upstream, ...others } = asRecordOf(spec)
  return {
    apiVersion: FLEET_API,
    kind: 'PackageVariantMatrix',
    ...(metadata !== undefined && { metadata }),
    spec: { ...(upstream !== undefined && { upstreams: [upstream] }), ...others, maxVariants: 1_000_000 },
  }
}

function documentOf(object: JsonRecord, index: number): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(object), { path: 'all.yaml', index, line: 1 })
}

function plan(set: JsonRecord, objects: readonly KrmObject[]) {
  const { sets, results } = planFanOut(ResourceList.of([...objects, documentOf(set, objects.length)]), {
    lookups: 'required',
    allowEmpty: true,
    maxDeletions: { percent: 100 },
  })
  const changes = sets.flatMap((each) =>
    each.changes.map(({ op, name, namespace, after, existing }) => ({ op, name, namespace, after, existing: existing?.name })),
  )
  return {
    changes,
    errors: [...new Set(results.flatMap(describeError))].sort(),
    warnings: results.filter(isWarning).flatMap(({ tags }) => (ONLY_ONE_HAS.has(tags.rule) ? [] : [tags.rule])),
  }
}

/** The rules of warnings of matrices alone, about `workspaceName` beside a revision, and of sets alone, which have uids of a cluster. */
const ONLY_ONE_HAS: ReadonlySet<string> = new Set(['workspace-beside-revision', 'set-uid-missing'])

function isWarning({ severity }: Result): boolean {
  return severity === 'warning'
}

/** An error by its rule and field. Rules about the upstream differ, since an entry of `upstreams` may name a set in its place. */
function describeError({ severity, tags, field }: Result): readonly string[] {
  if (severity !== 'error') return []
  const path = (field?.path ?? []).join('.')
  return [/^spec\.upstreams?\b/.test(path) ? 'about the upstream' : `${tags.rule} ${path}`]
}

/** Returns the plan as a matrix has it: a package in a folder is no fault of the variant's name, which has a dash for each slash. */
function withDashes(planned: ReturnType<typeof plan>): ReturnType<typeof plan> {
  if (!planned.changes.some(({ name }) => name.includes('/'))) return planned
  return {
    ...planned,
    changes: planned.changes.map((change) => ({ ...change, name: change.name.replaceAll('/', '-') })),
    errors: planned.errors.filter((error) => !error.startsWith('variant-name ')),
  }
}

test('a matrix of one upstream gives what the set gives, on every vector of the controller', () => {
  const vectors = filesOfTree(FOLDER).flatMap((file) => readVectors(file.read()))
  let planned = 0
  for (const { set, objects } of vectors) {
    if (set.apiVersion !== 'config.porch.kpt.dev/v1alpha2') continue
    const documents = objects.map(documentOf)
    const ofSet = plan(set, documents)
    planned += ofSet.changes.length
    expect(plan(asMatrix(set), documents)).toEqual(withDashes(ofSet))
  }
  expect(planned).toBeGreaterThan(1000)
})
