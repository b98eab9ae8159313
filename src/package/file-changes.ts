import { compareText } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { appendDocuments, assembleFile } from './assemble-file.ts'
import type { FolderPackage, PackageFile } from './package.ts'
import { objectsOf } from './read-whole-package.ts'

/** What has to happen to one file so that the folder holds what the list holds. */
export interface FileChange {
  readonly path: string
  readonly op: 'create' | 'update' | 'delete'
  /** The whole new text; '' for `delete`. */
  readonly text: string
}

/**
 * The files that differ from what was read, by path. Objects that were removed from the list leave their file, which goes with the last of
 * them; new ones make the file that they name, or are appended to it. Everything else keeps its bytes.
 */
export function fileChanges({ files, list }: FolderPackage): readonly FileChange[] {
  const known = new Set(files.flatMap(objectsOf))
  const kept = new Set(list.items)
  const added = groupByPath(list.items.filter((item) => !known.has(item)))
  const paths = new Set(files.map(({ path }) => path))
  const changed = files.flatMap((file) => changeOf(file, kept, added.get(file.path) ?? []))
  const created = [...added]
    .filter(([path]) => !paths.has(path))
    .map(([path, objects]): FileChange => ({ path, op: 'create', text: appendDocuments('', objects) }))
  return [...changed, ...created].sort((a, b) => compareText(a.path, b.path))
}

function changeOf(file: PackageFile, kept: ReadonlySet<KrmObject>, added: readonly KrmObject[]): readonly FileChange[] {
  const objects = objectsOf(file)
  if (added.length === 0 && objects.every((object) => kept.has(object) && !object.changed)) return []
  const documents = file.documents.filter(({ object }) => object === undefined || kept.has(object))
  if (added.length === 0 && documents.every(({ object, isEmpty }) => object === undefined && isEmpty))
    return [{ path: file.path, op: 'delete', text: '' }]
  return [
    {
      path: file.path,
      op: 'update',
      text: appendDocuments(
        assembleFile(file, (object) => (kept.has(object) ? object.toText() : undefined)),
        added,
      ),
    },
  ]
}

/** New objects by file, in the order of their index. One without a file is no object of a folder. */
function groupByPath(objects: readonly KrmObject[]): ReadonlyMap<string, readonly KrmObject[]> {
  const groups = new Map<string, KrmObject[]>()
  for (const object of objects) {
    const path = object.file?.path ?? ''
    groups.set(
      path,
      [...(groups.get(path) ?? []), object].sort((a, b) => (a.file?.index ?? 0) - (b.file?.index ?? 0)),
    )
  }
  return groups
}
