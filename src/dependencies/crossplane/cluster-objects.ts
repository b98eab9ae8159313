import { groupBy } from '../../group-by.ts'
import { scalarText } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { type OwnershipClaim, resolveClaims } from '../owners.ts'
import { ownersOf } from '../reading/owner-references.ts'
import { contentName } from './contents.ts'
import type { KnownPackages } from './known.ts'
import { type CrossplanePackage, keyOfPackage } from './objects.ts'
import type { Ownership } from './ownership-steps.ts'
import { parseReference } from './reference.ts'
import type { RevisionObject } from './revision-objects.ts'

/** The objects of a cluster, with the packages and revisions that own them and the packages that would bring them. */
export interface ClusterInput {
  readonly objects: readonly KrmObject[]
  readonly packages: readonly CrossplanePackage[]
  readonly revisions: readonly RevisionObject[]
  readonly known: KnownPackages
  readonly semantics: 'current' | 'seed'
}

/**
 * Returns the owner of each object and the objects of each package. Objects in the folder of a package's metadata are contents of that
 * package, not objects of the cluster.
 */
export function readOwnership({ objects, packages, revisions, known, semantics }: ClusterInput): Ownership {
  const contentsOf = (image: string): readonly string[] => namesBrought(image, known)
  const beside = new Set(known.all.flatMap((each) => each.contents().flatMap(({ written }) => written ?? [])))
  const inCluster = objects.filter((object) => !beside.has(object))
  const named = groupBy(inCluster, contentName)
  const byPackage = groupBy(revisions, ({ packageKey }) => packageKey)
  const claims = packages.flatMap((each) =>
    contentsOf(scalarText(each.field.value)).map(
      (object): OwnershipClaim => ({ object, claimant: keyOfPackage(each), controls: controls(each, named.get(object), byPackage) }),
    ),
  )
  const conflicts = groupBy(resolveClaims(claims).conflicts, ({ loser }) => loser)
  return {
    semantics,
    owned: inCluster.filter((object) => object.toText().includes('ownerReferences')),
    broughtBy: (image) => contentsOf(image).flatMap((name) => named.get(name) ?? []),
    conflictsOf: (each) =>
      (conflicts.get(keyOfPackage(each)) ?? []).map(({ winner, objects: lost }) => `${winner} has ${lost.join(', ')} already`),
  }
}

function namesBrought(image: string, known: KnownPackages): readonly string[] {
  const { source, tag, digest } = parseReference(image)
  const found = known.find(source, tag) ?? known.find(source, digest)
  return (found?.contents() ?? []).map(({ object }) => object)
}

// Returns true if a revision of the package controls the object.
function controls(
  each: CrossplanePackage,
  holders: readonly KrmObject[] = [],
  revisions: ReadonlyMap<string, readonly RevisionObject[]>,
): boolean {
  const own = new Set((revisions.get(keyOfPackage(each)) ?? []).map(({ revision }) => revision.name))
  return holders.some((object) => ownersOf(object).some(({ controller, name }) => controller && own.has(name)))
}
