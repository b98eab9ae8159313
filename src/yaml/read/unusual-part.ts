import { findRefused } from './fast-reader.ts'
import { MAX_UNUSUAL } from './limits.ts'
import { lineEnd, lineStart } from './lines.ts'
import { refuse } from './text-cursor.ts'

/** The most characters of a line that are looked at to name what is unusual. */
const MOST_SHOWN = 1000

/** The unusual parts of a line, by their patterns. */
const UNUSUAL: readonly (readonly [RegExp, string])[] = [
  [/^[ -]*["']?<<["']? *:/, 'a merge key (<<)'],
  [/^[ -]*\?(?: |$)/, "a key behind '? '"],
  [/(?:^|[ [{,])&[^\s,[\]{}]/, 'an anchor (&)'],
  [/(?:^|[ [{,])!/, 'a tag (!)'],
  [/(?:^|[ [{,])\*[^\s,[\]{}*]/, 'an alias (*)'],
  [/\t/, 'a tab'],
]

/**
 * Returns the message about a text that is too large for the full parser, and the offset of the part for which the text needs that parser:
 * a part that is most likely a fault, else the first unusual one.
 */
export function unusualPart(text: string): { readonly message: string; readonly offset: number } {
  let isUnusual = false
  const next = findRefused(text, () => {
    isUnusual = true
  })
  let name: string | undefined
  const refuseNamed = (given: string | undefined) => {
    name = given
    refuse()
  }
  const first = isUnusual ? findRefused(text, refuseNamed) : next
  const isFirst = next === undefined || nameOf(text, next) !== undefined
  const offset = isFirst ? (first ?? 0) : next
  const what = (isFirst ? name : undefined) ?? nameOf(text, offset) ?? 'a fault, or a layout that kpt does not write,'
  const message = `${what} in a text of ${text.length} characters: one of more than ${MAX_UNUSUAL} must have the layout that kpt writes, without anchors, tags, merge keys, '? ', tabs and repeated keys; split the file, or write this line so`
  return { message, offset: Math.max(offset, lineStart(text, offset) + indentOf(text, offset)) }
}

function nameOf(text: string, offset: number): string | undefined {
  const line = lineAt(text, offset)
  return UNUSUAL.find(([pattern]) => pattern.test(line))?.[1]
}

function lineAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  return text.slice(start, Math.min(lineEnd(text, offset), start + MOST_SHOWN))
}

function indentOf(text: string, offset: number): number {
  return /^ */.exec(lineAt(text, offset))?.[0].length ?? 0
}
