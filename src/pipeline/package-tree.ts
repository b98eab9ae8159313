import type { FileTree } from '../folder/file-tree.ts'
import { findPackageFiles } from '../folder/find-package-files.ts'
import type { PackageFile } from '../folder/package.ts'
import { isInChart } from '../folder/package-folders.ts'
import { readTreeFile } from '../folder/read-package.ts'
import { firstLine, noDirective } from '../folder/read-package-file.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, joinPath, KPTFILE } from '../resource-list/package-of.ts'
import { FunctionError, hasErrors, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { nameFirst } from '../wording.ts'

/** A package with its subpackages, as `kpt fn render` reads it. */
export interface PackageInTree {
  /** The folder from the root package, '' for the root package itself. */
  readonly folder: string
  readonly kptfile: KrmObject
  readonly items: readonly PipelineItem[]
  /** The items that are no resources, each with its error: no function may get one. */
  readonly notResources: ReadonlyMap<PipelineItem, Result>
  /** The text of each resource file as it was read, by its path in the package. */
  readonly files: ReadonlyMap<string, PackageFile>
  /** In the order of their folders, by bytes (docs/kpt.md 1). */
  readonly children: readonly PackageInTree[]
}

/** A resource while the pipelines run. */
export interface PipelineItem {
  readonly object: KrmObject
  /** The folder of its package, as `folder` of the package. */
  readonly folder: string
  /** The path of its file, from the folder of its package. */
  readonly path: string
  /** The index in the file; '' for an item that a function added without an index. */
  readonly index: string
}

/** A package as read: the tree, warnings about files that were left out, and an error for each document that is no map. */
export interface PackageTree {
  readonly root: PackageInTree
  readonly results: readonly Result[]
}

/**
 * Reads a package and all its subpackages. A folder with a Kptfile is a subpackage even if `.krmignore` names the folder. A
 * `.krmignore` at the top of a package hides files of that package only. YAML in `.git` is not read.
 *
 * @param name  returns a path for messages
 * @throws FunctionError  with every file that cannot be read
 */
export function readPackageTree(tree: FileTree, name: (path: string) => string): PackageTree {
  if (!isPackage(tree, '')) throw new FunctionError([noKptfile('', subpackageFolders(tree, '').map(name), name)])
  const results: Result[] = []
  // Errors only if a function gets the item, or if the package is refused for another error.
  const conditional = new Set<Result>()
  const read = (folder: string): PackageInTree | undefined => {
    const files = readFiles(packageView(tree, folder), folder, name, results)
    const notResources = new Map<PipelineItem, Result>()
    const items = itemsOf(files, folder, name, (fault, item) => {
      results.push(fault)
      if (item === undefined) return
      conditional.add(fault)
      notResources.set(item, fault)
    })
    const children = subpackageFolders(tree, folder).flatMap((child) => read(child) ?? [])
    const kptfile = items.find(({ path }) => path === KPTFILE)?.object ?? hiddenKptfile(tree, folder, name, results)
    return kptfile === undefined ? undefined : { folder, kptfile, items, notResources, files, children }
  }
  const root = read('')
  const certain = results.filter((result) => !conditional.has(result))
  if (root === undefined || hasErrors(certain)) throw new FunctionError(results)
  return { root, results: certain }
}

/** Returns a package and all packages below it, parents first. */
export function packagesInTree(node: PackageInTree): readonly PackageInTree[] {
  return [node, ...node.children.flatMap(packagesInTree)]
}

/** Returns the folders of the nearest packages below a folder, sorted by bytes. */
function subpackageFolders(tree: FileTree, folder: string): readonly string[] {
  const found = tree.list(folder).flatMap(({ name, type }) => {
    const inner = pathBelow(folder, name)
    if (type !== 'folder' || name === '.git') return []
    return isPackage(tree, inner) ? [inner] : subpackageFolders(tree, inner)
  })
  return found.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

function isPackage(tree: FileTree, folder: string): boolean {
  return tree.list(folder).some(({ name, type }) => name === KPTFILE && type === 'file')
}

/** Returns the files of one package without its subpackages. A `.krmignore` below the top is then beside no Kptfile and has no effect. */
function packageView(tree: FileTree, folder: string): FileTree {
  return {
    list: (inner) =>
      tree.list(pathBelow(folder, inner)).filter(({ name, type }) => {
        return type === 'file' || (name !== '.git' && !isPackage(tree, pathBelow(pathBelow(folder, inner), name)))
      }),
    read: (path) => tree.read(pathBelow(folder, path)),
    documents: (path, name) => tree.documents?.(pathBelow(folder, path), name),
  }
}

function readFiles(view: FileTree, folder: string, name: (path: string) => string, results: Result[]): ReadonlyMap<string, PackageFile> {
  const files = new Map<string, PackageFile>()
  for (const path of findPackageFiles(view)) {
    const isChart = () =>
      isInChart(path, (each) => view.list(folderOf(each)).some((entry) => pathBelow(folderOf(each), entry.name) === each))
    const read = readTreeFile(view, path, name(pathBelow(folder, path)), isChart)
    results.push(...read.results)
    if (read.file !== undefined) files.set(path, read.file)
  }
  return files
}

function itemsOf(
  files: ReadonlyMap<string, PackageFile>,
  folder: string,
  name: (path: string) => string,
  note: (fault: Result, item?: PipelineItem) => void,
): readonly PipelineItem[] {
  return [...files].flatMap(([path, { documents }]) => {
    const shown = { path: name(pathBelow(folder, path)), index: 0 }
    return documents
      .filter(({ isEmpty }) => !isEmpty)
      .flatMap(({ object, text, line }, index): PipelineItem[] => {
        const position = { line, column: 1 }
        if (object === undefined) {
          note(noMap({ ...shown, index }, { text, line }))
          return []
        }
        const item = { object, folder, path, index: String(index) }
        const missing = missingField(object, path)
        if (missing !== undefined) note(notResource({ ...shown, index }, position, `have ${missing}`), item)
        return [item]
      })
  })
}

const NOT_A_RESOURCE = 'not-a-resource'

function noMap(file: { path: string; index: number }, document: { readonly text: string; readonly line: number }): Result {
  const message = noDirective(document)
  if (message === undefined) return notResource(file, { line: document.line, column: 1 }, 'be a map')
  const position = { line: firstLine(document).line, column: 1 }
  return { severity: 'error', message, file, position, tags: { rule: NOT_A_RESOURCE } }
}

function notResource(file: { path: string; index: number }, position: { line: number; column: number }, must: string): Result {
  const message = `must ${must}, as every resource of a package; a file that is no resource can be named in .krmignore`
  return { severity: 'error', message, file, position, tags: { rule: NOT_A_RESOURCE } }
}

/**
 * Returns the field that an object lacks to be a resource; undefined for a resource. kustomize's own files need no fields
 * (docs/kpt-render R9), and a list of objects needs no name, as `kubectl get --output yaml` prints it: kpt refuses such a list.
 */
export function missingField(object: KrmObject, path: string): string | undefined {
  const { apiVersion = '', kind = '', name = '' } = object
  const isKustomize =
    /(?:^|\/)kustomization\.ya?ml$|(?:^|\/)Kustomization$/.test(path) ||
    apiVersion.startsWith('kustomize.config.k8s.io/') ||
    (apiVersion === '' && kind === 'Kustomization')
  if (isKustomize) return undefined
  if (apiVersion === '') return '`apiVersion`'
  if (kind === '') return '`kind`'
  const isList = kind.endsWith('List') && Array.isArray(object.get(['items']))
  return name === '' && !isList ? '`metadata.name`' : undefined
}

/** Returns the Kptfile of a package whose `.krmignore` hides the Kptfile from functions. */
function hiddenKptfile(tree: FileTree, folder: string, name: (path: string) => string, results: Result[]): KrmObject | undefined {
  const path = name(pathBelow(folder, KPTFILE))
  const { file, results: faults } = readTreeFile(tree, pathBelow(folder, KPTFILE), path, () => true)
  const object = file?.documents.find((document) => document.object !== undefined)?.object
  results.push(...faults)
  if (object === undefined && faults.length === 0)
    results.push({ severity: 'error', message: 'must hold a Kptfile, holds no map', file: { path, index: 0 }, tags: { rule: 'kptfile' } })
  return object
}

const MOST_NAMED = 5

/** @param packages  the packages below the folder, as the caller sees them */
function noKptfile(folder: string, packages: readonly string[], name: (path: string) => string): Result {
  const below = packages.length === 0 ? '' : `; the packages below it are ${nameFirst(packages.map(quoteText), MOST_NAMED)}`
  const message = `must be the folder of a package, has no Kptfile${below}`
  return { severity: 'error', message, file: { path: name(folder), index: 0 }, tags: { rule: 'no-kptfile' } }
}

/** Returns a path below a folder; '' is the top, also as the path. */
export function pathBelow(folder: string, path: string): string {
  return path === '' ? folder : joinPath(folder, path)
}
