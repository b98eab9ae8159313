import type { BroughtObject } from '../owners.ts'
import { childText, type Field, itemsOf, placeOf } from './field.ts'

/** The objects that a catalog says a version brings. */
export function broughtBy(brings: Field | undefined, by: string, id: string): BroughtObject[] {
  if (brings === undefined) return []
  return itemsOf(brings).map((item) => ({
    object: `${childText(item, 'kind')} ${childText(item, 'name')}`,
    by,
    package: id,
    place: placeOf(item),
  }))
}
