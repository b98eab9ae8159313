import type { FileChange } from '../src/folder/file-changes.ts'
import { groupBy } from '../src/group-by.ts'
import { printable } from '../src/printable.ts'
import type { KrmObject } from '../src/resource-list/krm-object.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { formatResourceRef, hasErrors, type Result, resultToJson } from '../src/result.ts'
import { styleDiff, unifiedChange } from './print/file-diff.ts'
import { countOperations } from './print/operation-counts.ts'
import { pathIn, placeFile } from './print/print-results.ts'
import { printJson } from './print/print-value.ts'
import { signed } from './print/signs.ts'
import type { Styles } from './print/styles.ts'

/** The changes that a function makes to a folder, as all formats show them. */
export interface FolderView {
  readonly files: readonly FileInView[]
  readonly results: readonly Result[]
}

/** A file that is written or removed. */
export interface FileInView {
  readonly op: FileChange['op']
  /** As the caller sees it. */
  readonly path: string
  readonly objects: readonly ObjectView[]
  /** A unified diff, where one was asked for. */
  readonly diff?: string
}

interface ObjectView {
  readonly op: 'create' | 'update' | 'remove'
  /** `PackageInstall team-a/db.example.com.1.0.0` */
  readonly name: string
  /** The reason for the object. */
  readonly why?: string
}

/** A folder after a function ran on it, and its state before. */
export interface EditedFolder {
  readonly list: ResourceList
  readonly changes: readonly FileChange[]
  /** The objects before the run. */
  readonly before: ReadonlySet<KrmObject>
  /** The folder, as the caller named it. */
  readonly dir: string
  readonly diff: boolean
}

/** Returns the files that change, each with its changed objects. */
export function viewFiles(folder: EditedFolder): readonly FileInView[] {
  const byPath = groupBy(changedObjects(folder), ({ path }) => pathIn(folder.dir, path))
  return folder.changes.map((change) => {
    const objects = (byPath.get(change.path) ?? []).map(({ view }) => view)
    const path = placeFile(change.path, folder.dir)
    return { op: change.op, path, objects, ...(folder.diff && { diff: unifiedChange(change, path) }) }
  })
}

interface Placed {
  readonly path: string
  readonly view: ObjectView
}

function changedObjects({ list, before }: EditedFolder): readonly Placed[] {
  const reasonOf = reasonFinder(list)
  const view = (op: ObjectView['op'], object: KrmObject): Placed => {
    const name = formatResourceRef(object.ref)
    const why = reasonOf(name, object.file?.path)
    return { path: object.file?.path ?? '', view: { op, name, ...(why !== undefined && { why }) } }
  }
  const changed = list.items.filter((object) => !before.has(object) || object.changed)
  const removed = [...list.removed].filter((object) => before.has(object))
  return [
    ...changed.map((object) => view(before.has(object) ? 'update' : 'create', object)),
    ...removed.map((object) => view('remove', object)),
  ]
}

/**
 * Returns a function that returns the reason why resolving added an object, by the name of the object in messages and its file: several
 * clusters may get an object of one name.
 */
function reasonFinder({ results }: ResourceList): (name: string, path: string | undefined) => string | undefined {
  const resolutions = results.filter(({ tags }) => tags.rule === 'resolution')
  const keyOf = (name: string | undefined, path: string | undefined) => `${path} ${name}`
  const byObject = groupBy(resolutions, ({ resourceRef, file }) => keyOf(resourceRef && formatResourceRef(resourceRef), file?.path))
  return (name, path) => byObject.get(keyOf(name, path))?.[0].message.replace(/^.*? (?=installs )/, '')
}

/** Returns the changes of a folder for a terminal. Findings are not included: they are printed to stderr. */
export function folderText({ files }: FolderView, styles: Styles): string {
  return files.map((file) => fileText(file, styles)).join('\n')
}

function fileText({ op, path, objects, diff }: FileInView, styles: Styles): string {
  const lines = [`${signed(op, printable(path), styles)}\n`, ...objects.map((object) => objectText(object, styles))]
  return `${lines.join('')}${diff === undefined ? '' : styleDiff(diff, styles)}`
}

function objectText({ op, name, why }: ObjectView, styles: Styles): string {
  const line = `    ${signed(op, printable(name), styles)}\n`
  return why === undefined ? line : `${line}        ${styles.faint(printable(why))}\n`
}

/** Returns the number of objects of each kind of change, in one line. */
export function summarizeFolder({ files, results }: FolderView, isWritten: boolean): string {
  if (hasErrors(results)) return 'nothing, refused for errors'
  const found = files.flatMap((file) => file.objects.map(({ op }) => op))
  return countOperations('object', { found, order: ['create', 'update', 'remove'], isWritten }) || 'nothing to do'
}

/** Returns the changes of a folder for other programs: one JSON document. */
export function folderJson({ files, results }: FolderView): string {
  return `${printJson({ files, results: results.map(resultToJson) }, 2)}\n`
}
