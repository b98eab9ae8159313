import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { JsonValue } from '../json.ts'
import { layOutFile } from '../package/assemble-file.ts'
import type { FileChange } from '../package/file-changes.ts'
import type { PackageFile } from '../package/package.ts'
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
  const deleted = deletes ? gone.map(([path]): FileChange => ({ path, op: 'delete', text: '' })) : []
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
  const text = path.endsWith('.json') ? jsonFile(ordered.map(({ item }) => item)) : undefined
  return [{ path, op: before === undefined ? 'create' : 'update', text: text ?? layOutFile(documents, before) }]
}

/** Returns a text with a final line break, which adds no line break to a block of text at its end. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${closeBlock(text)}\n`
}

/** Returns a file with one JSON document as JSON again; undefined for any other file, or if the edits left JSON. */
function jsonFile([item, ...others]: readonly PipelineItem[]): string | undefined {
  if (item === undefined || others.length > 0 || isJson(item.object.toText())) return undefined
  return `${printJson(item.object.toJson(), '')}\n`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Prints JSON, with integers of any size and two columns of indentation for each level. */
function printJson(value: JsonValue, indent: string): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const members = Array.isArray(value)
    ? value.map((member: JsonValue) => printJson(member, deeper))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${printJson(member, deeper)}`)
  return members.length === 0 ? open + close : `${open}\n${members.map((member) => deeper + member).join(',\n')}\n${indent}${close}`
}
