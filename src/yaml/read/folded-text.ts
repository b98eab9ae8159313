/** The most parts before they are joined: a part takes more memory than the few characters in it. */
const MOST_PARTS = 10_000

/** A text built from parts, of which there may be millions. */
export class LongText {
  readonly #texts: string[] = []
  #parts: string[] = []

  add(part: string): void {
    this.#parts.push(part)
    if (this.#parts.length >= MOST_PARTS) this.#joinParts()
  }

  text(): string {
    this.#joinParts()
    return this.#texts.join('')
  }

  #joinParts(): void {
    this.#texts.push(this.#parts.join(''))
    this.#parts = []
  }
}

/** Returns the folded text of a line break with blank lines after it: a space for none, else a line feed each. @see YAML 1.2.2, 6.5 */
export function foldLines(blankLines: number): string {
  return blankLines === 0 ? ' ' : '\n'.repeat(blankLines)
}
