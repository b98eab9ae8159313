import type { KrmObject } from '../resource-list/krm-object.ts'
import { isKptfile, joinPath, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { duplicateKeyResults } from '../schema/document-faults.ts'
import { findPackageFiles } from './find-package-files.ts'
import type { PackageFile } from './package.ts'
import { isInChart } from './package-folders.ts'
import { readPackageFile } from './read-package-file.ts'
import { treeOf, type WholeFolder } from './whole-folder.ts'

/** A package with all its files: the resources that kpt reads, and the bytes of all other files. */
export interface WholePackage {
  /** The content of each file by path: the resources of its documents in order, or the bytes of a file without resources. */
  readonly contents: ReadonlyMap<string, readonly KrmObject[] | Uint8Array>
  /** The files that hold resources, with the text around the resources. */
  readonly layouts: ReadonlyMap<string, PackageFile>
  /** Warnings and errors about files that cannot be read. */
  readonly results: readonly Result[]
}

/**
 * Reads every file of a package. JSON is carried as bytes, as kpt does when it clones and updates (kpt resource-merge.go), and so is YAML
 * in which a document is no map.
 *
 * @param options.krmignore  whether files that a .krmignore names are carried as bytes too
 * @param options.place      the folder, for findings
 */
export function readWholePackage(
  folder: WholeFolder,
  { krmignore, place }: { readonly krmignore: boolean; readonly place: string },
): WholePackage {
  const known = krmignore ? new Set(findPackageFiles(treeOf(folder))) : undefined
  const contents = new Map<string, readonly KrmObject[] | Uint8Array>()
  const layouts = new Map<string, PackageFile>()
  const results: Result[] = []
  for (const [path, file] of folder.files) {
    const bytes = file.read()
    const isResource = mayHoldResources(path) && known?.has(path) !== false
    const isChart = () => isInChart(path, (each) => folder.files.has(each))
    const read = isResource ? readResources(joinPath(place, path), bytes, isChart) : { results: [] }
    results.push(...read.results)
    if (read.layout !== undefined) layouts.set(path, read.layout)
    const content = read.layout === undefined ? bytes : objectsOf(read.layout)
    // Of all others the fields are carried, and not read.
    if (path === KPTFILE && !(content instanceof Uint8Array)) results.push(...duplicateKeyResults(content))
    contents.set(path, content)
  }
  return { contents, layouts, results }
}

/** Returns the findings about the files of a package without those about files that a `.krmignore` names. */
export function withoutLeftOut(results: readonly Result[], folder: WholeFolder, place: string): readonly Result[] {
  const known = new Set(findPackageFiles(treeOf(folder)).map((path) => joinPath(place, path)))
  return results.filter(({ file }) => file === undefined || known.has(file.path))
}

/** Returns a warning for each symbolic link, which kpt does not carry either: its target is missing in another place. */
export function linksLeftOut({ links }: WholeFolder, place: string): readonly Result[] {
  return links.map((link) => ({
    severity: 'warning',
    message: 'is a symbolic link and not carried',
    file: { path: `${place}/${link}`, index: 0 },
    tags: { rule: 'link-left-out' },
  }))
}

/** Returns true if a file of this name is cloned and updated by its resources. */
export function mayHoldResources(path: string): boolean {
  return isKptfile(path) || path.endsWith('.yaml') || path.endsWith('.yml')
}

/**
 * Returns the documents of a file if all are resources; no layout for a file that is carried as bytes.
 *
 * @param isChart  returns true if the file is in a chart, where a template is no fault
 */
export function readResources(
  path: string,
  bytes: Uint8Array,
  isChart: () => boolean = () => true,
): { readonly layout?: PackageFile; readonly results: readonly Result[] } {
  const { file, results } = readPackageFile(path, bytes, isChart)
  const documents = file?.documents.filter(({ isEmpty }) => !isEmpty) ?? []
  const isWhole = documents.length > 0 && documents.every(({ object }) => object !== undefined)
  return { results, ...(file !== undefined && isWhole && { layout: file }) }
}

/** Returns the resources of a file. */
export function objectsOf({ documents }: PackageFile): readonly KrmObject[] {
  return documents.flatMap(({ object }) => (object === undefined ? [] : [object]))
}

/** Returns the resources in the bytes of a file; none for a file that is carried as bytes. */
export function resourcesOfBytes(path: string, bytes: Uint8Array): readonly KrmObject[] {
  const { layout } = readResources(path, bytes)
  return layout === undefined ? [] : objectsOf(layout)
}
