import { resolve } from 'node:path'
import type { GeneratedApplication } from '../../src/convert/applicationset/expand-set.ts'
import { type Example, inferExpression, mostFrequent } from '../../src/convert/applicationset/infer-expression.ts'
import { destinationOf, keptFields, type PlacedApplication } from '../../src/convert/applicationset/place-applications.ts'
import { editObject } from '../../src/convert/edit-object.ts'
import { syncText } from '../../src/convert/fleet-texts.ts'
import { formatFieldPath } from '../../src/field-path.ts'
import { asRecord, equalJson, type JsonRecord, type JsonValue, scalarText } from '../../src/json.ts'
import { printable } from '../../src/printable.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Host } from '../host.ts'
import { syncNow } from '../sync/sync.ts'
import { objectInFile } from './object-in-file.ts'
import { writeFile } from './write-fleet.ts'

/** The options of sync; its objects are in a folder beside the file. */
const OPTIONS = 'fleet/sync.yaml'

/**
 * Writes the Applications of a fleet with `sync`, and compares each with the one that its set generates. What the options cannot say, such
 * as a label, is an edit of the Application, which sync keeps. Prints a table, and returns true only if all are equal.
 */
export async function deployApplications(
  placed: readonly PlacedApplication[],
  work: string,
  isFirst: boolean,
  host: Host,
): Promise<boolean> {
  const at: Host = { ...host, locate: (path) => resolve(work, path), write: () => {}, warn: () => {} }
  if (isFirst) writeFile(work, OPTIONS, syncText(optionsOf(placed)))
  await syncNow('.', at)
  const rows = placed.map((each) => {
    const file = `fleet/argocd/application-${each.application.name}.yaml`
    const found = objectInFile(work, file, { kind: 'Application', name: each.application.name })
    if (found === undefined) return { each, faults: ['is missing'], edits: [] }
    const { object } = found
    const edits = isFirst ? editObject(object, wantedOf(each, object.toJson())) : []
    if (edits.length > 0) writeFile(work, file, found.fileWith(object.toText()))
    return { each, faults: differences(each, object), edits: edits.map(formatFieldPath) }
  })
  await syncNow('.', at)
  for (const { each, faults, edits } of rows) printRow(each, faults, edits, host)
  return rows.every(({ faults }) => faults.length === 0)
}

function optionsOf(placed: readonly PlacedApplication[]): JsonRecord {
  const examplesOf = (text: (application: GeneratedApplication) => string): readonly Example[] =>
    placed.map(({ application, overlay, path }) => {
      const labels = { cluster: overlay.target, ...overlay.labels }
      return { wanted: text(application), repository: overlay.target, packageName: path, labels }
    })
  const namespaces = examplesOf((each) => destinationOf(each).namespace)
  const policies = placed.map(({ application }) => asRecord(keptFields(application).spec).syncPolicy)
  const namespace = applicationNamespace(placed[0]?.application)
  return {
    for: 'argocd',
    ...(namespace !== 'argocd' && { namespace }),
    nameExpr: inferExpression(examplesOf(({ name }) => name)),
    projectExpr: inferExpression(examplesOf(({ spec }) => scalarText(spec.project))),
    destinationExpr: inferExpression(examplesOf((each) => destinationOf(each).text)),
    ...(namespaces.every(({ wanted }) => wanted !== '') && { namespaceExpr: inferExpression(namespaces) }),
    syncPolicy: mostFrequent(policies.map((each) => each ?? {})) ?? {},
  }
}

/** Returns the namespace of an Application: the namespace of its set, whatever its template says, else Argo CD's. */
export function applicationNamespace(application: GeneratedApplication | undefined): string {
  return application?.set.namespace || 'argocd'
}

/** Returns an Application that sync wrote with the fields of the generated one. */
function wantedOf({ application }: PlacedApplication, written: JsonRecord): JsonRecord {
  const kept = keptFields(application)
  const [metadata, spec] = [asRecord(kept.metadata), asRecord(kept.spec)]
  const own = asRecord(written.metadata)
  const { syncPolicy: _, ...others } = asRecord(written.spec)
  const annotations = { ...asRecord(own.annotations), ...asRecord(metadata.annotations) }
  const policy = spec.syncPolicy ?? (equalJson(asRecord(written.spec).syncPolicy, {}) ? {} : undefined)
  return {
    ...written,
    metadata: { ...own, ...metadata, annotations },
    spec: { ...others, ...spec, ...(policy !== undefined && { syncPolicy: policy }) },
  }
}

/** Returns the fields in which an Application of the fleet is not as the generated one. Labels and annotations may be more. */
function differences({ application, path }: PlacedApplication, object: KrmObject): readonly string[] {
  const kept = keptFields(application)
  const [metadata, spec] = [asRecord(kept.metadata), asRecord(kept.spec)]
  const pairs: readonly (readonly [string, JsonValue | undefined, JsonValue | undefined])[] = [
    ['metadata.namespace', applicationNamespace(application), object.namespace],
    ['metadata.finalizers', metadata.finalizers, object.get(['metadata', 'finalizers'])],
    ['spec.source.path', path, object.get(['spec', 'source', 'path'])],
    ...(['project', 'destination', 'syncPolicy', 'ignoreDifferences', 'info', 'revisionHistoryLimit'] as const).map(
      (field) => [`spec.${field}`, spec[field], object.get(['spec', field])] as const,
    ),
  ]
  const maps = (['labels', 'annotations'] as const).filter((field) =>
    Object.entries(asRecord(metadata[field])).some(([key, value]) => object[field].get(key) !== value),
  )
  return [
    ...pairs.filter(([, one, other]) => !equalJson(one ?? {}, other ?? {})).map(([name]) => name),
    ...maps.map((each) => `metadata.${each}`),
  ]
}

function printRow({ application, path }: PlacedApplication, faults: readonly string[], edits: readonly string[], host: Host): void {
  const { text, namespace } = destinationOf(application)
  const columns = [
    `project ${scalarText(application.spec.project)}`,
    `to ${text}${namespace === '' ? '' : ` ${namespace}`}`,
    `path ${path}`,
    policyText(asRecord(application.spec.syncPolicy)),
  ]
  const result = faults.length === 0 ? 'equal' : `not equal: ${faults.join(', ')}`
  host.write(`${printable(`Application ${application.name}: ${columns.join(', ')}: ${result}`)}\n`)
  if (edits.length > 0) host.write(`  edit: ${printable(edits.join(', '))}\n`)
}

/** Returns a sync policy in a few words: `automated prune selfHeal, CreateNamespace=true, retry 5`. */
function policyText({ automated, syncOptions, retry }: JsonRecord): string {
  const flags = Object.entries(asRecord(automated)).flatMap(([key, value]) => (value === true ? [key] : []))
  const isAutomated = automated !== undefined && automated !== null && asRecord(automated).enabled !== false
  const { limit } = asRecord(retry)
  return [
    isAutomated ? ['automated', ...flags].join(' ') : 'by hand',
    ...(Array.isArray(syncOptions) ? syncOptions.map(scalarText) : []),
    ...(limit === undefined ? [] : [`retry ${scalarText(limit)}`]),
  ].join(', ')
}
