import { statSync } from 'node:fs'
import { posix } from 'node:path'
import { type FleetObjects, type PackagesInFolder, readFleetFolder } from '../../src/fleet/read-fleet-folder.ts'
import { listPathFaults } from '../../src/folder/list-paths.ts'
import type { NamedFolder } from '../../src/folder/named-folder.ts'
import { finish } from '../../src/progress.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError } from '../../src/result.ts'
import { duplicateKeyResults } from '../../src/schema/document-faults.ts'
import { advance } from '../advance.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Reads the fleet of the folder `dir`, or of a ResourceList on stdin for `-`. File paths, even in the texts of findings, are as the caller
 * sees them. This is the one way from a folder to a fleet: every command that needs one begins here.
 *
 * @param packages  the treatment of packages in the folder that `render` made
 * @throws UsageError when the folder does not exist; WireError for input that is no ResourceList; FunctionError with every file that cannot
 * be read, and every item of a list whose path must not be used
 */
export async function loadFleet(dir: string, host: Host, packages: PackagesInFolder['packages'] = 'read'): Promise<FleetObjects> {
  if (dir !== '-') return advance(readFleetFolder(namedFolder(dir, host), { packages }), 'file', host)
  const list = safeList(ResourceList.parse(await host.read()))
  return { files: [], list, results: duplicateKeyResults(list.items), made: [], broken: [] }
}

/** Reads the fleet of a folder as `loadFleet` does, without progress. */
export function loadFleetNow(dir: string, host: Pick<Host, 'locate'>, asked: PackagesInFolder = { packages: 'read' }): FleetObjects {
  return finish(readFleetFolder(namedFolder(dir, host), asked))
}

/** @throws FunctionError with every item whose path must not be used */
function safeList(list: ResourceList): ResourceList {
  const faults = listPathFaults(list.items)
  if (faults.length > 0) throw new FunctionError(faults)
  return list
}

/** Returns the folder that the caller named `dir`. @throws as `requireFolder` */
export function namedFolder(dir: string, host: Pick<Host, 'locate'>): NamedFolder {
  return { disk: requireFolder(dir, host), shown: shownFolder(dir) }
}

/** Returns a folder as the findings show it. */
export function shownFolder(folder: string): string {
  return posix.join(folder, '.')
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
