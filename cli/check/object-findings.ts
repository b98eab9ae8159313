import { selectableObjects } from '../../src/fleet/passed-over.ts'
import { functionConfigFaults, isFunctionConfig } from '../../src/kinds/function-config.ts'
import { decodePackageVariant } from '../../src/kinds/package-variant.ts'
import { isAppliedAsNamed } from '../../src/kubernetes/applied-together.ts'
import { objectsTwice } from '../../src/kubernetes/objects-twice.ts'
import { typedTexts } from '../../src/kubernetes/text-values.ts'
import { repeatedEntries } from '../../src/kubernetes/unique-entries.ts'
import { checkConditions } from '../../src/pipeline/condition.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { kptfilesByFolder } from '../../src/resource-list/package-of.ts'
import { declaringItems, deployedFolders, itemPath } from '../../src/resource-list/revision-folders.ts'
import { findingsOf, formatResourceRef, type Result } from '../../src/result.ts'
import { failedRenders } from '../../src/variant/failed-renders.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { objectMetadataFaults } from './object-metadata.ts'

/**
 * Returns the findings that need only the objects of a folder, without a plan: PackageVariants, function configs, metadata, entries
 * and objects that repeat others, and the conditions of functions.
 */
export function objectFindings(items: readonly KrmObject[]): readonly Result[] {
  const variants = items.filter(isPackageVariant)
  const selectable = new Set(selectableObjects(declaringItems(items)))
  return [
    ...variants.flatMap((variant) => findingsOf(() => decodePackageVariant(variant).warnings)),
    ...variants.flatMap(failedRenders),
    ...items.filter(isFunctionConfig).flatMap(functionConfigFaults),
    ...items.flatMap(appliedObjects).flatMap((object) => objectMetadataFaults(object, selectable.has(object))),
    ...items
      .flatMap(appliedObjects)
      .filter(isAppliedAsNamed)
      .flatMap((object) => [...repeatedEntries(object), ...typedTexts(object)]),
    ...twiceInPackages(items),
    ...checkConditions(items),
  ]
}

/**
 * Returns a warning for each object that its package holds before: the cluster keeps one of the two, by the order of the files. kpt accepts
 * such a package. A deployed package is one with its subpackages.
 */
function twiceInPackages(items: readonly KrmObject[]): readonly Result[] {
  const placed = items.flatMap((object) => (object.file === undefined ? [] : [{ object, path: itemPath(object) }]))
  const found = objectsTwice(placed, { kptfiles: kptfilesByFolder(items), roots: deployedFolders(items) })
  return found.flatMap(([first, ...others]) => (first === undefined ? [] : others.map(({ object }) => twice(first.object, object))))
}

function twice(first: KrmObject, second: KrmObject): Result {
  const { ref, file } = second
  const place = first.positionOf(['metadata', 'name'])
  return {
    severity: 'warning',
    message: `${formatResourceRef(ref)} must be in the package once, is also at ${first.file?.path}:${place.line}:${place.column}; a cluster keeps one of the two`,
    resourceRef: ref,
    ...(file && { file, position: second.positionOf(['metadata', 'name']) }),
    tags: { rule: 'duplicate-object' },
  }
}
