import type { KrmObject } from '../../resource-list/krm-object.ts'
import { childField, childText, fieldAt, itemFields } from './field.ts'

/** An owner of an object, as its metadata names it. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  /** '' where it is not known. */
  readonly uid: string
  readonly controller: boolean
}

/** The path of an object's owner references. */
export const OWNER_REFERENCES = ['metadata', 'ownerReferences']

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
