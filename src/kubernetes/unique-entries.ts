import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { asList, asRecord, type JsonRecord, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'

/** The places of the pod's spec in the objects of Kubernetes that make pods, by GROUP KIND. */
export const POD_SPEC_PLACES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [' Pod', ['spec']],
  [' PodTemplate', ['template', 'spec']],
  [' ReplicationController', ['spec', 'template', 'spec']],
  ['batch CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
  ['batch Job', ['spec', 'template', 'spec']],
  ...['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'].map((kind) => [`apps ${kind}`, ['spec', 'template', 'spec']] as const),
])

/** A value that only one of several entries may have. */
interface OwnValue {
  readonly path: FieldPath
  readonly value: string
}

/**
 * Returns a warning for each entry of a list that has a value which the API server allows one entry only (`Duplicate` and `must be unique` of
 * pkg/apis/core/validation): the name of a port, of a container or of a volume, and the path of a mount. Merges pair ports by number and
 * protocol, and mounts by path, so that such a value may come from both sides.
 *
 * @example  port `http` 80 of upstream and port `http` 8080 of a person
 */
export function repeatedEntries(object: KrmObject): readonly Result[] {
  return uniqueValuesOf(object).flatMap((values) =>
    [...groupBy(values, ({ value }) => value).values()].flatMap(([first, ...others]) =>
      others.map((other) => repeated(object, other, first)),
    ),
  )
}

/** Returns the values of each group in which a value must be unique. */
function uniqueValuesOf(object: KrmObject): readonly (readonly OwnValue[])[] {
  const kind = `${groupOf(object.apiVersion ?? '')} ${object.kind ?? ''}`
  if (kind === ' Service') return [valuesIn(['spec', 'ports'], asList(object.get(['spec', 'ports'])).map(asRecord), 'name')]
  const place = POD_SPEC_PLACES.get(kind)
  if (place === undefined) return []
  const listOf = (key: string) => ({ at: [...place, key], entries: asList(object.get([...place, key])).map(asRecord) })
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].map(listOf)
  const volumes = listOf('volumes')
  return [
    valuesIn(volumes.at, volumes.entries, 'name'),
    containers.flatMap(({ at, entries }) => valuesIn(at, entries, 'name')),
    ...containers.flatMap(({ at, entries }) => entries.flatMap((container, index) => uniqueInContainer(container, [...at, index]))),
  ]
}

function uniqueInContainer(container: JsonRecord, place: FieldPath): readonly (readonly OwnValue[])[] {
  const values = (key: string, field: string) => valuesIn([...place, key], asList(container[key]).map(asRecord), field)
  return [values('ports', 'name'), [...values('volumeMounts', 'mountPath'), ...values('volumeDevices', 'devicePath')]]
}

function valuesIn(place: FieldPath, entries: readonly JsonRecord[], field: string): readonly OwnValue[] {
  return entries.flatMap((entry, index) => {
    const value = scalarText(entry[field])
    return value === '' ? [] : [{ path: [...place, index, field], value }]
  })
}

function repeated(object: KrmObject, { path, value }: OwnValue, first: OwnValue): Result {
  const message = `must be of one entry only, is ${quoteText(value)} as \`${formatFieldPath(first.path)}\`; the API server refuses the object`
  return faultToResult(object, { severity: 'warning', rule: 'repeated-entry', path, message })
}
