import type { FieldPath } from '../../field-path.ts'
import { asList, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { CatalogEntry } from '../reading/catalog.ts'

/** The effect of an entry on a Catalog: a new version, a version with new fields, or nothing new. */
export type CatalogChange = 'add' | 'change' | 'same'

/**
 * Writes a version of a package into a Catalog. Fields of the version that the entry does not have stay, and so does everything else in the
 * Catalog's text. A version that is there as a text becomes a map.
 *
 * @param catalog  a Catalog without faults
 * @throws FunctionError when the Catalog has another digest for the version: a version that was published is not published again
 */
export function addToCatalog(catalog: KrmObject, entry: CatalogEntry): CatalogChange {
  const { version, fields } = entry
  const packages = asList(catalog.get(PACKAGES))
  const at = packages.findIndex((each) => isRecord(each) && isPackageOf(each, entry))
  if (at < 0) {
    const { ecosystem, id, package: rest } = entry
    catalog.set([...PACKAGES, packages.length], { ecosystem, id, ...rest, versions: [written(version, fields)] })
    return 'add'
  }
  const versionsPath = [...PACKAGES, at, 'versions']
  const versions = asList(catalog.get(versionsPath))
  const index = versions.findIndex((each) => versionOf(each) === version)
  const path = [...versionsPath, index < 0 ? versions.length : index]
  const found = versions[index]
  if (!isRecord(found)) {
    if (found !== undefined && Object.keys(fields).length === 0) return setChanged(catalog, [...PACKAGES, at], entry.package)
    catalog.set(path, written(version, fields))
    setChanged(catalog, [...PACKAGES, at], entry.package)
    return found === undefined ? 'add' : 'change'
  }
  const digest = lookup(found, 'digest')
  if (digest !== undefined && fields.digest !== undefined && digest !== fields.digest)
    throw new FunctionError([otherDigest(catalog, [...path, 'digest'], entry)])
  const changed = setChanged(catalog, path, fields)
  const added = setChanged(catalog, [...PACKAGES, at], entry.package)
  return changed === 'change' ? changed : added
}

const PACKAGES: FieldPath = ['spec', 'packages']

/** Sets the fields that a map lacks or has with another value. */
function setChanged(catalog: KrmObject, path: FieldPath, fields: JsonRecord): CatalogChange {
  const changed = Object.entries(fields).filter(([key, value]) => !equalJson(catalog.get([...path, key]), value))
  for (const [key, value] of changed) catalog.set([...path, key], value)
  return changed.length > 0 ? 'change' : 'same'
}

function isPackageOf(found: JsonRecord, { ecosystem, id, package: rest }: CatalogEntry): boolean {
  return (
    lookup(found, 'ecosystem') === ecosystem && lookup(found, 'id') === id && lookup(found, 'repository') === lookup(rest, 'repository')
  )
}

function versionOf(value: JsonValue): JsonValue | undefined {
  return isRecord(value) ? (lookup(value, 'version') ?? '') : value
}

function written(version: string, fields: JsonRecord): JsonValue {
  if (version === '') return fields
  return Object.keys(fields).length === 0 ? version : { version, ...fields }
}

function otherDigest(catalog: KrmObject, path: FieldPath, { id, version, fields }: CatalogEntry): Result {
  const message = `must be the digest of ${id} ${version}, ${String(fields.digest)} was read; remove the version from the Catalog to add it with that digest`
  return faultToResult(catalog, { severity: 'error', rule: 'catalog-digest', path, message })
}
