import type { FieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { alignedValue } from './edit-object.ts'
import { HASHED } from './explain-overlay.ts'
import { type ObjectPairs, pairObjects } from './pair-objects.ts'

/** Another value for a field of a base, by which the probe finds the overlays that set the field themselves. */
interface ProbeChange {
  readonly path: FieldPath
  readonly value: JsonValue
}

/** The fields of each object of a base that an overlay sets itself, so that they stay when the base changes them. */
export type FieldsThatStay = ReadonlyMap<KrmObject, readonly FieldPath[]>

/**
 * Returns transformers of kustomize that give other values to the fields of the objects that a base builds. What overlays find objects and
 * entries of lists by stays: names, labels, and the keys by which patches are merged.
 */
export function probeTransformers(objects: readonly KrmObject[]): readonly JsonRecord[] {
  return objects.flatMap((object, index) => {
    const { kind = '', name = '', apiVersion = '' } = object
    const isAlone = objects.filter((each) => each.kind === kind && each.name === name).length === 1
    const changes = isAlone ? changesOf(object) : []
    if (changes.length === 0) return []
    const patch = JSON.stringify(changes.map(({ path, value }) => ({ op: 'replace', path: pointerOf(path), value })))
    // A transformer of a base runs before kustomize adds the hash to the name of a generated object.
    const target = { group: groupOf(apiVersion), kind, name: name.replace(HASHED, '').replaceAll('.', '\\.') }
    return [{ apiVersion: 'builtin', kind: 'PatchTransformer', metadata: { name: `krm-variants-probe-${index}` }, patch, target }]
  })
}

/**
 * Returns the fields that an overlay sets itself: those that the changed base has otherwise, and the overlay of the changed base as before.
 *
 * @param pairs  the objects of the base with those of the overlay
 * @param probed  the objects of the changed base, and those that the overlay makes of it
 */
export function fieldsThatStay(
  pairs: ObjectPairs,
  probed: { readonly base: readonly KrmObject[]; readonly overlay: readonly KrmObject[] },
): FieldsThatStay {
  const bases = pairObjects([...pairs.keys()], probed.base)
  const overlays = pairObjects([...pairs.values()], probed.overlay)
  return new Map(
    [...pairs].map(([object, overlay]) => {
      const [own, before] = [object.toJson(), overlay.toJson()]
      const [base, after] = [bases.get(object)?.toJson(), overlays.get(overlay)?.toJson()]
      const kept = changesOf(object).filter(({ path, value }) => {
        if (base === undefined || after === undefined || !equalJson(alignedValue(base, own, path), value)) return false
        const [was, is] = [alignedValue(before, own, path), alignedValue(after, own, path)]
        return was !== undefined && equalJson(was, is) && !equalJson(is, value)
      })
      return [object, kept.map(({ path }) => path)] as const
    }),
  )
}

function changesOf(object: KrmObject): readonly ProbeChange[] {
  if (/^(?:Secret|CustomResourceDefinition)$/.test(object.kind ?? '')) return []
  const fields = Object.entries(object.toJson()).filter(([key]) => !NO_VALUES.has(key))
  return fields.flatMap(([key, value]) => changesBelow(value, [key], false))
}

/** Returns other values for the fields of a value. @param isEntry  true for the value of an entry of a list */
function changesBelow(value: JsonValue, path: FieldPath, isEntry: boolean): readonly ProbeChange[] {
  if (isRecord(value))
    return Object.entries(value)
      .filter(([key]) => !IDENTITIES.has(key) && !(isEntry && MERGE_KEYS.has(key)))
      .flatMap(([key, each]) => changesBelow(each, [...path, key], false))
  if (Array.isArray(value) && value.some((each) => isRecord(each) || Array.isArray(each)))
    return value.flatMap((each, index) => changesBelow(each, [...path, index], true))
  const other = otherValue(value)
  return other === undefined ? [] : [{ path, value: other }]
}

const NO_VALUES = new Set(['apiVersion', 'kind', 'metadata', 'status'])
const IDENTITIES = new Set([
  ...['name', 'namespace', 'kind', 'apiGroup', 'apiVersion'],
  ...['labels', 'annotations', 'selector', 'matchLabels', 'matchExpressions', 'labelSelector'],
])
const MERGE_KEYS = new Set(['containerPort', 'port', 'protocol', 'mountPath', 'devicePath', 'ip', 'topologyKey', 'key', 'type'])

/**
 * Returns another value of the same type; undefined for a value that has none. The other image has another name, which `images` do not
 * find.
 */
function otherValue(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return value === '' ? undefined : `krm-variants-probe-${value}`
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
    ? [...value, 'krm-variants-probe']
    : undefined
}

function pointerOf(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
