import type { FileChange } from '../../src/package/file-changes.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { ResourceList } from '../../src/resource-list/resource-list.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'
import { pathIn, placeFile } from '../print/print-results.ts'
import { diffFiles } from '../render/file-diff.ts'

/** What resolving does to a folder, as all formats show it. */
export interface ResolveView {
  readonly files: readonly ResolvedFile[]
  readonly results: readonly Result[]
}

/** A file that is written or removed. */
export interface ResolvedFile {
  readonly op: FileChange['op']
  /** As the caller sees it. */
  readonly path: string
  readonly objects: readonly ResolvedObject[]
  /** A unified diff, where one was asked for. */
  readonly diff?: string
}

export interface ResolvedObject {
  readonly op: 'create' | 'update' | 'remove'
  /** `PackageInstall team-a/db.example.com.1.0.0` */
  readonly name: string
  /** What it is there for. */
  readonly why?: string
}

/** What there is to look at when a function has run on a folder. */
export interface ResolvedFolder {
  readonly list: ResourceList
  readonly changes: readonly FileChange[]
  /** The objects that were there before. */
  readonly before: ReadonlySet<KrmObject>
  /** The text of a file as it was. */
  readonly textOf: (path: string) => Uint8Array
  /** The folder, as the caller named it. */
  readonly dir: string
  readonly diff: boolean
}

/** The files that change, with the objects of each that do. */
export function viewFiles(folder: ResolvedFolder): readonly ResolvedFile[] {
  const objects = changedObjects(folder)
  return folder.changes.map((change) => {
    const own = objects.filter(({ path }) => pathIn(folder.dir, path) === change.path).map(({ view }) => view)
    return { op: change.op, path: placeFile(change.path, folder.dir), objects: own, ...(folder.diff && { diff: diffOf(change, folder) }) }
  })
}

function changedObjects({ list, before }: ResolvedFolder): { readonly path: string; readonly view: ResolvedObject }[] {
  const changed = list.items.filter((object) => !before.has(object) || object.changed)
  const kept = changed.map((object) => viewObject(object, before.has(object) ? 'update' : 'create', list))
  return [...kept, ...[...list.removed].filter((object) => before.has(object)).map((object) => viewObject(object, 'remove', list))]
}

function viewObject(object: KrmObject, op: ResolvedObject['op'], { results }: ResourceList) {
  const name = formatResourceRef(object.ref)
  const reason = results.find(
    ({ tags, resourceRef }) => tags.rule === 'resolution' && resourceRef !== undefined && formatResourceRef(resourceRef) === name,
  )
  return {
    path: object.file?.path ?? '',
    view: { op, name, ...(reason !== undefined && { why: reason.message.replace(/^.*? (?=installs )/, '') }) },
  }
}

const NO_BYTES = new Uint8Array()

function diffOf({ op, path, text }: FileChange, { textOf, dir }: ResolvedFolder): string {
  const before = op === 'create' ? NO_BYTES : textOf(path)
  const hunks = diffFiles(before, Buffer.from(text))?.hunks ?? ''
  const name = placeFile(path, dir)
  return `--- ${op === 'create' ? '/dev/null' : `a/${name}`}\n+++ ${op === 'delete' ? '/dev/null' : `b/${name}`}\n${hunks}`
}
