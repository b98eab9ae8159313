import { attempt } from '../attempt.ts'
import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { asList, asRecord, type JsonRecord, type JsonValue, scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'
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
 * Returns a warning for each entry of a list that has a value which the API server allows one entry only (`Duplicate` and `must be unique`
 * of pkg/apis/core/validation): the name of a port, of a container or of a volume, and the path of a mount. Merges pair ports by number and
 * protocol, and mounts by path, so that such a value may come from both sides. An object with an alias that cannot be read has no warning.
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

/** Returns the values of each group in which a value must be unique, without groups of one entry. */
function uniqueValuesOf(object: KrmObject): readonly (readonly OwnValue[])[] {
  const kind = `${groupOf(object.apiVersion ?? '')} ${object.kind ?? ''}`
  const place = kind === ' Service' ? ['spec'] : POD_SPEC_PLACES.get(kind)
  if (place === undefined) return []
  // Read at once: each field by itself would be looked for from the beginning of the text.
  const spec = asRecord(attempt(() => object.get(place), FunctionError))
  if (kind === ' Service') return several(valuesIn([...place, 'ports'], spec.ports, 'name'))
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].map((key) => ({
    at: [...place, key],
    list: asList(spec[key]),
  }))
  return [
    ...several(valuesIn([...place, 'volumes'], spec.volumes, 'name')),
    ...several(containers.flatMap(({ at, list }) => valuesIn(at, list, 'name'))),
    ...containers.flatMap(({ at, list }) => list.flatMap((container, index) => uniqueInContainer(asRecord(container), [...at, index]))),
  ]
}

function uniqueInContainer({ ports, volumeMounts, volumeDevices }: JsonRecord, place: FieldPath): readonly (readonly OwnValue[])[] {
  const mounts = valuesIn([...place, 'volumeMounts'], volumeMounts, 'mountPath')
  const devices = valuesIn([...place, 'volumeDevices'], volumeDevices, 'devicePath')
  return [...several(valuesIn([...place, 'ports'], ports, 'name')), ...several([...mounts, ...devices])]
}

function several(values: readonly OwnValue[]): readonly (readonly OwnValue[])[] {
  return values.length > 1 ? [values] : []
}

function valuesIn(place: FieldPath, list: JsonValue | undefined, field: string): readonly OwnValue[] {
  return asList(list).flatMap((entry, index) => {
    const value = scalarText(asRecord(entry)[field])
    return value === '' ? [] : [{ path: [...place, index, field], value }]
  })
}

function repeated(object: KrmObject, { path, value }: OwnValue, first: OwnValue): Result {
  const message = `must be of one entry only, is ${quoteText(value)} as \`${formatFieldPath(first.path)}\`; the API server refuses the object`
  return faultToResult(object, { severity: 'warning', rule: 'repeated-entry', path, message })
}
