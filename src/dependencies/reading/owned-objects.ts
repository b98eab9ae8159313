import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { OwnedObject } from '../owners.ts'
import { placeIn } from './field.ts'
import { OWNER_REFERENCES, ownersOf } from './owner-references.ts'

/**
 * The objects with owners. Few have any, and a list may be large: the others are not even read.
 *
 * @param contentName  what an object is called that only one package may bring
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
