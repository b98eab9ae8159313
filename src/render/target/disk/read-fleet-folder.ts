import type { FileTree } from '../../../package/file-tree.ts'
import { realPlace } from '../../../package/inside-folder.ts'
import { below, type NamedFolder } from '../../../package/named-folder.ts'
import type { FolderPackage } from '../../../package/package.ts'
import { readTree } from '../../../package/read-package.ts'
import { fleetTreeInside, withLinksNow } from '../../../package/tree-inside.ts'
import { KPTFILE } from '../../../resource-list/package-of.ts'
import { VARIANT_ANNOTATION } from '../../../well-known.ts'

/** The objects of a fleet and the paths of their files. Other content of the files is not kept. */
export interface FleetObjects extends Pick<FolderPackage, 'list' | 'results'> {
  readonly paths: readonly string[]
  /** The folders of packages that were made for variants, which are no part of the fleet. */
  readonly made: readonly string[]
}

/**
 * Reads the folder of a fleet, without the packages in it that were made for variants: `render` writes these, and there may be
 * thousands.
 *
 * @param dir        its shown name begins the file names in findings
 * @param isPackage  returns true for the real path of a folder that is known to be such a package; the others are found by their Kptfiles
 * @throws FunctionError  with every file that cannot be read; the error of node:fs when `dir` is no folder
 */
export function readFleetFolder(dir: NamedFolder, isPackage: (place: string) => boolean = () => false): FleetObjects {
  const inside = fleetTreeInside(dir.disk, (path) => below(dir, path).shown, isMadeForVariant)
  const root = realPlace(dir.disk)
  const list: FileTree['list'] = (folder) => (folder !== '' && isPackage(`${root}/${folder}`) ? [] : inside.tree.list(folder))
  return withLinksNow(inside, () => readFleetTree({ ...inside.tree, list }, dir))
}

/** Reads the folder of a fleet as `readFleetFolder` does, from any tree. */
export function readFleetTree(tree: FileTree, dir: NamedFolder): FleetObjects {
  const made = new Set<string>()
  const { files, list, results } = readTree(withoutRendered(tree, made), (path) => below(dir, path).shown, { isFleet: true })
  return { paths: files.map(({ path }) => path), list, results, made: [...made] }
}

/** @param made  gets the folders of packages that were made for variants */
function withoutRendered(tree: FileTree, made: Set<string>): FileTree {
  return {
    list: (folder) => {
      const entries = tree.list(folder)
      const isRendered =
        folder !== '' &&
        entries.some(({ name, type, broken }) => name === KPTFILE && type === 'file' && broken === undefined) &&
        isRenderedPackage(tree, folder)
      if (isRendered) made.add(folder)
      return isRendered ? [] : entries
    },
    read: tree.read,
  }
}

/** Returns true if the Kptfile of a package names the variant that the package was made for. */
export function isRenderedPackage(tree: FileTree, folder: string): boolean {
  return isMadeForVariant(new TextDecoder().decode(tree.read(`${folder}/${KPTFILE}`)))
}

/** Returns true for the text of a Kptfile that names the variant that its package was made for. */
function isMadeForVariant(kptfile: string): boolean {
  return kptfile.includes(VARIANT_ANNOTATION)
}
