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
    if (!text.startsWith(GROUP, at - GROUP.length)) continue
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

const BLANK = 32

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
