import type { FleetVariant } from '../../fleet/fleet-variants.ts'
import { readBoundedText } from '../../folder/bounded-file.ts'
import { diskTree } from '../../folder/file-tree.ts'
import { findPackageFiles } from '../../folder/find-package-files.ts'
import { isLink, Links, realPlace } from '../../folder/inside-folder.ts'
import { below, type NamedFolder } from '../../folder/named-folder.ts'
import { readDocuments, unreadableDocument } from '../../folder/read-package-file.ts'
import { holdsAnything, type SearchedFolders, scanPackages } from '../../folder/scan-packages.ts'
import { onlyDocument } from '../../folder/split-documents.ts'
import { locateFolder } from '../../folder/whole-folder.ts'
import { isRecord } from '../../json.ts'
import { type OwnerAnnotation, readOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import type { DownstreamPlace, DownstreamPlaces } from '../../lifecycle/package-steps.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { WireError } from '../../resource-list/wire-error.ts'
import type { Result } from '../../result.ts'
import { kptfileKindFaults } from '../../upstream/upstream-faults.ts'
import { VARIANT_ANNOTATION } from '../../well-known.ts'

/** The downstream packages on disk, in `REPO/PACKAGE` below a folder. */
export interface DiskPlaces extends DownstreamPlaces {
  /** Paths of temporary files that interrupted runs left. */
  readonly leftovers: readonly string[]
}

/** A folder in which packages are looked for: on disk, or at a git revision. */
export interface ScannedFolder {
  /** Calls `visit` for each Kptfile, with its folder and text, and goes on inside the package if `visit` returns true. */
  scan(visit: (folder: string, kptfile: string) => boolean): readonly string[]
  /** Returns the paths of the files below a folder that may hold resources. */
  files(folder: string): readonly string[]
  /** Returns the text of a file. */
  read(path: string): string
  /** Returns true if a folder has any content. */
  holdsAnything(folder: string): boolean
  /** Returns the symbolic link on the way to a folder, or the folder if it is one. */
  linkOnWayTo(folder: string): string | undefined
  /** Returns the real path of a folder on disk. */
  locate?(folder: string): string
  /** Returns true if the Kptfile of a folder is a symbolic link, which the search does not follow. */
  hasLinkedKptfile?(folder: string): boolean
}

/** Finds the packages below a folder on disk: all of them, or those of some repositories. */
export function diskPlaces(root: NamedFolder, searched?: SearchedFolders): DiskPlaces {
  const links = new Links(root.disk)
  return placesBelow(root, {
    scan: (visit) => scanPackages(root.disk, visit, searched),
    files: (folder) => findPackageFiles(diskTree(locateFolder(root.disk, folder))).map((path) => `${folder}/${path}`),
    read: (path) => readBoundedText(locateFolder(root.disk, path)),
    holdsAnything: (folder) => holdsAnything(root.disk, folder),
    linkOnWayTo: (folder) => links.onWayTo(folder),
    locate: (folder) => realPlace(below(root, folder).disk),
    hasLinkedKptfile: (folder) => isLink(locateFolder(root.disk, `${folder}/${KPTFILE}`)),
  })
}

/** Finds the packages below a folder. Findings have the folder's name. */
export function placesBelow(root: NamedFolder, { scan, read, ...scanned }: ScannedFolder): DiskPlaces {
  const packages = new Map<string, OwnerAnnotation | undefined>()
  const faults: Result[] = []
  const leftovers = scan((folder, text) => {
    const { owner, fault } = readingOwner(text, below(root, `${folder}/${KPTFILE}`).shown)
    packages.set(folder, owner)
    if (fault !== undefined) faults.push(fault)
    return owner === undefined && fault === undefined
  })
  const owned = () => [...packages].flatMap(([folder, owner]) => (owner === undefined ? [] : [{ folder, owner }]))
  const placeAt = (folder: string, isPackage: boolean, owner?: OwnerAnnotation): DownstreamPlace => {
    const kptfile = () => (isPackage ? kptfileObject(read(`${folder}/${KPTFILE}`), below(root, `${folder}/${KPTFILE}`).shown) : undefined)
    return {
      folder,
      repo: repositoryOf(folder),
      isPackage,
      owner,
      kptfile,
      kptfileFault: () => {
        const { shown } = below(root, `${folder}/${KPTFILE}`)
        if (packages.has(folder)) return kptfileFault(read(`${folder}/${KPTFILE}`), shown)
        return scanned.hasLinkedKptfile?.(folder) === true ? linkedKptfile(shown) : undefined
      },
    }
  }
  return {
    at: (folder) => {
      const owner = packages.get(folder)
      if (packages.has(folder)) return placeAt(folder, owner !== undefined || holdsObject(read(`${folder}/${KPTFILE}`)), owner)
      return scanned.holdsAnything(folder) ? placeAt(folder, false) : undefined
    },
    owned: owned().map(({ folder, owner }) => placeAt(folder, true, owner)),
    objectsOf: (kinds) =>
      owned()
        .flatMap(({ folder }) => scanned.files(folder))
        .flatMap((path) => objectsIn(read(path), below(root, path).shown, kinds)),
    faults,
    isShared: true,
    linkOnWayTo: (folder) => {
      // The search follows no link.
      const link = packages.has(folder) ? undefined : scanned.linkOnWayTo(folder)
      return link && below(root, link).shown
    },
    ...(scanned.locate && { locate: scanned.locate }),
    folderOf: ({ downstream }: FleetVariant) => `${downstream.repo}/${downstream.package}`,
    leftovers,
  }
}

/** Returns the objects of a text that may be of one of some kinds. */
function objectsIn(text: string, path: string, kinds: ReadonlySet<string>): readonly KrmObject[] {
  if (![...kinds].some((kind) => text.includes(kind))) return []
  return readDocuments(path, text).documents.flatMap(({ object }) => object ?? [])
}

/** Returns the repository of a folder or file below the root: the first part of its path. */
export function repositoryOf(path: string): string {
  return path.split('/', 1)[0] ?? ''
}

/**
 * Returns the owner annotation in the text of a Kptfile, or the fault of a Kptfile that cannot be parsed. A text without the
 * annotation's name is not parsed.
 */
export function readingOwner(text: string, path: string): { readonly owner?: OwnerAnnotation | undefined; readonly fault?: Result } {
  if (!text.includes(VARIANT_ANNOTATION)) return {}
  const { value: owner, fault } = readKptfile(text, path, readOwnerAnnotation)
  return { owner, ...(fault && { fault }) }
}

/**
 * Returns the error of a Kptfile that cannot be parsed, is another kind, or lacks what every Kptfile has, most likely since its end was
 * lost.
 */
function kptfileFault(text: string, path: string): Result | undefined {
  const { value: others, fault } = readKptfile(text, path, (kptfile) => {
    const isWhole = kptfile.isMap() && kptfile.kind !== undefined && kptfile.name !== undefined && isRecord(kptfile.toJson())
    return isWhole ? kptfileKindFaults(kptfile, 'a Kptfile') : undefined
  })
  if (fault !== undefined || others !== undefined) return fault ?? others?.[0]
  const message = 'must be a Kptfile with a name: most likely its end was lost, and git has it'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'kptfile' } }
}

function linkedKptfile(path: string): Result {
  const message = 'must be a file, is a symbolic link: the variant of the package is not known; put the file itself there, git may have it'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'kptfile' } }
}

/** Returns what is read of the object of a Kptfile, or the error of a text that cannot be parsed. */
function readKptfile<T>(text: string, path: string, read: (kptfile: KrmObject) => T): { readonly value?: T; readonly fault?: Result } {
  try {
    return { value: read(kptfileObject(text, path)) }
  } catch (error) {
    if (error instanceof WireError) return { fault: unreadableDocument(path, error) }
    throw error
  }
}

/** Returns true if the text of a Kptfile holds an object or cannot be parsed. */
function holdsObject(text: string): boolean {
  return readKptfile(text, KPTFILE, (kptfile) => kptfile.isMap()).value ?? true
}

function kptfileObject(text: string, path: string): KrmObject {
  const document = onlyDocument(text)
  return KrmObject.fromDocument(document.text, { path, index: 0, line: document.line })
}
