import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Result } from '../result.ts'
import { diskTree, type FileTree, type TreeEntry } from './file-tree.ts'
import { checkoutAround } from './git-cache.ts'
import { OutsideError, placeInside } from './inside-folder.ts'

/** A folder on disk without the symbolic links that lead out of it, and a warning about each such link that was listed so far. */
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
  return treeInside(dir, { bounds: dir, what: 'the package', name })
}

/**
 * Returns the folder of a fleet as a tree. Links within the checkout that the folder is in are followed; a link out of the checkout may
 * be an attempt to see a file of the machine that reads the fleet.
 *
 * @param name  returns the name of a file in findings
 */
export function fleetTreeInside(dir: string, name: (path: string) => string): TreeInside {
  const checkout = checkoutAround(realpathSync(dir))
  return treeInside(dir, { bounds: checkout ?? dir, what: checkout === undefined ? 'the folder' : 'the git repository', name })
}

interface Bounds {
  /** The folder that a link must not lead out of. */
  readonly bounds: string
  /** The name of that folder in warnings. */
  readonly what: string
  readonly name: (path: string) => string
}

function treeInside(dir: string, { bounds, what, name }: Bounds): TreeInside {
  const root = realpathSync(dir)
  const tree = diskTree(root)
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
  const listed = new Map<string, readonly TreeEntry[]>()
  const list = (folder: string) => {
    const entries =
      listed.get(folder) ?? tree.list(folder).filter((entry) => entry.isLink !== true || isInside(posix.join(folder, entry.name)))
    listed.set(folder, entries)
    return entries
  }
  return {
    tree: { ...tree, list },
    get links() {
      return [...links.values()]
    },
  }
}
