import type { Position } from '../../result.ts'
import { countPoints } from './position.ts'

/** Where the lines of a text begin, found once: a text with many findings is asked for many places. */
export class LineIndex {
  readonly #text: string
  readonly #starts: readonly number[]
  /** The place that was asked for last: the next one is most likely behind it, and lines may be long. */
  #last = { start: 0, offset: 0, points: 0 }

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
    return { line: low + 1, column: this.#pointsTo(this.#starts[low] ?? 0, offset) + 1 }
  }

  #pointsTo(start: number, offset: number): number {
    const known = this.#last.start === start && this.#last.offset <= offset ? this.#last : { offset: start, points: 0 }
    const points = known.points + countPoints(this.#text, known.offset, offset)
    this.#last = { start, offset, points }
    return points
  }
}
