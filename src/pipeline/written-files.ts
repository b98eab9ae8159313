import { compareText } from '../field-path.ts'
import { layOutFile, textAsRead } from '../folder/assemble-file.ts'
import type { FileChange } from '../folder/file-changes.ts'
import type { PackageFile } from '../folder/package.ts'
import { groupBy } from '../group-by.ts'
import { closeBlock } from '../yaml/edit/apply-splices.ts'
import { type PackageInTree, type PipelineItem, packagesInTree, pathBelow } from './package-tree.ts'

/**
 * Returns the changes to the root package's folder that make it hold the items. A file with unchanged items keeps every byte. The items
 * of a file are ordered by index; an item without an index has the highest one of its file (docs/kpt-render R34).
 *
 * @param deletes  false to keep files that lost their items, after a failure
 */
export function writtenFiles(root: PackageInTree, items: readonly PipelineItem[], deletes: boolean): readonly FileChange[] {
  const read = new Map<string, PackageFile>()
  for (const { folder, files } of packagesInTree(root)) for (const [path, file] of files) read.set(pathBelow(folder, path), file)
  const wanted = groupBy(items, ({ folder, path }) => pathBelow(folder, path))
  const written = [...wanted].flatMap(([path, held]) => fileChange(path, held, read.get(path)))
  const gone = [...read].filter(([path, { documents }]) => !wanted.has(path) && documents.some(({ object }) => object !== undefined))
  const deleted = deletes ? gone.map(([path, file]): FileChange => ({ path, op: 'delete', text: '', before: textAsRead(file) })) : []
  return [...written, ...deleted].sort((a, b) => compareText(a.path, b.path))
}

function fileChange(path: string, held: readonly PipelineItem[], before: PackageFile | undefined): readonly FileChange[] {
  const highest = Math.max(0, ...held.map(({ index }) => Number(index)))
  const rank = ({ index }: PipelineItem): number => (index === '' ? highest : Number(index))
  const ordered = held.map((item, position) => ({ item, position })).sort((a, b) => rank(a.item) - rank(b.item) || a.position - b.position)
  const documents = ordered.map(({ item }) => ({ source: item.object, text: ended(item.object.toText()) }))
  const old = before?.documents.flatMap(({ object, text }) => (object === undefined ? [] : [{ object, text }])) ?? []
  const isSame =
    documents.length === old.length && documents.every(({ source }, i) => source === old[i]?.object && source.toText() === old[i]?.text)
  if (isSame) return []
  const text = layOutFile(documents, { path, before })
  return [before === undefined ? { path, op: 'create', text } : { path, op: 'update', text, before: textAsRead(before) }]
}

/** Returns a text with a final line break, which adds no line break to a block of text at its end. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${closeBlock(text)}\n`
}
