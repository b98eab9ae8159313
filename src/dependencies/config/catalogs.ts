import { compareText } from '../../field-path.ts'
import type { JsonRecord } from '../../json.ts'
import { appliedObjects } from '../../resource-list/applied-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, findingsOf, hasErrors, type Result } from '../../result.ts'
import { schemaErrors } from '../../schema/schema-errors.ts'
import { validate } from '../../schema/validate.ts'
import type { ReadInput } from '../read-objects.ts'
import { isCatalog } from '../reading/catalog.ts'
import { childField, itemFields, type ObjectField } from '../reading/field.ts'
import { CATALOG_SCHEMA } from './catalog-schema.ts'
import type { SharedOptions } from './options.ts'

/** The input of the readers from a list, and the faults of the list's Catalogs. */
export interface ListInput {
  readonly input: ReadInput
  readonly faults: readonly Result[]
}

/**
 * Returns the input of the readers: the objects of a list, also those in documents of kind List, the packages of its Catalogs by name, then those of the option `catalog`.
 * If Catalogs have faults, only their packages without faults are read, and the universe is open: the rest of the packages is unknown.
 */
export function readList({ items }: ResourceList, { read, apis, catalog }: SharedOptions): ListInput {
  const catalogs = items.filter(isCatalog).sort((a, b) => compareText(a.name ?? '', b.name ?? ''))
  const all = catalogs.map(readCatalogObject)
  const faults = all.flatMap((each) => each.faults)
  const listed = [...all.flatMap((each) => each.packages), ...(catalog === undefined ? [] : itemFields(catalog))]
  return {
    input: { objects: items.flatMap(appliedObjects), listed, apis, options: faults.length > 0 ? { ...read, closed: false } : read },
    faults,
  }
}

/** Returns the input of `readList`. @throws FunctionError with every fault of the Catalogs */
export function inputOf(list: ResourceList, options: SharedOptions): ReadInput {
  const { input, faults } = readList(list, options)
  if (faults.length > 0) throw new FunctionError(faults)
  return input
}

const values = new WeakMap<KrmObject, { readonly text: string; readonly value: JsonRecord }>()

/** Returns the value of a Catalog, parsed again only if the Catalog's text has changed. */
function catalogValue(object: KrmObject): JsonRecord {
  const text = object.toText()
  const known = values.get(object)
  if (known?.text === text) return known.value
  const value = object.toJson()
  values.set(object, { text, value })
  return value
}

interface ReadCatalog {
  /** The packages without faults. */
  readonly packages: readonly ObjectField[]
  readonly faults: readonly Result[]
}

/** Returns the faults of a Catalog: fields of a wrong name or type. */
export function catalogFaults(object: KrmObject): readonly Result[] {
  // A catalog may be half of all there is: only one that is refused is examined fault by fault.
  return findingsOf(() =>
    schemaErrors(catalogValue(object), CATALOG_SCHEMA).length === 0 ? [] : validate(object, { schema: CATALOG_SCHEMA }),
  )
}

function readCatalogObject(object: KrmObject): ReadCatalog {
  const faults = catalogFaults(object)
  if (!hasErrors(faults)) return { packages: packagesOf(object), faults: [] }
  const faulty = new Set(faults.map(({ field }) => field?.path[2]))
  const isWhole = faults.every(({ field }) => field !== undefined && field.path.length > 2)
  return { packages: isWhole ? packagesOf(object).filter(({ key }) => !faulty.has(key)) : [], faults }
}

/** Returns the items of `spec.packages`. */
function packagesOf(object: KrmObject): ObjectField[] {
  const spec = childField({ object, value: catalogValue(object), key: '', parent: undefined }, 'spec')
  return itemFields(childField({ ...spec, parent: undefined }, 'packages'))
}
