import { holdsPackages } from '../../src/dependencies/resolve-objects.ts'
import { describeKinds } from '../../src/fleet/what-was-read.ts'
import { PACKAGE_KINDS, unknownKinds } from '../../src/kinds/unknown-kinds.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import { groupOf } from '../../src/resource-list/identity.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'

/** Returns an error if a folder has no packages: an empty result would otherwise look successful. */
export function refuseNoPackages(items: readonly KrmObject[]): readonly Result[] {
  if (holdsPackages(items.flatMap(appliedObjects))) return []
  const message = `the input must hold packages of Carvel, Crossplane or Glasskube; read ${describeKinds(items)}`
  return [
    { severity: 'error', message, tags: { rule: 'nothing-read' } },
    ...items.flatMap(misspeltGroup),
    ...unknownKinds(items, PACKAGE_KINDS),
  ]
}

/** The API groups of objects that install packages, and of packages. */
const GROUPS = [
  'packaging.carvel.dev',
  'data.packaging.carvel.dev',
  'pkg.crossplane.io',
  'meta.pkg.crossplane.io',
  'packages.glasskube.dev',
]

function misspeltGroup(object: KrmObject): readonly Result[] {
  const { ref, apiVersion = '' } = object
  const hint = didYouMean(groupOf(apiVersion), GROUPS)
  if (hint === '') return []
  const message = `of ${formatResourceRef(ref)} must be of a group that installs packages, got '${apiVersion}'${hint}`
  return [faultToResult(object, { severity: 'error', rule: 'nothing-read', path: ['apiVersion'], message })]
}
