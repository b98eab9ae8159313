import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'

/** Returns the first part of an object's apiVersion and its kind: `GROUP/KIND`, for the core group `v1/KIND`. */
export function groupKind({ apiVersion = '', kind = '' }: KrmObject): string {
  return `${apiVersion.split('/')[0]}/${kind}`
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

/** Returns true if an object is of a kind in one of some groups. */
export function isOfKind({ apiVersion = '', kind }: KrmObject, wanted: string, groups: ReadonlySet<string>): boolean {
  return kind === wanted && groups.has(groupOf(apiVersion))
}

/** Returns the namespace of an object; `default` if the object names none. */
export function namespaceOf({ namespace }: Pick<KrmObject, 'namespace'>): string {
  return namespace === undefined || namespace === '' ? 'default' : namespace
}
