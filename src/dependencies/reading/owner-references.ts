import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { OwnedObject } from '../owners.ts'
import { childField, childText, fieldAt, itemFields, placeIn } from './field.ts'

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
    return {
      object: contentName(object),
      ref: object.ref,
      owners,
      controllers: owners.filter(({ controller }) => controller),
      place: placeIn(object, OWNER_REFERENCES),
    }
  })
}
