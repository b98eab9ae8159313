import type { BroughtObject } from '../owners.ts'
import { childText, itemFields, type ObjectField, placeOfField } from './field.ts'

/** Returns the objects that a version brings, from the field `brings` of a catalog. */
export function broughtBy(brings: ObjectField | undefined, by: string, id: string): BroughtObject[] {
  if (brings === undefined) return []
  return itemFields(brings).map((item) => ({
    object: `${childText(item, 'kind')} ${childText(item, 'name')}`,
    by,
    package: id,
    place: placeOfField(item),
  }))
}
