import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'

/** The first part of an object's apiVersion and its kind: `GROUP/KIND`, of the core group `v1/KIND`. */
export function groupKind({ apiVersion = '', kind = '' }: KrmObject): string {
  return `${apiVersion.split('/')[0]}/${kind}`
}

/** Whether an object is of a kind in one of some groups. */
export function isOfKind({ apiVersion = '', kind }: KrmObject, wanted: string, groups: ReadonlySet<string>): boolean {
  return kind === wanted && groups.has(groupOf(apiVersion))
}
