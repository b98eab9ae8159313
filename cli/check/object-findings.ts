import { posix } from 'node:path'
import { selectableObjects } from '../../src/fleet/passed-over.ts'
import { groupBy } from '../../src/group-by.ts'
import { functionConfigFaults, isFunctionConfig } from '../../src/kinds/function-config.ts'
import { decodePackageVariant } from '../../src/kinds/package-variant.ts'
import { checkConditions } from '../../src/pipeline/condition.ts'
import { appliedObjects, isLocalConfig } from '../../src/resource-list/applied-objects.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE, locate, packageFolders, packageOf } from '../../src/resource-list/package-of.ts'
import { declaringItems } from '../../src/resource-list/revision-folders.ts'
import { findingsOf, formatResourceRef, type Result } from '../../src/result.ts'
import { mayHoldPlaceholder } from '../../src/schema/placeholders.ts'
import { failedRenders } from '../../src/variant/failed-renders.ts'
import { isPackageVariant } from '../../src/variant/find-variant.ts'
import { objectMetadataFaults } from './object-metadata.ts'

/**
 * Returns the findings that need only the objects of a folder, without a plan: PackageVariants, function configs, metadata, objects that a
 * package holds twice, and the conditions of functions.
 */
export function objectFindings(items: readonly KrmObject[]): readonly Result[] {
  const variants = items.filter(isPackageVariant)
  const selectable = new Set(selectableObjects(declaringItems(items)))
  return [
    ...variants.flatMap((variant) => findingsOf(() => decodePackageVariant(variant).warnings)),
    ...variants.flatMap(failedRenders),
    ...items.filter(isFunctionConfig).flatMap(functionConfigFaults),
    ...items.flatMap(appliedObjects).flatMap((object) => objectMetadataFaults(object, selectable.has(object))),
    ...objectsTwice(items),
    ...checkConditions(items),
  ]
}

/**
 * The API groups of objects that no cluster gets as they are: of kustomize, of functions and their configs, and of Porch, whose twins the
 * checks of fleets report.
 */
const OTHER_GROUPS: ReadonlySet<string> = new Set([
  'config.kubernetes.io',
  'config.porch.kpt.dev',
  'fn.kpt.dev',
  'fn.krm-variants.dev',
  'kustomize.config.k8s.io',
  'meta.pkg.crossplane.io',
])

/** The files by which kustomize makes the objects of a package: which of the other files it reads is not known. */
const KUSTOMIZATIONS: ReadonlySet<string> = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])

/**
 * Returns a warning for each object that its package holds before, under one group, kind, namespace and name: the cluster keeps one of the
 * two, by the order of the files. kpt accepts such a package. Two objects of which only one names the namespace count as two.
 */
export function objectsTwice(items: readonly KrmObject[]): readonly Result[] {
  const folders = packageFolders(items)
  const placed = items.flatMap((item) => {
    if (item.file === undefined) return []
    const location = locate(item.file.path, item.packagePath)
    const folder = packageOf(location, folders)
    return folders.has(folder) ? [{ item, folder, isKustomization: KUSTOMIZATIONS.has(posix.basename(location)) }] : []
  })
  const built = new Set(placed.flatMap(({ folder, isKustomization }) => (isKustomization ? [folder] : [])))
  const applied = placed.flatMap(({ item, folder }) =>
    built.has(folder)
      ? []
      : appliedObjects(item)
          .filter(isApplied)
          .map((object) => ({ object, folder })),
  )
  const keyOf = ({ object, folder }: (typeof applied)[number]): string =>
    JSON.stringify([folder, groupOf(object.apiVersion ?? ''), object.kind, object.namespace ?? '', object.name])
  return [...groupBy(applied, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : others.map(({ object }) => twice(first.object, object)),
  )
}

/** Returns true for an object that a cluster gets under the name of its file. */
function isApplied(object: KrmObject): boolean {
  const { apiVersion, kind, name, namespace = '' } = object
  if (apiVersion === undefined || kind === undefined || name === undefined || kind === KPTFILE) return false
  return !(OTHER_GROUPS.has(groupOf(apiVersion)) || isLocalConfig(object) || mayHoldPlaceholder(name) || mayHoldPlaceholder(namespace))
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
