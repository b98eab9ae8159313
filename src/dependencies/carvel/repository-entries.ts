import { asRecord, type JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { CatalogEntry } from '../reading/catalog.ts'
import { textAt } from '../reading/field.ts'
import { groupKind } from '../reading/object-metadata.ts'
import { PLATFORMS } from './packages.ts'

const PACKAGE = 'data.packaging.carvel.dev/Package'

/** Returns true for a Package of kapp-controller. */
export function isPackageOfRepository(object: KrmObject): boolean {
  return groupKind(object) === PACKAGE
}

/**
 * Returns a catalog entry for each Package among the objects of a package repository. Packages of a repository have no namespace: the
 * PackageRepository puts them into its own. A Package without `spec.dependencies` requires nothing.
 *
 * @returns the entries, and a fault for each Package without a name or version
 */
export function readRepositoryPackages(objects: readonly KrmObject[]): {
  readonly entries: readonly CatalogEntry[]
  readonly faults: readonly Result[]
} {
  const packages = objects.filter(isPackageOfRepository)
  const faults = packages.flatMap((object) => {
    const missing = ['refName', 'version'].filter((key) => textAt(object, 'spec', key) === '')
    return missing.map((key) => faultToResult(object, { severity: 'error', rule: 'required', path: ['spec', key], message: 'must be set' }))
  })
  return { entries: faults.length > 0 ? [] : packages.map(entryOf), faults }
}

function entryOf(object: KrmObject): CatalogEntry {
  const { dependencies, installationType, provides } = asRecord(object.get(['spec']))
  const limited = PLATFORMS.map(({ id, range }) => [id, textAt(object, 'spec', range, 'constraints')] as const)
  const ranges = limited.filter(([, constraints]) => constraints !== '')
  const fields: JsonRecord = {
    dependencies: dependencies ?? [],
    ...(installationType !== undefined && { installationType }),
    ...(provides !== undefined && { provides }),
    ...(ranges.length > 0 && { constraints: Object.fromEntries(ranges) }),
  }
  return { ecosystem: 'carvel', id: textAt(object, 'spec', 'refName'), version: textAt(object, 'spec', 'version'), package: {}, fields }
}
