import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import { FunctionError, type Result } from '../result.ts'
import { type BrokenLink, diskTree, type FileTree, type TreeEntry, UnreadableError } from './file-tree.ts'
import { checkoutAround } from './git-cache.ts'
import { OutsideError, placeInside } from './inside-folder.ts'

/** A folder on disk without the symbolic links that lead out of it, and the findings about links and folders that were listed so far. */
export interface TreeInside {
  readonly tree: FileTree
  readonly links: readonly Result[]
}

/**
 * Returns the folder of a package as a tree. What a link to a file outside of the package leads to is no part of the package (docs/kpt.md).
 *
 * @param name  returns the name of a file in findings
 */
export function packageTreeInside(dir: string, name: (path: string) => string): TreeInside {
  return treeInside(dir, { bounds: dir, what: 'the package', name, broken: 'leave-out' })
}

/**
 * Returns the folder of a fleet as a tree. Links within the checkout that the folder is in are followed; a link out of the checkout may
 * be an attempt to see a file of the machine that reads the fleet. A link that leads nowhere and a folder that must not be read are findings:
 * an object of the fleet may be missing.
 *
 * @param name  returns the name of a file in findings
 */
export function fleetTreeInside(dir: string, name: (path: string) => string): TreeInside {
  const checkout = checkoutAround(realpathSync(dir))
  return treeInside(dir, {
    bounds: checkout ?? dir,
    what: checkout === undefined ? 'the folder' : 'the git repository',
    name,
    broken: 'keep',
  })
}

interface Bounds {
  /** The folder that a link must not lead out of. */
  readonly bounds: string
  /** The name of that folder in warnings. */
  readonly what: string
  readonly name: (path: string) => string
  /** `keep` for findings about links that lead nowhere, and about folders that must not be read. */
  readonly broken: 'keep' | 'leave-out'
}

function treeInside(dir: string, { bounds, what, name, broken }: Bounds): TreeInside {
  const root = realpathSync(dir)
  const tree = diskTree(root, broken)
  const links = new Map<string, Result>()
  const isInside = (path: string) => {
    try {
      return placeInside(realpathSync(bounds), join(root, path)) !== ''
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      const file = { path: name(path), index: 0 }
      const message = `is not read: the symbolic link leads out of ${what}`
      links.set(path, { severity: 'warning', message, file, tags: { rule: 'link-outside' } })
      return false
    }
  }
  const entriesOf = (folder: string): readonly TreeEntry[] => {
    try {
      return tree.list(folder)
    } catch (error) {
      const fault = broken === 'keep' && folder !== '' ? permissionFault(error) : undefined
      if (fault === undefined) throw error
      const message = `cannot be read: ${fault}; make the folder readable, or name it in .krmignore`
      links.set(folder, { severity: 'error', message, file: { path: name(folder), index: 0 }, tags: { rule: 'unreadable-file' } })
      return []
    }
  }
  const brokenLinks = new Map<string, BrokenLink>()
  const listed = new Map<string, readonly TreeEntry[]>()
  const list = (folder: string) => {
    const entries =
      listed.get(folder) ??
      entriesOf(folder).filter((entry) => entry.isLink !== true || entry.broken !== undefined || isInside(posix.join(folder, entry.name)))
    listed.set(folder, entries)
    for (const entry of entries) if (entry.broken !== undefined) brokenLinks.set(posix.join(folder, entry.name), entry.broken)
    return entries
  }
  const read = (path: string) => {
    const link = brokenLinks.get(path)
    if (link !== undefined) throw new UnreadableError(`${link.reason}; remove the link, or name it in .krmignore`, link.severity)
    try {
      return tree.read(path)
    } catch (error) {
      const fault = broken === 'keep' ? permissionFault(error) : undefined
      throw fault === undefined ? error : new UnreadableError(`${fault}; make the file readable, or name it in .krmignore`, 'error')
    }
  }
  return {
    tree: { list, read },
    get links() {
      return [...links.values()]
    },
  }
}

/**
 * Returns what `read` returns, with the findings about links and folders that it met; also among those that it throws.
 *
 * @throws FunctionError  as `read`
 */
export async function withLinks<Read extends { readonly results: readonly Result[] }>(
  inside: TreeInside,
  read: () => Read | Promise<Read>,
): Promise<Read> {
  try {
    return addLinks(await read(), inside)
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError([...error.results, ...inside.links]) : error
  }
}

/** Returns what `read` returns as `withLinks` does. */
export function withLinksNow<Read extends { readonly results: readonly Result[] }>(inside: TreeInside, read: () => Read): Read {
  try {
    return addLinks(read(), inside)
  } catch (error) {
    throw error instanceof FunctionError ? new FunctionError([...error.results, ...inside.links]) : error
  }
}

function addLinks<Read extends { readonly results: readonly Result[] }>(read: Read, { links }: TreeInside): Read {
  return links.length === 0 ? read : { ...read, results: [...read.results, ...links] }
}

/** Returns the text of the operating system for an error of permissions; undefined for any other error. */
function permissionFault(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))) return undefined
  return error.code === 'EACCES' ? 'permission denied' : 'operation not permitted'
}
