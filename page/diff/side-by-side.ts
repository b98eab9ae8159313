import { diffWordsWithSpace, structuredPatch } from 'diff'

/** A line of one side; `parts` are the stretches of the line, `isChanged` those that the other side does not have. */
export interface SideLine {
  readonly number: number
  readonly parts: readonly LinePart[]
}

export interface LinePart {
  readonly text: string
  readonly isChanged: boolean
}

/** A row of two texts side by side: equal lines, a changed line, a line of one side only, or the number of equal lines left out. */
export type SideRow =
  | { readonly type: 'equal' | 'changed'; readonly before: SideLine; readonly after: SideLine }
  | { readonly type: 'removed'; readonly before: SideLine }
  | { readonly type: 'added'; readonly after: SideLine }
  | { readonly type: 'gap'; readonly lines: number }

const CONTEXT = 3
/** Texts with more differing lines are shown as one that is replaced by the other: the shortest edit script takes too long to find. */
const MOST_EDITS = 3000

/**
 * Returns the rows of two texts, with three equal lines around each change. A removed line and an added line that follow each other are one
 * changed row; the words that differ in both are marked.
 * Example: `a\nb` and `a\nc` are an equal row `a | a` and a changed row `b | c`.
 */
export function sideBySide(before: string, after: string): readonly SideRow[] {
  const patch = structuredPatch('', '', withEnd(before), withEnd(after), '', '', { context: CONTEXT, maxEditLength: MOST_EDITS })
  const hunks = patch?.hunks ?? [replaced(before, after)]
  const rows: SideRow[] = []
  let next = 1
  for (const { oldStart, newStart, lines } of hunks) {
    if (oldStart > next) rows.push({ type: 'gap', lines: oldStart - next })
    let [old, now] = [oldStart, newStart]
    for (const stretch of stretches(lines)) {
      rows.push(...rowsOf(stretch, old, now))
      old += stretch.removed.length + stretch.equal.length
      now += stretch.added.length + stretch.equal.length
    }
    next = old
  }
  return rows
}

/** Returns the rows of a stretch that begins at line `old` of the earlier text and at line `now` of the later one. */
function rowsOf({ removed, added, equal }: Stretch, old: number, now: number): readonly SideRow[] {
  const pairs = Math.min(removed.length, added.length)
  return [
    ...removed.slice(0, pairs).map((text, i) => changedRow(text, added[i] ?? '', old + i, now + i)),
    ...removed.slice(pairs).map((text, i): SideRow => ({ type: 'removed', before: whole(text, old + pairs + i) })),
    ...added.slice(pairs).map((text, i): SideRow => ({ type: 'added', after: whole(text, now + pairs + i) })),
    ...equal.map(
      (text, i): SideRow => ({ type: 'equal', before: plain(text, old + removed.length + i), after: plain(text, now + added.length + i) }),
    ),
  ]
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function replaced(
  before: string,
  after: string,
): { readonly oldStart: number; readonly newStart: number; readonly lines: readonly string[] } {
  const linesOf = (text: string, sign: string) =>
    withEnd(text)
      .split('\n')
      .slice(0, -1)
      .map((line) => sign + line)
  return { oldStart: 1, newStart: 1, lines: [...linesOf(before, '-'), ...linesOf(after, '+')] }
}

interface Stretch {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly equal: readonly string[]
}

/** Returns the lines of a hunk in stretches: removed lines, the added lines that replace them, and the equal lines that follow. */
function stretches(lines: readonly string[]): readonly Stretch[] {
  const found: { removed: string[]; added: string[]; equal: string[] }[] = []
  for (const line of lines) {
    const [sign, text] = [line[0], line.slice(1)]
    let last = found.at(-1)
    if (last === undefined || (sign !== ' ' && last.equal.length > 0)) {
      last = { removed: [], added: [], equal: [] }
      found.push(last)
    }
    if (sign === '-') last.removed.push(text)
    else if (sign === '+') last.added.push(text)
    else last.equal.push(text)
  }
  return found
}

function changedRow(before: string, after: string, old: number, now: number): SideRow {
  const words = diffWordsWithSpace(before, after)
  const side = (own: 'removed' | 'added', other: 'removed' | 'added') =>
    words.filter((word) => !word[other]).map((word) => ({ text: word.value, isChanged: word[own] }))
  return {
    type: 'changed',
    before: { number: old, parts: side('removed', 'added') },
    after: { number: now, parts: side('added', 'removed') },
  }
}

function whole(text: string, number: number): SideLine {
  return { number, parts: [{ text, isChanged: true }] }
}

function plain(text: string, number: number): SideLine {
  return { number, parts: [{ text, isChanged: false }] }
}
