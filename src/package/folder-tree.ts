import { compareNames, type FileTree, type TreeEntry } from './file-tree.ts'

/** Returns the tree of folders that hold the given files. */
export function folderTree(paths: Iterable<string>, read: FileTree['read']): FileTree {
  const folders = new Map<string, Map<string, TreeEntry>>([['', new Map()]])
  for (const path of paths) {
    const steps = path.split('/')
    for (const [depth, name] of steps.entries()) {
      const folder = steps.slice(0, depth).join('/')
      const entries = folders.get(folder) ?? new Map<string, TreeEntry>()
      folders.set(folder, entries.set(name, { name, type: depth === steps.length - 1 ? 'file' : 'folder' }))
    }
  }
  const sorted = new Map(Array.from(folders, ([folder, entries]) => [folder, [...entries.values()].sort(compareNames)]))
  return { list: (folder) => sorted.get(folder) ?? [], read }
}
