import type { FieldPath } from '../../field-path.ts'
import { asList, asRecord, isRecord, type JsonValue, scalarText } from '../../json.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import { remember } from '../../remember.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DEPENDS_ON } from '../../well-known.ts'
import { existingPlaces, isOfSpecKind } from '../field-places.ts'
import { NAME_REFERENCES, type NameReference } from './name-references.ts'

/** The kinds of the table without a namespace: they may refer to any object, and any object to them. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  'APIService',
  'ClusterRole',
  'ClusterRoleBinding',
  'MutatingWebhookConfiguration',
  'Node',
  'PersistentVolume',
  'PriorityClass',
  'StorageClass',
  'ValidatingWebhookConfiguration',
])

const FIELDS = NAME_REFERENCES.flatMap((target) => target.fields.map((field) => ({ target, field })))
const FIELDS_BY_KIND = new Map(FIELDS.map(({ field }) => [field.kind, FIELDS.filter((each) => each.field.kind === field.kind)]))

/** The renamed objects by their kind, their old name and their namespace, and the new name of an old one. */
export class RenamedObjects {
  readonly #byName = new Map<string, Map<string, KrmObject[]>>()
  readonly #renamed = new Set<KrmObject>()
  readonly #newName: (name: string) => string

  constructor(newName: (name: string) => string) {
    this.#newName = newName
  }

  /** @param name  the name before */
  add(object: KrmObject, name: string): void {
    this.#renamed.add(object)
    const key = `${object.kind}\n${name}`
    const found = remember(this.#byName, key, () => new Map<string, KrmObject[]>())
    remember(found, namespaceOf(object), () => []).push(object)
  }

  /**
   * Writes the new names into the fields of an object that refer to renamed objects.
   *
   * @throws FunctionError  as `existingPlaces`
   */
  follow(item: KrmObject): void {
    for (const { target, field } of FIELDS_BY_KIND.get(item.kind ?? '') ?? []) {
      if (!this.#byName.size || !isOfSpecKind(item, field)) continue
      for (const place of existingPlaces(item, field.path)) this.#followField(item, target, place)
    }
  }

  #followField(item: KrmObject, target: NameReference, place: FieldPath): void {
    const value: JsonValue = item.get(place) ?? null
    if (Array.isArray(value)) for (const index of value.keys()) this.#followField(item, target, [...place, index])
    else if (isRecord(value)) this.#followMap(item, target, place)
    else if (value !== null && this.#referred(item, target, place, scalarText(value)) !== undefined)
      item.set(place, this.#newName(scalarText(value)))
  }

  /** Follows a map with `name` and `namespace`, as a subject of a RoleBinding. */
  #followMap(item: KrmObject, target: NameReference, place: FieldPath): void {
    const { name, namespace } = asRecord(item.get(place))
    const old = scalarText(name)
    const referred = this.#referred(item, target, place, old, namespace === undefined ? undefined : scalarText(namespace))
    if (referred === undefined) return
    item.set([...place, 'name'], this.#newName(old))
    if (referred.namespace !== undefined && referred.namespace !== '') item.set([...place, 'namespace'], referred.namespace)
  }

  /**
   * Returns the renamed object that a name means: the only one that the object can refer to; of several the first, if the object itself
   * was renamed.
   *
   * @param namespace  that stands beside the name
   */
  #referred(item: KrmObject, target: NameReference, place: FieldPath, name: string, namespace?: string): KrmObject | undefined {
    const found = this.#byName.get(`${target.kind}\n${name}`)
    if (found === undefined || (place[0] === 'roleRef' && !fitsRoleRef(item, target))) return undefined
    const reachable = this.#reachable(item, target, found)
    const namespaces = namespace === undefined ? reachable : reachable.filter((each) => each === (namespace || DEFAULT_NAMESPACE))
    const candidates = namespaces.flatMap((each) => (found.get(each) ?? []).filter((object) => isOfSpecKind(object, target)))
    return candidates.length === 1 || this.#renamed.has(item) ? candidates[0] : undefined
  }

  /** Returns the namespaces of the objects that an object can refer to: for a RoleBinding also those of its ServiceAccounts. */
  #reachable(item: KrmObject, target: NameReference, found: ReadonlyMap<string, unknown>): readonly string[] {
    if (CLUSTER_KINDS.has(target.kind) || CLUSTER_KINDS.has(item.kind ?? '')) return [...found.keys()]
    const own = namespaceOf(item)
    if (target.kind !== 'ServiceAccount' || item.kind !== 'RoleBinding') return [own]
    const subjects = item.get(['subjects'])
    const accounts = asList(subjects)
      .map(asRecord)
      .filter(({ kind }) => kind === 'ServiceAccount')
    const named = accounts.map(({ namespace }) => scalarText(namespace))
    return [...new Set([own, ...named.filter((each) => each !== '')])]
  }
}

function namespaceOf({ namespace }: KrmObject): string {
  return namespace === undefined || namespace === '' ? DEFAULT_NAMESPACE : namespace
}

/** Returns false if the roleRef of a binding names another kind or group. */
function fitsRoleRef(item: KrmObject, { kind, group }: NameReference): boolean {
  const { kind: named, apiGroup } = asRecord(item.get(['roleRef']))
  return named === undefined || apiGroup === undefined || (named === kind && apiGroup === group)
}

const REFERENCE = /^([-.\w]*)\/(?:namespaces\/[-.\w]*\/)?([-.\w]*)\/([-.\w]*)$/

/** Returns the key of an object for references of the annotation depends-on: group, kind and name. */
export function dependencyKey({ apiVersion = '', kind = '', name = '' }: KrmObject): string {
  return [groupOf(apiVersion), kind, name].join('/')
}

/** Writes the new name into the annotation depends-on, if the package has the object that it names. */
export function followDependsOn(item: KrmObject, keys: ReadonlySet<string>, newName: (name: string) => string): void {
  const text = item.annotations.get(DEPENDS_ON) ?? ''
  const [whole, group, kind, name = ''] = REFERENCE.exec(text) ?? []
  if (whole === undefined || !keys.has([group, kind, name].join('/'))) return
  item.set(['metadata', 'annotations', DEPENDS_ON], `${text.slice(0, text.length - name.length)}${newName(name)}`)
}
