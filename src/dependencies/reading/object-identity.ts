import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'

/** The first part of an object's apiVersion and its kind: `GROUP/KIND`, of the core group `v1/KIND`. */
export function groupKind({ apiVersion = '', kind = '' }: KrmObject): string {
  return `${apiVersion.split('/')[0]}/${kind}`
}

/** A kind by its group, whatever the version. */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}

/** Whether an object is of one of some kinds. */
export function isOneOf({ apiVersion = '', kind }: KrmObject, kinds: readonly GroupKind[]): boolean {
  return kinds.some((each) => each.kind === kind && each.group === groupOf(apiVersion))
}

/** Whether an object is of a kind in one of some groups. */
export function isOfKind({ apiVersion = '', kind }: KrmObject, wanted: string, groups: ReadonlySet<string>): boolean {
  return kind === wanted && groups.has(groupOf(apiVersion))
}

/** The namespace an object is in; one that names none is in `default`. */
export function namespaceOf({ namespace }: Pick<KrmObject, 'namespace'>): string {
  return namespace === undefined || namespace === '' ? 'default' : namespace
}
