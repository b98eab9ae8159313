import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { isRecord } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { locate, shortestPath } from '../../resource-list/package-of.ts'
import { listNames, nameSome } from '../finding.ts'
import type { OwnedObject } from '../owners.ts'
import { childField, childText, fieldAt, itemFields, placeIn } from './field.ts'

/** Returns the first part of an object's apiVersion and its kind: `GROUP/KIND`, for the core group `v1/KIND`. */
export function groupKind({ apiVersion = '', kind = '' }: KrmObject): string {
  const slash = apiVersion.indexOf('/')
  return `${slash === -1 ? apiVersion : apiVersion.slice(0, slash)}/${kind}`
}

/** A kind of a group, of any version. */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}

/** Returns true if an object is of one of some kinds. */
export function isOneOf({ apiVersion = '', kind }: KrmObject, kinds: readonly GroupKind[]): boolean {
  return kinds.some((each) => each.kind === kind && each.group === groupOf(apiVersion))
}

/** Returns the namespace of an object; `default` if the object names none. */
export function namespaceOf({ namespace }: Pick<KrmObject, 'namespace'>): string {
  return namespace === undefined || namespace === '' ? 'default' : namespace
}

/** Returns the place of an object's file among all packages; '' for an object without a file. */
export function locationOf({ file, packagePath }: KrmObject): string {
  return file === undefined ? '' : shortestPath(locate(file.path, packagePath))
}

/** An owner of an object, as its metadata names it. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** '' where it is not known. */
  readonly uid: string
  readonly controller: boolean
}

/** A revision or package that may own objects. */
export type ObjectOwner = Omit<OwnerReference, 'controller'>

const OWNER_REFERENCES = ['metadata', 'ownerReferences']

/** Returns the owner references of an object; missing texts are ''. */
export function ownersOf(object: KrmObject): OwnerReference[] {
  return itemFields(fieldAt(object, OWNER_REFERENCES)).map((each) => ({
    apiVersion: childText(each, 'apiVersion'),
    kind: childText(each, 'kind'),
    name: childText(each, 'name'),
    uid: childText(each, 'uid'),
    controller: childField(each, 'controller').value === true,
  }))
}

/**
 * Returns the objects with owner references. Only objects whose text names `ownerReferences` are read, because a list may be large.
 *
 * @param contentName  returns the name of an object that only one package may bring
 */
export function ownedObjects(objects: readonly KrmObject[], contentName: (object: KrmObject) => string | undefined): OwnedObject[] {
  const owned = objects.filter((object) => object.toText().includes('ownerReferences'))
  return owned.map((object) => {
    const owners = ownersOf(object).filter(({ kind, name }) => kind !== '' && name !== '')
    const controllers = owners.filter(({ controller }) => controller)
    return { object: contentName(object), ref: object.ref, owners, controllers, place: placeIn(object, OWNER_REFERENCES) }
  })
}

/** The annotation of each object that was made to meet a requirement: the version that the object was made with. */
export const RESOLVED_ANNOTATION = 'krm-variants.dev/resolved'

/**
 * Returns true if an object was made to meet a requirement and no person has edited its version since. An edit makes the version field
 * differ from the annotation.
 *
 * @param version.written  the text of the version field
 * @param version.marked   true if the package manager itself marked the object; counts for an object without the annotation
 */
export function isGenerated(
  { annotations }: KrmObject,
  { written, marked }: { readonly written: string; readonly marked: boolean },
): boolean {
  const resolved = annotations.get(RESOLVED_ANNOTATION)
  return resolved === undefined ? marked : resolved === written
}

/**
 * Returns the reason why `prune` must not remove a generated object, as a clause: a field that is never generated, or not always. Returns
 * undefined if the object has no other fields than the generated ones.
 *
 * @param generated  maps of the object, and the keys that are generated in each
 */
export function fieldsOfPeople(
  object: KrmObject,
  generated: readonly { readonly path: FieldPath; readonly keys: readonly string[] }[],
): string | undefined {
  const others = generated.flatMap(({ path, keys }) => {
    const map = object.get(path)
    return isRecord(map) ? Object.keys(map).flatMap((key) => (keys.includes(key) ? [] : [formatFieldPath([...path, key])])) : []
  })
  return others.length === 0 ? undefined : `a person may have set ${listNames(nameSome(others, (path) => `\`${path}\``))}`
}
