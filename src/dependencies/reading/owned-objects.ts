import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { OwnedObject } from '../owners.ts'
import { placeIn } from './field.ts'
import { OWNER_REFERENCES, ownersOf } from './owner-references.ts'

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
