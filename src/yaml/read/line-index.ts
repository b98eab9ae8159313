import type { Position } from '../../result.ts'

/** Where the lines of a text begin, found once: a text with many findings is asked for many places. */
export class LineIndex {
  readonly #text: string
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#text = text
    this.#starts = starts
  }

  /** Line and column of an offset, both from 1; columns count code points. */
  positionAt(offset: number): Position {
    let [low, high] = [0, this.#starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: [...this.#text.slice(this.#starts[low], offset)].length + 1 }
  }
}
