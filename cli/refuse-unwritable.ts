import { realpathSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { quietly } from '../src/attempt.ts'
import type { FileChange } from '../src/folder/file-changes.ts'
import { diskTree, type FileTree } from '../src/folder/file-tree.ts'
import { findLeftOutFiles, IGNORE_FILE } from '../src/folder/find-package-files.ts'
import { RealFiles } from '../src/folder/inside-folder.ts'
import { pathFault } from '../src/folder/safe-path.ts'
import { isOutside, nearestExisting } from '../src/folder/staging.ts'
import type { Result } from '../src/result.ts'

/**
 * Returns a result for each change that cannot be written: a path outside of the folder, a path that is taken, a path that the next run
 * would not read. A run that only shows its changes reports the same results as a run that writes.
 *
 * @param folder  the folder on disk, to which the paths of the changes are relative
 * @param shown  returns a path as the caller sees it
 */
export function refuseUnwritable(folder: string, changes: readonly FileChange[], shown: (path: string) => string): readonly Result[] {
  const written = changes.filter(({ op }) => op !== 'delete')
  if (written.length === 0) return []
  const root = realpathSync(folder)
  const files = new RealFiles()
  const created = written.flatMap(({ op, path }) => (op === 'create' ? [path] : []))
  const leftOut = new Set(created.length === 0 ? [] : findLeftOutFiles(withFiles(diskTree(root), created)))
  const texts = new Map<string, string>()
  return written.flatMap(({ op, path, text }): Result[] => {
    const fault =
      leadsOutside(root, path, files) ??
      (op === 'create' ? faultOfNew(root, path, leftOut) : faultOfLink(files.at(join(root, path))?.place ?? path, text, texts))
    if (fault === undefined) return []
    return [
      { severity: 'error', message: `\`path\` must ${fault}`, file: { path: shown(path), index: 0 }, tags: { rule: 'file-unwritable' } },
    ]
  })
}

/** Returns the fault of a path whose nearest existing place is outside of the folder, through a link; undefined for a place inside. */
function leadsOutside(root: string, path: string, files: RealFiles): string | undefined {
  const place = join(root, path)
  const real = files.at(place)?.place ?? realpathSync(nearestExisting(dirname(place)))
  return isOutside(root, real) ? `be inside the folder that is read, leads to '${real}': remove the link` : undefined
}

/** Returns the fault of a link to a file that gets another text by its own name. */
function faultOfLink(place: string, text: string, texts: Map<string, string>): string | undefined {
  const other = texts.get(place) ?? text
  texts.set(place, text)
  return other === text ? undefined : 'not lead to a file that gets another text by its own name: remove the link'
}

function faultOfNew(root: string, path: string, leftOut: ReadonlySet<string>): string | undefined {
  if (posix.basename(path) === IGNORE_FILE) return `have another name than ${IGNORE_FILE}, whose lines name the files to leave out`
  const unsafe = pathFault(path)
  if (unsafe !== undefined) return unsafe.replace(/^must /, '')
  if (leftOut.has(path)) return 'be read by the next run, .krmignore leaves it out: take it out of there'
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return undefined
  return `be free for new objects, is ${found.isDirectory() ? 'a folder' : 'a file that holds no resources'}: rename it`
}

/** Returns the tree with files that are to be created. */
function withFiles(tree: FileTree, paths: readonly string[]): FileTree {
  return {
    ...tree,
    list: (folder) => {
      // What .krmignore leaves out may be closed.
      const there = quietly(() => tree.list(folder)) ?? []
      const isHere = (path: string) => posix.dirname(path) === (folder || '.') && posix.basename(path) !== IGNORE_FILE
      const missing = paths.filter(isHere).map((path) => posix.basename(path))
      const names = new Set(there.map(({ name }) => name))
      return [...there, ...missing.filter((name) => !names.has(name)).map((name) => ({ name, type: 'file' as const }))]
    },
  }
}
