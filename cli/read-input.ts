import { statSync } from 'node:fs'
import { posix } from 'node:path'
import type { FileTree } from '../src/package/file-tree.ts'
import { listPathFaults } from '../src/package/list-paths.ts'
import type { FolderPackage } from '../src/package/package.ts'
import { readTree, readTreeInSteps } from '../src/package/read-package.ts'
import { fleetTreeInside, withLinks, withLinksNow } from '../src/package/tree-inside.ts'
import { isRenderedPackage } from '../src/render/target/disk/read-fleet-folder.ts'
import { folderOf, KPTFILE } from '../src/resource-list/package-of.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../src/result.ts'
import { duplicateKeyResults } from '../src/schema/document-faults.ts'
import { advance } from './advance.ts'
import type { Host } from './host.ts'
import { pathIn, placeFile } from './print/print-results.ts'
import { UsageError } from './usage-error.ts'

/**
 * Reads the folder `dir`, or a ResourceList on stdin for `-`. File paths, even in the texts of findings, are as the caller sees them.
 *
 * @throws UsageError when the folder does not exist; WireError for input that is no ResourceList; FunctionError with every file that cannot
 * be read, and every item of a list whose path must not be used
 */
export async function readInput(dir: string, host: Host): Promise<FolderPackage> {
  if (dir === '-') {
    const list = safeList(ResourceList.parse(await host.read()))
    return { files: [], list, results: duplicateKeyResults(list.items) }
  }
  const name = (path: string) => placeFile(path, dir)
  const inside = fleetTreeInside(requireFolder(dir, host), name)
  return withLinks(inside, () => advance(readTreeInSteps(inside.tree, name, { isFleet: true }), 'file', host))
}

/** A fleet, and the faults of packages in its folder that `render` made. */
export interface FleetInput extends FolderPackage {
  /** The errors of the files of rendered packages. A file that cannot be read is left out of the fleet. */
  readonly broken: readonly Result[]
}

/**
 * Reads the folder of a fleet as `readInput` does, but for files of packages that `render` made: one broken package must not hide the
 * others.
 */
export async function readFleetInput(dir: string, host: Host): Promise<FleetInput> {
  if (dir === '-') return { ...(await readInput(dir, host)), broken: [] }
  const name = (path: string) => placeFile(path, dir)
  const inside = fleetTreeInside(requireFolder(dir, host), name)
  const isRendered = renderedFiles(inside.tree)
  const isBroken = ({ severity, file, tags }: Result) =>
    severity === 'error' && file !== undefined && tags.rule !== 'not-checked-out' && isRendered(pathIn(dir, file.path))
  const read = await withLinks(
    inside,
    () => advance(readTreeInSteps(inside.tree, name, { isFleet: true, isSpared: isRendered }), 'file', host),
    isBroken,
  )
  const broken = read.results.filter(isBroken)
  return { ...read, results: read.results.filter((result) => !broken.includes(result)), broken }
}

/** Returns a function that returns true for a file of a package that `render` made. */
function renderedFiles(tree: FileTree): (path: string) => boolean {
  const known = new Map<string, boolean>([['', false]])
  const isRendered = (folder: string): boolean => {
    const found = known.get(folder) ?? (isMade(tree, folder) || isRendered(folderOf(folder)))
    known.set(folder, found)
    return found
  }
  return (path) => isRendered(folderOf(path))
}

function isMade(tree: FileTree, folder: string): boolean {
  const hasKptfile = tree.list(folder).some(({ name, type, broken }) => name === KPTFILE && type === 'file' && broken === undefined)
  return hasKptfile && isRenderedPackage(tree, folder)
}

/** @throws FunctionError with every item whose path must not be used */
function safeList(list: ResourceList): ResourceList {
  const faults = listPathFaults(list.items)
  if (faults.length > 0) throw new FunctionError(faults)
  return list
}

/** Returns the folder `dir` as `readInput` does, without stdin and without progress. */
export function readFolder(dir: string, host: Host): FolderPackage {
  const name = (path: string) => placeFile(path, dir)
  const inside = fleetTreeInside(requireFolder(dir, host), name)
  return withLinksNow(inside, () => readTree(inside.tree, name, { isFleet: true }))
}

/** Matches the address of a git repository. */
const ADDRESS = /^\w+:\/\/|^[\w.-]+@[\w.-]+:/

/**
 * Returns the path on disk of the folder that the caller named `dir`.
 *
 * @throws UsageError when the path does not exist or is a file; the error of node:fs when the folder above cannot be searched
 */
export function requireFolder(dir: string, host: Pick<Host, 'locate'>): string {
  if (dir === '') throw new UsageError("the folder to read must have a name, got ''; '.' is the current folder")
  if (dir === '/dev/stdin')
    throw new UsageError("'/dev/stdin' must be a folder; '-' reads a ResourceList from stdin, where a command can do so")
  const folder = host.locate(dir)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined)
    throw new UsageError(`no folder '${dir}' to read${ADDRESS.test(dir) ? '; a git repository is cloned first: git clone' : ''}`)
  if (!found.isDirectory()) throw new UsageError(`'${dir}' must be a folder, got a file; its folder is '${posix.dirname(dir)}'`)
  return folder
}
