import { posix } from 'node:path'
import { quietly } from '../attempt.ts'
import { finish, type Steps } from '../progress.ts'
import { once } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, hasErrors, type Result, type Severity } from '../result.ts'
import { duplicateKeyResults } from '../schema/document-faults.ts'
import { decodeUtf8, otherEncoding } from './file-encoding.ts'
import { diskTree, type FileTree, hiddenFolder, UnreadableError } from './file-tree.ts'
import { findNamedFiles, holdsResources, isInOtherCase, NOT_SEARCHED } from './find-package-files.ts'
import { LooseCharts } from './loose-charts.ts'
import { formerNames, type MisspeltFile, meantEnding, misspeltEnding } from './misspelt-ending.ts'
import type { FolderPackage, PackageDocument } from './package.ts'
import { PackageFolders } from './package-folders.ts'
import { firstLine, noDirective, orIgnored, type ReadFile, readPackageFile, unreadable } from './read-package-file.ts'
import type { Chunk } from './split-documents.ts'

/**
 * Reads the folder `dir` and its subpackages: the resources that `kpt fn source` would send, with the path and index of each.
 *
 * A YAML document that is no map (kpt wraps lists and refuses texts) is left out, but counts for the index.
 *
 * @throws FunctionError with every file that cannot be read; the error of node:fs when `dir` is no folder
 */
export function readPackage(dir: string): FolderPackage {
  return readTree(diskTree(dir))
}

/**
 * Reads a package from any tree of files.
 *
 * @param name  returns the name of a file in findings, for a caller outside of the folder
 */
export function readTree(tree: FileTree, name: (path: string) => string = (path) => path, reading: TreeReading = {}): FolderPackage {
  return finish(readTreeInSteps(tree, name, reading))
}

/** The rules for reading a tree. */
export interface TreeReading {
  /**
   * True for the folder of a fleet: a file outside of packages that is not read wholly is an error, since what it declares would count as
   * removed. Without it, a file is left out with a warning where kpt reads nothing either.
   */
  readonly isFleet?: boolean
  /** True to leave files with `{{` alone in charts only, as always in a fleet. */
  readonly isPackage?: boolean
  /** Returns true for a file whose errors are among the results and not thrown; the file is left out if it cannot be read. */
  readonly isSpared?: (path: string) => boolean
}

/** Reads a package from any tree of files, one file in each step. */
export function* readTreeInSteps(
  tree: FileTree,
  name: (path: string) => string,
  { isFleet = false, isPackage = isFleet, isSpared = () => false }: TreeReading = {},
): Steps<FolderPackage> {
  const isFound = (file: string) => holdsResources(file) || isInOtherCase(file) || meantEnding(file) !== undefined
  const found = findNamedFiles(tree, (file, { isHidden }) => isFound(file) || (isFleet && isHidden === true))
  const paths = found.filter((path) => holdsResources(posix.basename(path)))
  const packages = new PackageFolders(tree)
  const isChart = (path: string): boolean => packages.holdChartOf(path)
  const declares = (path: string): boolean => isFleet && !packages.hold(path) && !isChart(path)
  const read: ReadFile[] = []
  const passedOver: Result[] = []
  const charts = new LooseCharts(packages)
  for (const path of paths) {
    const mayBeTemplate = () => !isPackage || isChart(path) || (declares(path) && charts.above(path) !== undefined)
    const file = readTreeFile(tree, path, name(path), mayBeTemplate)
    read.push(declares(path) ? charts.without(path, whole(file, name(path))) : file)
    if (declares(path) && file.file?.documents.some(isListOfObjects)) passedOver.push(listPassedOver(name(path)))
    yield { done: read.length, total: paths.length }
  }
  const results = [...read.flatMap((file) => file.results), ...charts.faults(name)]
  if (charts.size > 0 || read.some((file, index) => hasErrors(file.results) && !isSpared(paths[index] ?? '')))
    throw new FunctionError(results)
  const files = read.flatMap(({ file }) => (file === undefined ? [] : [file]))
  const objects = files.flatMap(({ documents }) => documents.flatMap(({ object }) => (object === undefined ? [] : [object])))
  const others = paths.length === found.length ? [] : found.filter((path) => !holdsResources(posix.basename(path)))
  const unread = others.flatMap((path) => {
    if (isInOtherCase(posix.basename(path))) return [notRead(name(path), declares(path) ? 'error' : 'warning')]
    const hidden = hiddenFolder(tree, path, name(path))
    if (hidden !== undefined && declares(path)) passedOver.push(hidden)
    if (hidden !== undefined) return []
    const file = readMisspelt(tree, path, name(path))
    const misspelt = file && misspeltEnding(file)
    if (misspelt !== undefined && declares(path)) passedOver.push(...misspelt.passedOver)
    return misspelt?.warning ?? []
  })
  if (hasErrors(unread)) throw new FunctionError([...results, ...unread])
  return {
    files,
    list: ResourceList.of(objects, undefined, {
      passedOver,
      setAside: once(() => objectsSetAside(tree, (path) => (declares(path) ? name(path) : undefined))),
    }),
    results: [...results, ...unread, ...duplicateKeyResults(objects.filter(isOddResource))],
  }
}

/**
 * Returns the objects of files that have another ending behind the name of a file that is not there. A backup beside its file holds what
 * the file had once. Git's store and installed packages hold files of others.
 *
 * @param nameOf  returns the name of a file in findings; undefined for a file that declares nothing of the fleet
 */
function objectsSetAside(tree: FileTree, nameOf: (path: string) => string | undefined): readonly KrmObject[] {
  const paths = findNamedFiles(tree, () => true).filter((path) => !path.split('/').some((step) => NOT_SEARCHED.includes(step)))
  const [present, holding] = [new Set(paths), tree.holding?.('apiVersion')]
  return paths.flatMap((path) => {
    if (holding?.has(path) === false) return []
    const former = formerNames(posix.basename(path)).map((name) => posix.join(posix.dirname(path), name))
    const name = former.length === 0 || former.some((each) => present.has(each)) ? undefined : nameOf(path)
    const documents = name === undefined ? [] : (readMisspelt(tree, path, name)?.documents ?? [])
    return documents.flatMap(({ object }) => object ?? [])
  })
}

/** Returns a file that kpt does not read, in any encoding; undefined for one that is not there or in which no object is named. */
function readMisspelt(tree: FileTree, path: string, name: string): MisspeltFile | undefined {
  const bytes = quietly(() => tree.read(path)) ?? Buffer.of()
  const text = decodeUtf8(bytes) ?? otherEncoding(bytes).text
  if (!text.includes('apiVersion') || !text.includes('kind')) return undefined
  const { file, results } = readPackageFile(name, Buffer.from(text))
  return file ?? (hasErrors(results) ? { path: name } : undefined)
}

/** Returns true for a resource in an unusual layout: only such a layout can have repeated keys. */
function isOddResource({ isReadAsUnusual, kind }: KrmObject): boolean {
  return isReadAsUnusual && kind !== undefined
}

/** Reads the documents of one file of a tree. A file that is too large to read is a fault of its own. */
export function readTreeFile(tree: FileTree, path: string, name: string, mayBeTemplate: () => boolean): ReadFile {
  const file = tree.documents?.(path, name)
  if (file !== undefined) return { file, results: [] }
  try {
    return readPackageFile(name, tree.read(path), mayBeTemplate)
  } catch (error) {
    if (error instanceof UnreadableError) {
      const file = { path: name, index: 0 }
      return {
        results: [{ severity: error.severity, message: `cannot be read: ${error.message}`, file, tags: { rule: error.rule } }],
      }
    }
    if (!(error instanceof WireError)) throw error
    return { results: [orIgnored(unreadable(name, error.message.replace(`${path}: `, ''), { line: 1, column: 1 }))] }
  }
}

/**
 * Returns a file of a fleet as it was read, with an error for each part that was not: text behind the end of a document, and a document
 * that is a text. Warnings about the file become errors.
 */
function whole({ file, results }: ReadFile, name: string): ReadFile {
  const texts = (file?.documents ?? []).filter(isPlainText).map((chunk) => noMap(name, chunk))
  const errors = results.map((result): Result => (result.severity === 'warning' ? { ...result, severity: 'error' } : result))
  return { ...(file && { file }), results: [...errors, ...texts] }
}

/** Returns true for a document that is neither a map nor a list: most likely what is left of a file. */
function isPlainText({ text, isEmpty, object }: PackageDocument): boolean {
  return !isEmpty && object === undefined && !/^[ \t]*(?:-[ \t\r\n]|\[)/m.test(text)
}

/** Returns true for a document that is a list and looks as if it held objects, of which some may have lost their kind or apiVersion. */
function isListOfObjects({ object, text }: PackageDocument): boolean {
  if (object !== undefined || !/^\s*[[-]/m.test(text)) return false
  // A patch of JSON Patch has `/metadata/labels` as a value.
  return /\bmetadata["']?[ \t]*:/.test(text) || (/\bapiVersion\b/.test(text) && /\bkind\b/.test(text))
}

function listPassedOver(path: string): Result {
  const message = 'must hold objects one by one, has a list of them, which is passed over'
  return { severity: 'error', message, file: { path, index: 0 }, tags: { rule: 'deletion-guard' } }
}

function noMap(path: string, chunk: Chunk): Result {
  const { text, line } = firstLine(chunk)
  return orIgnored(unreadable(path, noDirective(chunk) ?? `must hold resources, got the text '${text}'`, { line, column: 1 }))
}

function notRead(path: string, severity: Severity): Result {
  const message =
    'not read: kpt reads files with the endings .yaml, .yml and .json in lower case, and Kptfile; rename the file, or name it in .krmignore'
  return { severity, message, file: { path, index: 0 }, tags: { rule: 'file-ending' } }
}
