import type { FieldPath } from '../../../src/field-path.ts'
import { isRecord, type JsonValue, scalarText } from '../../../src/json.ts'

/** The fields by whose values the entries of a list are the same on two sides; `[]` for a list of texts. */
type KeyFields = readonly string[]

/**
 * The lists whose entries kpt merges one by one, of the kinds that random packages have (the OpenAPI document of Kubernetes,
 * x-kubernetes-patch-merge-key and x-kubernetes-list-map-keys). Each number of a path is a `*`.
 */
const LISTS: Readonly<Record<string, Readonly<Record<string, KeyFields>>>> = {
  Deployment: {
    'spec.template.spec.containers': ['name'],
    'spec.template.spec.initContainers': ['name'],
    'spec.template.spec.volumes': ['name'],
    'spec.template.spec.imagePullSecrets': ['name'],
    'spec.template.spec.containers.*.env': ['name'],
    'spec.template.spec.containers.*.ports': ['containerPort', 'protocol'],
    'spec.template.spec.containers.*.volumeMounts': ['mountPath'],
    'metadata.finalizers': [],
  },
  Service: { 'spec.ports': ['port', 'protocol'], 'metadata.finalizers': [] },
  ConfigMap: { 'metadata.finalizers': [] },
}

const API_VERSIONS: Readonly<Record<string, string>> = { Deployment: 'apps/v1', Service: 'v1', ConfigMap: 'v1' }

/** Fields that a list of another kind may be merged by; no documentation promises that. */
const LIKELY: readonly KeyFields[] = [
  ['name'],
  ['type'],
  ['uid'],
  ['ip'],
  ['port'],
  ['port', 'protocol'],
  ['containerPort'],
  ['containerPort', 'protocol'],
  ['mountPath'],
  ['image'],
  [],
]

/**
 * Returns the key fields by which the entries of a list must be merged, `likely` where they may be, undefined where the list is one value.
 *
 * @param of  apiVersion and kind of the resource on every side
 */
export function keyOfList(of: readonly { readonly apiVersion: string; readonly kind: string }[], field: FieldPath): KeyFields | 'likely' {
  const [first] = of
  if (first === undefined || of.some(({ apiVersion, kind }) => kind !== first.kind || apiVersion !== API_VERSIONS[first.kind]))
    return 'likely'
  const path = field.map((step) => (typeof step === 'number' ? '*' : step)).join('.')
  return LISTS[first.kind]?.[path] ?? 'likely'
}

/** Returns the keys, of those that a list may be merged by, that distinguish the entries of every list. */
export function likelyKeys(lists: readonly (readonly JsonValue[])[]): readonly KeyFields[] {
  return LIKELY.filter((fields) => tellsApart(lists, fields))
}

/**
 * Returns the fields of a key that the entries have: all, or the first alone where no entry of any list has another (ports without a
 * protocol).
 */
export function usedFields(lists: readonly (readonly JsonValue[])[], fields: KeyFields): KeyFields {
  const [first, ...others] = fields
  const isUsed = lists.flat().some((entry) => isRecord(entry) && others.some((field) => Object.hasOwn(entry, field)))
  return first === undefined || isUsed ? fields : [first]
}

/** Returns true if each entry of each list has a key, and no two entries of one list have the same. */
export function tellsApart(lists: readonly (readonly JsonValue[])[], fields: KeyFields): boolean {
  return lists.every((list) => {
    const keys = list.map((entry) => entryKey(entry, fields))
    return keys.every((key) => key !== undefined) && new Set(keys).size === keys.length
  })
}

/** Returns the key of an entry; undefined where a field of the key is missing. An image counts without its tag. */
export function entryKey(entry: JsonValue, fields: KeyFields): string | undefined {
  if (fields.length === 0) return typeof entry === 'object' ? undefined : String(entry)
  if (!isRecord(entry)) return undefined
  const texts = fields.map((field) => (field === 'image' ? scalarText(entry[field]).replace(/[:@].*/, '') : scalarText(entry[field])))
  return texts.includes('') ? undefined : JSON.stringify(texts)
}
