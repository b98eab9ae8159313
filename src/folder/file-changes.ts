import { compareText } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { appendDocuments, assembleFile, textAsRead } from './assemble-file.ts'
import { type WrittenFile, withJsonKept } from './json-file.ts'
import type { FolderPackage, PackageFile } from './package.ts'
import { objectsOf } from './read-whole-package.ts'

/** The change of one file that makes the folder hold the list's resources. */
export interface FileChange {
  readonly path: string
  readonly op: 'create' | 'update' | 'delete'
  /** The whole new text; '' for `delete`. */
  readonly text: string
  /** The text that the file had when it was read. If unset, the file need not be as anyone read it; `create` needs a free place. */
  readonly before?: string
}

/**
 * Returns the changed files, sorted by path. An object that was removed from the list is removed from its file, and a file without
 * objects is deleted. A new object is appended to the file that it names, or creates the file. Everything else keeps its bytes.
 */
export function fileChanges({ files, list }: FolderPackage): readonly FileChange[] {
  const known = new Set(files.flatMap(objectsOf))
  const kept = new Set(list.items)
  const added = groupByPath(list.items.filter((item) => !known.has(item)))
  const paths = new Set(files.map(({ path }) => path))
  const changed = files.flatMap((file) => changeOf(file, kept, added.get(file.path) ?? []))
  const created = [...added]
    .filter(([path]) => !paths.has(path))
    .map(
      ([path, objects]): FileChange => ({
        path,
        op: 'create',
        text: fileText({ path, before: undefined }, objects, appendDocuments('', objects)),
      }),
    )
  return [...changed, ...created].sort((a, b) => compareText(a.path, b.path))
}

function changeOf(file: PackageFile, kept: ReadonlySet<KrmObject>, added: readonly KrmObject[]): readonly FileChange[] {
  const objects = objectsOf(file)
  if (added.length === 0 && objects.every((object) => kept.has(object) && !object.changed)) return []
  const documents = file.documents.filter(({ object }) => object === undefined || kept.has(object))
  if (added.length === 0 && documents.every(({ object, isEmpty }) => object === undefined && isEmpty))
    return [{ path: file.path, op: 'delete', text: '', before: textAsRead(file) }]
  const left = assembleFile(file, (object) => (kept.has(object) ? object.toText() : undefined))
  const text = appendDocuments(left, added)
  const staying = objects.filter((object) => kept.has(object))
  const written = fileText({ path: file.path, before: file }, [...staying, ...added], text)
  return [{ path: file.path, op: 'update', text: written, before: textAsRead(file) }]
}

function fileText(file: WrittenFile, objects: readonly KrmObject[], laidOut: string): string {
  const texts = objects.map((object) => object.toText())
  return withJsonKept(file, texts, laidOut)
}

/** Returns new objects by file, ordered by index. */
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
