import type { BroughtObject } from '../owners.ts'
import { childText, itemFields, type ObjectField, placeOfField } from './field.ts'

/** The objects that a catalog says a version brings. */
export function broughtBy(brings: ObjectField | undefined, by: string, id: string): BroughtObject[] {
  if (brings === undefined) return []
  return itemFields(brings).map((item) => ({
    object: `${childText(item, 'kind')} ${childText(item, 'name')}`,
    by,
    package: id,
    place: placeOfField(item),
  }))
}
