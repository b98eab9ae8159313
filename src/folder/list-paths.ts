import { attempt } from '../attempt.ts'
import { printablePath } from '../printable.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { PATH_ANNOTATIONS } from '../resource-list/wire-annotations.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { pathFault } from './safe-path.ts'

/** The number of faults that are reported of a list with thousands. */
const MOST = 100

/**
 * Returns an error for each item whose annotations name its file by an unsafe path: the orchestrator would write the item there. Most
 * items need not be parsed for this.
 *
 * @param text  the text of the whole list, if available: most lists need only one search
 */
export function listPathFaults(items: readonly KrmObject[], text?: string): readonly Result[] {
  if (text !== undefined && !mayNameUnsafePath(text)) return []
  const faults = items.flatMap((item) => (mayNameUnsafePath(item.toText()) ? itemPathFaults(item) : []))
  const more = faults.length - MOST
  if (more <= 0) return faults
  return [
    ...faults.slice(0, MOST),
    { severity: 'error', message: `and ${more} more paths that must not be used`, tags: { rule: 'unsafe-path' } },
  ]
}

function itemPathFaults(item: KrmObject): readonly Result[] {
  for (const annotation of PATH_ANNOTATIONS) {
    const path = annotationOf(item, annotation)
    const fault = path === undefined ? undefined : pathFault(path)
    if (path === undefined || fault === undefined) continue
    const field = ['metadata', 'annotations', annotation]
    const message = `${fault}, got '${printablePath(path)}'`
    // An unsafe path is no place for the reader to look at, so the result has no file.
    const { file: _, position: __, ...result } = faultToResult(item, { severity: 'error', rule: 'unsafe-path', path: field, message })
    return [result]
  }
  return []
}

/** Returns the text of an annotation; undefined for an item that cannot be parsed, of which no file is written. */
function annotationOf(item: KrmObject, annotation: string): string | undefined {
  const value = attempt(() => item.get(['metadata', 'annotations', annotation]), FunctionError, WireError)
  return typeof value === 'string' ? value : undefined
}

/** The end of both annotation keys. The last part is searched first, since a search for a slash is fastest. */
const [GROUP, PATH] = ['config.kubernetes.io', '/path']

/** Matches a path in quotes after the key, and the end of its line, or a comma or brace. */
const IN_QUOTES = /["']?: +(["'])[\w@][\w@+=,.-]*(?:\/[\w@][\w@+=,.-]*)*\1[ \t]*(?:\r?\n|[,}])/y
/** Matches a path without quotes, which may continue in the next line. */
const BARE = /["']?: +[\w@][\w@+=,.-]*(?:\/[\w@][\w@+=,.-]*)*[ \t]*\r?\n/y

/**
 * Returns false if every path annotation in a text names a usual path, as hosts write it. Returns true for a text that may hide a key
 * or a path, for example with an escape: then the items are parsed. A list has megabytes, and every function searches all of them.
 */
function mayNameUnsafePath(text: string): boolean {
  if (text.includes('\\')) return true
  for (let at = text.indexOf(PATH); at !== -1; at = text.indexOf(PATH, at + PATH.length)) {
    const behind = at + PATH.length
    if (isUsual(text, at, behind) || !text.startsWith(GROUP, at - GROUP.length)) continue
    const end = plainEnd(text, at, behind)
    if (end === undefined || /\.krm-variants-/i.test(text.slice(behind, end))) return true
  }
  return false
}

/** Returns the end of a plain path after the key at `at`; undefined if the path may be written in another way. */
function plainEnd(text: string, at: number, behind: number): number | undefined {
  IN_QUOTES.lastIndex = BARE.lastIndex = behind
  if (IN_QUOTES.test(text)) return IN_QUOTES.lastIndex
  return BARE.test(text) && !goesOn(text, at, BARE.lastIndex) ? BARE.lastIndex : undefined
}

/** The kind of each character by its code: 1 is part of a name, 2 a dot, 3 a slash, 0 anything else. */
const KINDS = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@+=,-') KINDS[letter.charCodeAt(0)] = 1
KINDS['.'.charCodeAt(0)] = 2
KINDS['/'.charCodeAt(0)] = 3
const [COLON, BLANK, QUOTE, LINE_FEED, LETTER_K, LOWER] = [58, 32, 39, 10, 107, 32]

/**
 * Returns true for a path as kpt writes it, `: 'a/b.yaml'`, or as this family does, `: a/b.yaml`. The result is that of `plainEnd`, in
 * a third of the time. The name of a staged file has a `.k`.
 *
 * @param key  the offset of the key whose value begins at `at`
 */
function isUsual(text: string, key: number, at: number): boolean {
  if (text.charCodeAt(at) !== COLON || text.charCodeAt(at + 1) !== BLANK) return false
  const isQuoted = text.charCodeAt(at + 2) === QUOTE
  const end = usualEnd(text, at + (isQuoted ? 3 : 2))
  if (end === undefined) return false
  if (isQuoted) return text.charCodeAt(end) === QUOTE && text.charCodeAt(end + 1) === LINE_FEED
  return text.charCodeAt(end) === LINE_FEED && !goesOn(text, key, end + 1)
}

/** Returns the end of the path that begins at `from`; undefined for an empty path or an unusual part. */
function usualEnd(text: string, from: number): number | undefined {
  let before = 3
  for (let next = from; ; next++) {
    const code = text.charCodeAt(next)
    const kind = KINDS[code] ?? 0
    if (kind === 0) return before === 3 ? undefined : next
    if ((before === 3 && kind !== 1) || (before === 2 && (code | LOWER) === LETTER_K)) return undefined
    before = kind
  }
}

/**
 * Returns true if the line at `next` may belong to the value of the key at `at`: the line is blank, or indented deeper than the line of
 * the key.
 */
function goesOn(text: string, at: number, next: number): boolean {
  const depth = indentAt(text, next)
  return depth > indentAt(text, text.lastIndexOf('\n', at) + 1) || /[\r\n]/.test(text.charAt(next + depth))
}

function indentAt(text: string, lineStart: number): number {
  let indent = 0
  while (text.charCodeAt(lineStart + indent) === BLANK) indent++
  return indent
}
