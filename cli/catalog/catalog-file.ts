import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { addToCatalog } from '../../src/dependencies/config/add-to-catalog.ts'
import { catalogFaults } from '../../src/dependencies/config/catalogs.ts'
import { toDNSLabel } from '../../src/dependencies/crossplane/reference.ts'
import { type CatalogEntry, isCatalog } from '../../src/dependencies/reading/catalog.ts'
import { readBoundedFile } from '../../src/folder/bounded-file.ts'
import type { FolderPackage } from '../../src/folder/package.ts'
import { readPackageFile } from '../../src/folder/read-package-file.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { collectFaults, FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import type { Host } from '../host.ts'
import type { AddedVersion } from './catalog-text.ts'

/** A file with a Catalog, as it is edited. */
interface CatalogFile {
  readonly read: FolderPackage
  readonly catalog: KrmObject
}

/**
 * Returns the Catalog of a file, and a new one for a file that is missing.
 *
 * @throws FunctionError for a file that cannot be read or holds no Catalog or several, and with the faults of the Catalog
 */
export function openCatalog(path: string, host: Host): CatalogFile {
  const place = host.locate(path)
  if (!existsSync(place)) return newCatalog(path)
  const { file, results } = readPackageFile(path, readBoundedFile(place, `'${path}'`))
  if (file === undefined || hasErrors(results)) throw new FunctionError(results)
  const objects = file.documents.flatMap(({ object }) => object ?? [])
  const [catalog, ...others] = objects.filter(isCatalog)
  if (catalog === undefined) throw new FunctionError([noCatalog(path)])
  if (others.length > 0) throw new FunctionError(others.map(secondCatalog))
  const faults = catalogFaults(catalog)
  if (hasErrors(faults)) throw new FunctionError(faults)
  return { read: { files: [file], list: ResourceList.of(objects), results }, catalog }
}

const NEW_CATALOG = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata:
  name: catalog
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  packages: []
`

/** Returns a Catalog for a file that is to be made. The Catalog has the name of the file. */
function newCatalog(path: string): CatalogFile {
  const catalog = KrmObject.fromDocument(NEW_CATALOG, { path, index: 0, line: 1 })
  catalog.set(['metadata', 'name'], toDNSLabel(posix.basename(path).replace(/\.[^.]*$/, '')) || 'catalog')
  return { read: { files: [], list: ResourceList.of([catalog]), results: [] }, catalog }
}

function noCatalog(path: string): Result {
  const message = 'must hold a Catalog of fn.krm-variants.dev/v1alpha1, holds none; name another file with --into, a missing file is made'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'catalog-file' } }
}

function secondCatalog(object: KrmObject): Result {
  const message = 'must be Catalog once in the file that --into names'
  return faultToResult(object, { severity: 'error', rule: 'catalog-file', path: ['kind'], message })
}

/** Adds versions to a Catalog. @throws FunctionError with each version that the Catalog has with another digest */
export function addVersions(catalog: KrmObject, entries: readonly CatalogEntry[]): readonly AddedVersion[] {
  const faults: Result[] = []
  const added = entries.flatMap((entry) => {
    const change = collectFaults(faults, () => addToCatalog(catalog, entry))
    return change === undefined ? [] : [{ entry, change }]
  })
  if (faults.length > 0) throw new FunctionError(faults)
  return added
}
