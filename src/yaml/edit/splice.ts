/** A stretch of text and what comes in its place. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all splices made. They must not overlap; of two at one offset the one that takes text away comes last. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
  let result = ''
  let at = 0
  for (const { start, end, text: replacement } of ordered) {
    result += text.slice(at, start) + replacement
    at = end
  }
  return result + text.slice(at)
}
