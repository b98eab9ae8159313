import { firstOfEach, groupBy } from '../group-by.ts'
import { remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, nearestFolder } from '../resource-list/package-of.ts'
import { annotatedIdentity, identitiesAsAnnotated, identityIn, ownText } from './clone-marks.ts'
import type { MergeRequest } from './merged-package.ts'
import { isBytes, objectsIn, type PackageFiles, type Packages } from './package-files.ts'
import { isSameContent } from './same-content.ts'

/**
 * Returns the packages of an update as if people had made their edits after upstream moved resources to other files. A merge compares
 * file by file: without this, a resource that people edited would stay in its old file beside upstream's in the new one, and one that
 * people removed would come back.
 *
 * base a.yaml: Service x    upstream b.yaml: Service x    people a.yaml: Service x with a label → people b.yaml: Service x with a label
 *
 * A resource that people left as it was needs no move: its old file loses it, and its new file gets it.
 */
export function afterUpstreamMoves(packages: Packages & Pick<MergeRequest, 'whole' | 'moves'>): Packages {
  const moves = movesOfEdited(packages.moves ?? upstreamMoves(packages), packages, packages.whole)
  if (moves.length === 0) return packages
  const { base, ours } = packages
  return { ...packages, base: movedIn(base, moves, objectFinder(base)), ours: movedIn(ours, moves, downstreamFinder(base, ours)) }
}

/** A resource that upstream has in another file than before. */
export interface ResourceMove {
  readonly identity: string
  readonly from: string
  readonly to: string
}

/** Returns the resources that upstream has in another file than before. */
export function upstreamMoves({ base, theirs }: Pick<Packages, 'base' | 'theirs'>): readonly ResourceMove[] {
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter((path) => !isKptfile(path))
  const changed = paths.filter((path) => !isSameContent(base.get(path), theirs.get(path)))
  if (changed.length < 2) return []
  const before = placesOf(base, changed)
  const after = placesOf(theirs, changed)
  return Array.from(before, ([identity, from]): ResourceMove => ({ identity, from, to: after.get(identity) ?? from })).filter(
    ({ from, to }) => from !== to,
  )
}

/**
 * Returns the moves of resources that people changed, removed or moved, within one package.
 *
 * @param whole  the packages with the files that are not merged: a Kptfile among them divides packages too
 */
export function movesOfEdited(
  moves: readonly ResourceMove[],
  { base, theirs, ours }: Packages,
  whole: Pick<Packages, 'base' | 'ours'> = { base, ours },
): readonly ResourceMove[] {
  if (moves.length === 0) return []
  const kptfiles = [...whole.base.keys(), ...theirs.keys(), ...whole.ours.keys()].filter(isKptfile)
  const packageOf = nearestFolder(new Set(kptfiles.map(folderOf)))
  const [inBase, inOurs] = [objectFinder(base), downstreamFinder(base, ours)]
  return moves.filter(({ identity, from, to }) => {
    if (packageOf(from) !== packageOf(to) || [from, to].some((path) => isBytes(ours.get(path)))) return false
    const [was, is] = [inBase(from, identity), inOurs(from, identity)]
    if (is !== undefined && inOurs(to, identity) !== undefined) return false
    return was !== undefined && (is === undefined || ownText(is) !== ownText(was))
  })
}

/** Returns the file of each resource that occurs once in some files of a package. */
function placesOf(files: PackageFiles, paths: readonly string[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const repeated = new Set<string>()
  for (const path of paths) {
    for (const identity of objectsIn(files.get(path)).map(identityIn)) {
      if (places.has(identity)) repeated.add(identity)
      places.set(identity, path)
    }
  }
  for (const identity of repeated) places.delete(identity)
  return places
}

type ObjectFinder = (path: string, identity: string) => KrmObject | undefined

/** Returns a function that returns the first resource of an identity in a file. Each file is read once. */
function objectFinder(files: PackageFiles): ObjectFinder {
  const known = new Map<string, ReadonlyMap<string, KrmObject>>()
  return (path, identity) => {
    const objects =
      known.get(path) ??
      new Map(
        objectsIn(files.get(path))
          .toReversed()
          .map((object) => [identityIn(object), object]),
      )
    known.set(path, objects)
    return objects.get(identity)
  }
}

/**
 * Returns a function that returns the downstream's resource of an identity. If people or functions changed a name or namespace in braces,
 * which has no merge comment, the annotation names the resource of base.
 */
function downstreamFinder(base: PackageFiles, ours: PackageFiles): ObjectFinder {
  const [inBase, inOurs] = [objectFinder(base), objectFinder(ours)]
  const known = new Map<string, ReadonlyMap<string, KrmObject>>()
  const byAnnotation = (path: string) => {
    const others = objectsIn(ours.get(path)).filter((each) => inBase(path, identityIn(each)) === undefined)
    return firstOfEach(others, (each) => annotatedIdentity(each) ?? '')
  }
  return (path, identity) => {
    const is = inOurs(path, identity)
    const was = is === undefined ? inBase(path, identity) : undefined
    if (was === undefined) return is
    const named = remember(known, path, byAnnotation)
    return identitiesAsAnnotated(was).flatMap((each) => named.get(each) ?? [])[0]
  }
}

/** Returns files after moves: a file that loses its last resource goes, and moved resources are put behind those of their new file. */
function movedIn(files: PackageFiles, moves: readonly ResourceMove[], find: ObjectFinder): PackageFiles {
  const found = moves.flatMap((move) => {
    const object = find(move.from, move.identity)
    return object === undefined ? [] : [{ ...move, object }]
  })
  const taken = new Set(found.map(({ object }) => object))
  const coming = groupBy(found, ({ to }) => to)
  const after = new Map(files)
  for (const path of new Set(found.flatMap(({ from, to }) => [from, to]))) {
    const left = objectsIn(files.get(path)).filter((object) => !taken.has(object))
    const objects = [...left, ...(coming.get(path) ?? []).map(({ object }) => object)]
    if (objects.length === 0) after.delete(path)
    else after.set(path, objects)
  }
  return after
}
