import { compareText } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError, hasErrors } from '../../result.ts'
import { check } from '../../schema/generated/catalog.js'
import { validate } from '../../schema/validate.ts'
import { isCatalog } from '../reading/catalog.ts'
import { childOf, type Field } from '../reading/field.ts'
import { CATALOG_SCHEMA } from './catalog-schema.ts'

/**
 * `spec.packages` of every Catalog among some objects, by name.
 *
 * @throws FunctionError with every fault of all of them
 */
export function readCatalogObjects(objects: readonly KrmObject[]): Field[] {
  const catalogs = objects.filter(isCatalog).sort((a, b) => compareText(a.name ?? '', b.name ?? ''))
  const read = catalogs.map((object) => ({ object, value: object.toJson() }))
  // A catalog may be half of all there is: only one that is refused is examined fault by fault.
  const results = read.filter(({ value }) => !check(value)).flatMap(({ object }) => validate(object, { schema: CATALOG_SCHEMA, check }))
  if (hasErrors(results)) throw new FunctionError(results)
  return read.map(({ object, value }) =>
    childOf(
      { object, value: childOf({ object, value, key: '', parent: undefined }, 'spec').value, key: 'spec', parent: undefined },
      'packages',
    ),
  )
}
