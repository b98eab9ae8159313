import { printablePath } from '../printable.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { PATH_ANNOTATIONS } from '../resource-list/wire-annotations.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { pathFault } from './safe-path.ts'

/** Of a list with thousands of faults the first are reported. */
const MOST = 100

/**
 * Returns an error for each item whose annotations name its file by a path that must not be used: the orchestrator would write the item there.
 * Most items need not be read for that.
 *
 * @param text  of the list that the items are of, where it is at hand: of most lists one look at it is enough
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
    // A place in a file that must not be is no place to look.
    const { file: _, position: __, ...result } = faultToResult(item, { severity: 'error', rule: 'unsafe-path', path: field, message })
    return [result]
  }
  return []
}

/** Of an item that nobody can read to there no file is known, and none is made of it. */
function annotationOf(item: KrmObject, annotation: string): string | undefined {
  try {
    const value = item.get(['metadata', 'annotations', annotation])
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    if (error instanceof FunctionError || error instanceof WireError) return undefined
    throw error
  }
}

/** How the keys of both annotations end; the last part is looked for first, since text is searched fastest for a slash. */
const [GROUP, PATH] = ['config.kubernetes.io', '/path']

/** The path behind the key, in quotes, and the end of its line or what follows it in braces. */
const IN_QUOTES = /["']?: +(["'])[\w@][\w@+=,.-]*(?:\/[\w@][\w@+=,.-]*)*\1[ \t]*(?:\r?\n|[,}])/y
/** The same without quotes, which may go on in the next line. */
const BARE = /["']?: +[\w@][\w@+=,.-]*(?:\/[\w@][\w@+=,.-]*)*[ \t]*\r?\n/y

/**
 * Returns false for a text in which every path annotation names a usual path, as hosts write it. Of a text that may hide a key or a path, by an
 * escape say, it is true: then the item is read. A list has megabytes, and every function looks at all of them.
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

/** The end of a plain path behind the key at `at`, undefined where another one may be written. */
function plainEnd(text: string, at: number, behind: number): number | undefined {
  IN_QUOTES.lastIndex = BARE.lastIndex = behind
  if (IN_QUOTES.test(text)) return IN_QUOTES.lastIndex
  return BARE.test(text) && !goesOn(text, at, BARE.lastIndex) ? BARE.lastIndex : undefined
}

/** By character code: 1 is part of a name, 2 a dot, 3 a slash, 0 anything else. */
const KINDS = new Uint8Array(128)
for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@+=,-') KINDS[letter.charCodeAt(0)] = 1
KINDS['.'.charCodeAt(0)] = 2
KINDS['/'.charCodeAt(0)] = 3
const [COLON, BLANK, QUOTE, LINE_FEED, LETTER_K, LOWER] = [58, 32, 39, 10, 107, 32]

/**
 * Returns true for a path as kpt writes it, `: 'a/b.yaml'`, or as this family does, `: a/b.yaml`: the same as `plainEnd` finds, in a third of the
 * time. The name of a file in the making has a `.k`.
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

/** Returns the end of the path that begins at `from`, undefined for one that is empty or has an unusual part. */
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

/** Returns true when the line at `next` may belong to the value of the key at `at`: it is blank, or deeper than the line of the key. */
function goesOn(text: string, at: number, next: number): boolean {
  const depth = indentAt(text, next)
  return depth > indentAt(text, text.lastIndexOf('\n', at) + 1) || /[\r\n]/.test(text.charAt(next + depth))
}

function indentAt(text: string, lineStart: number): number {
  let indent = 0
  while (text.charCodeAt(lineStart + indent) === BLANK) indent++
  return indent
}
