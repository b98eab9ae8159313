import { type FileTree, UnreadableError } from '../folder/file-tree.ts'
import { realPlace } from '../folder/inside-folder.ts'
import { below, type NamedFolder } from '../folder/named-folder.ts'
import type { FolderPackage } from '../folder/package.ts'
import { readTreeInSteps } from '../folder/read-package.ts'
import { fleetTreeInside, withLinks } from '../git/tree-inside.ts'
import { finish, type Steps } from '../progress.ts'
import { remember } from '../remember.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { insideTest } from '../resource-list/revision-folders.ts'
import { WireError } from '../resource-list/wire-error.ts'
import type { FileRef, Result } from '../result.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'

/** The declarations of a folder of a fleet, and the files that could not be read. */
export interface FleetObjects extends FolderPackage {
  /** The folders of packages that were made for variants, as far as they were left out. */
  readonly made: readonly string[]
  /** The errors of the files of packages that were made for variants. A file that cannot be read is left out of the fleet. */
  readonly broken: readonly Result[]
}

/** The treatment of the packages in the folder that were made for variants. */
export interface PackagesInFolder {
  /**
   * `read`: they are part of what is asked for. `spare`: one broken package must not hide the others, so its errors are `broken`.
   * `leave-out`: `render` writes them, and there may be thousands.
   */
  readonly packages: 'read' | 'spare' | 'leave-out'
  /** Returns true for the real path of a folder that is known to be such a package; the others are found by their Kptfiles. */
  readonly isPackage?: (place: string) => boolean
}

/**
 * Reads the folder of a fleet. Every command that reads a fleet reads it here: from its folder, or from a tree of git in `readFleetTree`.
 *
 * @param dir  its shown name begins the file names in findings
 * @throws FunctionError  with every file that cannot be read, but for those that are spared; the error of node:fs when `dir` is no folder
 */
export function* readFleetFolder(dir: NamedFolder, { packages, isPackage }: PackagesInFolder): Steps<FleetObjects> {
  const name = (path: string) => below(dir, path).shown
  const skips = packages === 'leave-out'
  const inside = fleetTreeInside(dir.disk, name, skips ? isMadeForVariant : undefined)
  const root = realPlace(dir.disk)
  const list: FileTree['list'] = (folder) => (folder !== '' && isPackage?.(`${root}/${folder}`) === true ? [] : inside.tree.list(folder))
  const tree = { list, read: inside.tree.read }
  const isMade = packages === 'spare' ? renderedFiles(tree) : () => false
  const paths = new Map<string, string>()
  const named = (path: string): string => {
    const shown = name(path)
    if (packages === 'spare') paths.set(shown, path)
    return shown
  }
  const isBroken = ({ severity, file, tags }: Result) =>
    packages === 'spare' &&
    severity === 'error' &&
    file !== undefined &&
    tags.rule !== 'not-checked-out' &&
    isMade(paths.get(file.path) ?? pathBelow(dir, file.path))
  const read = yield* withLinks(
    inside,
    () => (skips ? readFleetTree(tree, dir) : readTreeInSteps(tree, named, { isFleet: true, isSpared: isMade })),
    isBroken,
  )
  const broken = read.results.filter(isBroken)
  return { made: [], ...read, results: read.results.filter((result) => !broken.includes(result)), broken }
}

/** Returns a path in findings below a folder without the name of the folder. */
function pathBelow({ shown }: NamedFolder, path: string): string {
  return path.startsWith(`${shown}/`) ? path.slice(shown.length + 1) : path
}

/** Reads the folder of a fleet from any tree, without the packages in it that were made for variants. */
export function* readFleetTree(tree: FileTree, dir: NamedFolder): Steps<FleetObjects> {
  const made = new Set<string>()
  const read = yield* readTreeInSteps(withoutRendered(tree, made), (path) => below(dir, path).shown, { isFleet: true })
  return { ...read, made: [...made], broken: [] }
}

/** Returns the folders of packages that were made for variants, below the folder of the fleet: those left out, and those of its objects. */
export function foldersOfVariants({ made, list }: FleetObjects, dir: NamedFolder): readonly string[] {
  const kptfiles = list.items.flatMap(({ kind, file, annotations }) =>
    kind === KPTFILE && file !== undefined && annotations.has(VARIANT_ANNOTATION) ? [file.path] : [],
  )
  return [...made, ...kptfiles.map((path) => folderOf(pathBelow(dir, path)))]
}

/** Returns the declarations of a fleet outside of some folders, as if these had been left out; the objects are copies. */
export function withoutFolders(read: FleetObjects, dir: NamedFolder, made: readonly string[]): FleetObjects {
  const isInside = insideTest(new Set(made.map((path) => below(dir, path).shown)))
  const isOwn = ({ file }: { readonly file?: FileRef | undefined }) => file === undefined || !isInside(file.path)
  const items = read.list.items.filter(isOwn).map((item) => item.draft())
  const { functionConfig, passedOver, setAside } = read.list
  return {
    files: read.files.filter(({ path }) => !isInside(path)),
    list: ResourceList.of(items, functionConfig, { passedOver: passedOver.filter(isOwn), setAside }),
    results: read.results.filter(isOwn),
    made,
    broken: [],
  }
}

/** Returns the declarations of a fleet with the packages that were read apart from it. */
export function withPackages(read: FleetObjects, packages: readonly FolderPackage[]): FleetObjects {
  return {
    ...read,
    files: [...read.files, ...packages.flatMap(({ files }) => files)],
    list: ResourceList.of([...read.list.items, ...packages.flatMap(({ list }) => list.items)], read.list.functionConfig, read.list),
    results: [...read.results, ...packages.flatMap(({ results }) => results)],
  }
}

/** Reads a package that was made for a variant and that is outside of the folder of its fleet. Throws as `readFleetFolder`. */
export function readPackageOfFleet(folder: NamedFolder): FolderPackage {
  const name = (path: string) => below(folder, path).shown
  const inside = fleetTreeInside(folder.disk, name)
  return finish(withLinks(inside, () => readTreeInSteps(inside.tree, name, { isPackage: true })))
}

/** @param made  gets the folders of packages that were made for variants */
function withoutRendered(tree: FileTree, made: Set<string>): FileTree {
  return {
    list: (folder) => {
      const entries = tree.list(folder)
      const isRendered = folder !== '' && isMade(tree, folder)
      if (isRendered) made.add(folder)
      return isRendered ? [] : entries
    },
    read: tree.read,
    ...(tree.holding && { holding: tree.holding }),
  }
}

/** Returns a function that returns true for a file of a package that was made for a variant. */
function renderedFiles(tree: FileTree): (path: string) => boolean {
  const known = new Map<string, boolean>([['', false]])
  const isRendered = (folder: string): boolean => remember(known, folder, () => isMade(tree, folder) || isRendered(folderOf(folder)))
  return (path) => isRendered(folderOf(path))
}

/** Returns true for a folder whose Kptfile names the variant that the package was made for. */
function isMade(tree: FileTree, folder: string): boolean {
  const hasKptfile = tree.list(folder).some(({ name, type, broken }) => name === KPTFILE && type === 'file' && broken === undefined)
  if (!hasKptfile) return false
  try {
    return isMadeForVariant(new TextDecoder().decode(tree.read(`${folder}/${KPTFILE}`)))
  } catch (error) {
    // The folder is read, and its Kptfile is a fault of the fleet.
    if (error instanceof UnreadableError || error instanceof WireError) return false
    throw error
  }
}

/** Returns true for the text of a Kptfile that names the variant that its package was made for. */
function isMadeForVariant(kptfile: string): boolean {
  return kptfile.includes(VARIANT_ANNOTATION)
}
