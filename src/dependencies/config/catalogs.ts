import { compareText } from '../../field-path.ts'
import type { JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, hasErrors } from '../../result.ts'
import { check } from '../../schema/generated/catalog.js'
import { validate } from '../../schema/validate.ts'
import type { ReadInput } from '../read-objects.ts'
import { isCatalog } from '../reading/catalog.ts'
import { childOf, type Field } from '../reading/field.ts'
import { CATALOG_SCHEMA } from './catalog-schema.ts'
import type { SharedOptions } from './options.ts'

/**
 * What a function reads of a list under the options that it was given: the objects, and every Catalog among them before that of the options.
 *
 * @throws FunctionError with every fault of the Catalogs
 */
export function inputOf({ items }: ResourceList, { read, apis, catalog }: SharedOptions): ReadInput {
  const catalogs = [...readCatalogObjects(items), ...(catalog === undefined ? [] : [catalog])]
  return { objects: items, catalogs, apis, options: read }
}

const values = new WeakMap<KrmObject, { readonly text: string; readonly value: JsonRecord }>()

/** The value of a Catalog. A list is read again after each change of it, and hardly any change is one of a Catalog. */
function catalogValue(object: KrmObject): JsonRecord {
  const text = object.toText()
  const known = values.get(object)
  if (known?.text === text) return known.value
  const value = object.toJson()
  values.set(object, { text, value })
  return value
}

/**
 * `spec.packages` of every Catalog among some objects, by name.
 *
 * @throws FunctionError with every fault of all of them
 */
function readCatalogObjects(objects: readonly KrmObject[]): Field[] {
  const catalogs = objects.filter(isCatalog).sort((a, b) => compareText(a.name ?? '', b.name ?? ''))
  const read = catalogs.map((object) => ({ object, value: catalogValue(object) }))
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
