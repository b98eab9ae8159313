import type { Part, PlacedHole } from './emit.ts'
import { emitString } from './quote.ts'

/** The text of a value in which some texts are given later: the emitted parts in between are made once. */
export class TextPattern {
  /** The pieces of the text that was filled last, those of the holes among them. */
  readonly #pieces: string[] = ['']
  readonly #holes: readonly Filled[]

  /** @param parts  as the emitter returned them */
  constructor(parts: readonly Part[]) {
    const holes: Filled[] = []
    for (const part of parts) {
      if (typeof part !== 'string') {
        holes.push({ ...part, place: this.#pieces.length, given: '' })
        this.#pieces.push(emitString('', part.column), '')
      } else this.#pieces.push((this.#pieces.pop() ?? '') + part)
    }
    this.#holes = holes
  }

  /** Returns the text with the given texts, by number, in the holes. The same as the emitter writes of the value with these texts. */
  fill(texts: readonly string[]): string {
    for (const hole of this.#holes) {
      const given = texts[hole.index] ?? ''
      if (given === hole.given) continue
      this.#pieces[hole.place] = emitString(given, hole.column)
      hole.given = given
    }
    // Joined at once: of a sum, V8 would keep every part until the text is read.
    return this.#pieces.join('')
  }
}

/** A hole, its position among the pieces, and what it was filled with last: many objects have the same labels. */
interface Filled extends PlacedHole {
  readonly place: number
  given: string
}
