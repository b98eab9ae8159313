import { existsSync, realpathSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { attempt } from '../../src/attempt.ts'
import type { CommittedPackages } from '../../src/diff/fleet-state.ts'
import { holdsResources } from '../../src/folder/find-package-files.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { onlyDocument } from '../../src/folder/split-documents.ts'
import { diskFolder } from '../../src/folder/whole-folder.ts'
import type { FleetNames } from '../../src/git/fleet-identity.ts'
import { type GitSnapshot, gitIdOf } from '../../src/git/git-snapshot.ts'
import { type OwnerAnnotation, readOwnerAnnotation } from '../../src/lifecycle/owner-annotation.ts'
import type { DownstreamPlaces } from '../../src/lifecycle/package-steps.ts'
import { diskPlaces, placesBelow } from '../../src/render/disk/disk-places.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { folderOf, foldersAbove, isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import { WireError } from '../../src/resource-list/wire-error.ts'
import { isPackageVariant, namespacedName } from '../../src/variant/find-variant.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import { isMarked, type Reading, type ReadState } from './read-revision.ts'

/**
 * Returns the folder of the packages from the top of the repository, if the caller or the options name one, or a package of the fleet is in
 * one.
 */
export function outOf(states: readonly ReadState[], { dir, top, request, host }: Reading): string | undefined {
  const configured = states.flatMap(({ fleet }) => fleet.options.out ?? [])[0]
  const named = request.out === undefined ? configured && posix.join(dir.disk, configured) : host.locate(request.out)
  if (named === undefined) return foundOut(states)
  const place = slashed(relative(top, existsSync(named) ? realpathSync(named) : named))
  return place === '..' || place.startsWith('../') ? undefined : place
}

/** Returns the folder above REPOSITORY/PACKAGE of a variant whose package is there at a commit. */
function foundOut(states: readonly ReadState[]): string | undefined {
  const variants = states.flatMap(({ own }) => own.filter(isPackageVariant))
  const owners = new Map(variants.map((object) => [placeOfVariant(object), namespacedName(object)]))
  for (const { packages: snapshot } of states) {
    const kptfiles = snapshot?.pathsBelow('').filter((path) => isKptfile(path) && folderAbove(path, owners, () => true) !== undefined) ?? []
    snapshot?.load(kptfiles)
    for (const path of kptfiles) {
      const out = folderAbove(path, owners, (owner) => snapshot !== undefined && textAt(snapshot, path).includes(ownerLine(owner)))
      if (out !== undefined) return out
    }
  }
  return undefined
}

/** Returns the folder above REPOSITORY/PACKAGE/Kptfile if a variant has its package there; else undefined. */
export function folderAbove(path: string, owners: ReadonlyMap<string, string>, isOwner: (owner: string) => boolean): string | undefined {
  const steps = path.split('/').slice(0, -1)
  for (let above = 0; above < steps.length - 1; above++) {
    const owner = owners.get(steps.slice(above).join('/'))
    if (owner !== undefined && isOwner(owner)) return steps.slice(0, above).join('/')
  }
  return undefined
}

/** Returns the text by which a Kptfile names the variant that its package was made for. */
export function ownerLine(owner: string): string {
  return `${VARIANT_ANNOTATION}: ${owner}`
}

function textAt(snapshot: GitSnapshot, path: string): string {
  return new TextDecoder().decode(snapshot.read(path))
}

function placeOfVariant(object: KrmObject): string {
  return ['repo', 'package'].map((key) => String(object.get(['spec', 'downstream', key]) ?? '')).join('/')
}

/** Returns the folder if one of the states has a rendered package in it. */
export function committedIn(out: string, states: readonly ReadState[], { top }: Reading): string | undefined {
  const holds = states.some(({ packages: snapshot }) => {
    if (snapshot === undefined) return diskPlaces(folderAt(top, out)).owned.some(({ folder }) => !isInOther(top, posix.join(out, folder)))
    const kptfiles = snapshot.pathsBelow(out).filter(isKptfile)
    snapshot.load(kptfiles)
    return kptfiles.some((path) => isMarked(snapshot.read(path)))
  })
  return holds ? out : undefined
}

/**
 * Returns true for a folder below a checkout that is in a repository of its own, such as a submodule: no commit of this one has its files.
 */
function isInOther(top: string, folder: string): boolean {
  return folder !== '' && folder !== '.' && (existsSync(join(top, folder, '.git')) || isInOther(top, folderOf(folder)))
}

/** Returns a folder of the checkout, by its path from the top. */
export function folderAt(top: string, out: string): NamedFolder {
  return { disk: join(top, out), shown: out === '' ? '.' : out }
}

/** Returns the places of a fleet whose packages are rendered in memory: all are free. */
export function noPlaces(): DownstreamPlaces {
  return {
    at: () => undefined,
    owned: [],
    faults: [],
    isShared: false,
    linkOnWayTo: () => undefined,
    folderOf: ({ downstream }) => `${downstream.repo}/${downstream.package}`,
  }
}

/** Returns the places of the packages that a state holds, on disk or at its commit. */
export function placesOf({ packages: snapshot }: ReadState, folder: NamedFolder, out: string): DownstreamPlaces {
  if (snapshot === undefined) return diskPlaces(folder)
  const read = (path: string): string => textAt(snapshot, posix.join(out, path))
  return placesBelow(folder, {
    read,
    files: (path) => {
      const files = snapshot.pathsBelow(posix.join(out, path)).filter((file) => holdsResources(posix.basename(file)))
      snapshot.load(files)
      return files.map((file) => (out === '' ? file : file.slice(out.length + 1)))
    },
    scan: (visit) => {
      const kptfiles = snapshot.pathsBelow(out).filter(isKptfile)
      snapshot.load(kptfiles)
      const closed = new Set<string>()
      for (const path of kptfiles) {
        const own = out === '' ? path : path.slice(out.length + 1)
        if (!foldersAbove(own).some((folder) => closed.has(folder)) && !visit(folderOf(own), read(own))) closed.add(folderOf(own))
      }
      return []
    },
    holdsAnything: (path) => snapshot.hasFolder(posix.join(out, path)),
    linkOnWayTo: () => undefined,
  })
}

/** Returns the packages that a state holds for variants of the fleet, found by the owners in their Kptfiles. */
export function committedPackages(
  { packages: snapshot }: ReadState,
  names: FleetNames,
  out: string,
  { top, hashLike }: Reading,
): CommittedPackages {
  const isOwn = (owner: OwnerAnnotation | undefined): boolean =>
    owner !== undefined && (owner.fleet === undefined || owner.fleet === names.name || names.hadName(owner.fleet))
  if (snapshot === undefined) {
    const root = folderAt(top, out)
    const places = diskPlaces(root)
    const folders = places.owned.filter(({ owner }) => isOwn(owner)).map(({ folder }) => folder)
    const at = (folder: string) => diskFolder(join(root.disk, folder))
    return {
      folders,
      shown: root.shown,
      load: () => {},
      folder: at,
      digests: (folder) => new Map(Array.from(at(folder).files, ([path, file]) => [path, gitIdOf(file.read(), hashLike)])),
    }
  }
  const kptfiles = snapshot.pathsBelow(out).filter(isKptfile)
  snapshot.load(kptfiles)
  const owned = kptfiles.filter((path) => isOwn(ownerIn(textAt(snapshot, path)))).map(folderOf)
  return {
    folders: owned.map((folder) => (out === '' ? folder : folder.slice(out.length + 1))),
    shown: folderAt(top, out).shown,
    load: (folders) => snapshot.load(folders.flatMap((folder) => snapshot.pathsBelow(posix.join(out, folder)))),
    folder: (folder) => snapshot.folder(posix.join(out, folder)),
    digests: (folder) => snapshot.idsBelow(posix.join(out, folder)),
  }
}

function ownerIn(kptfile: string): OwnerAnnotation | undefined {
  if (!kptfile.includes(VARIANT_ANNOTATION)) return undefined
  const read = (): OwnerAnnotation | undefined => {
    const { text, line } = onlyDocument(kptfile)
    return readOwnerAnnotation(KrmObject.fromDocument(text, { path: KPTFILE, index: 0, line }))
  }
  return attempt(read, WireError)
}
/** Returns a path with slashes, as git prints it. */
export function slashed(path: string): string {
  return path.split('\\').join('/')
}
