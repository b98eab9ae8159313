import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Controller, OwnedObject } from '../owners.ts'
import { childOf, childText, type Field, fieldAt, itemsOf, placeIn } from './field.ts'

/**
 * The objects with owners. Few have any, and a list may be large: the others are not even read.
 *
 * @param contentName  what an object is called that only one package may bring
 */
export function ownedObjects(objects: readonly KrmObject[], contentName: (object: KrmObject) => string | undefined): OwnedObject[] {
  const owned = objects.filter((object) => object.toText().includes('ownerReferences'))
  return owned.map((object) => {
    const owners = itemsOf(fieldAt(object, OWNERS))
    return {
      object: contentName(object),
      ref: object.ref,
      owners: named(owners),
      controllers: named(owners.filter((owner) => childOf(owner, 'controller').value === true)),
      place: placeIn(object, OWNERS),
    }
  })
}

const OWNERS = ['metadata', 'ownerReferences']

function named(owners: readonly Field[]): Controller[] {
  return owners
    .map((owner) => ({ kind: childText(owner, 'kind'), name: childText(owner, 'name') }))
    .filter(({ kind, name }) => kind !== '' && name !== '')
}
