import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Controller, OwnedObject } from '../owners.ts'
import { childOf, childText, fieldAt, itemsOf, placeIn } from './field.ts'

/**
 * The objects with owners. Few have any, and a list may be large: the others are not even read.
 *
 * @param contentName  what an object is called that only one package may bring
 */
export function ownedObjects(objects: readonly KrmObject[], contentName: (object: KrmObject) => string | undefined): OwnedObject[] {
  const owned = objects.filter((object) => object.toText().includes('ownerReferences'))
  return owned.map((object) => ({
    object: contentName(object),
    ref: object.ref,
    controllers: controllersOf(object),
    place: placeIn(object, ['metadata', 'ownerReferences']),
  }))
}

function controllersOf(object: KrmObject): Controller[] {
  const owners = itemsOf(fieldAt(object, ['metadata', 'ownerReferences']))
  return owners
    .filter((owner) => childOf(owner, 'controller').value === true)
    .map((owner) => ({ kind: childText(owner, 'kind'), name: childText(owner, 'name') }))
    .filter(({ kind, name }) => kind !== '' && name !== '')
}
