import type { Part, PlacedHole } from './emit.ts'
import { emitString } from './quote.ts'

/** The text of a value in which some texts are given later: the emitted parts in between are made once. */
export class TextPattern {
  readonly #first: string
  readonly #holes: readonly Filled[]

  /** @param parts  as the emitter returned them */
  constructor(parts: readonly Part[]) {
    const holes: Filled[] = []
    let first = ''
    for (const part of parts) {
      const last = holes.at(-1)
      if (typeof part !== 'string') holes.push({ ...part, behind: '', given: '', emitted: emitString('', part.column) })
      else if (last === undefined) first += part
      else last.behind += part
    }
    this.#first = first
    this.#holes = holes
  }

  /** Returns the text with the given texts, by number, in the holes. The same as the emitter writes of the value with these texts. */
  fill(texts: readonly string[]): string {
    let text = this.#first
    for (const hole of this.#holes) {
      const given = texts[hole.index] ?? ''
      if (given !== hole.given) {
        hole.emitted = emitString(given, hole.column)
        hole.given = given
      }
      text += hole.emitted
      text += hole.behind
    }
    return text
  }
}

/** A hole, the text behind it, and what it was filled with last: many objects have the same labels. */
interface Filled extends PlacedHole {
  behind: string
  given: string
  emitted: string
}
