import { compareText } from '../../field-path.ts'

/** The error of values that take too long to compare with the texts of a package. */
export class TooManyComparisons extends Error {}

/** The most characters that are compared in one run: half a second. */
const MAX_COMPARED = 200_000_000

/**
 * The values of setters, to be found in texts. Of two values at one place the longer one counts, of two setters with one value the first by
 * name.
 */
export class SetterValues {
  readonly #names = new Map<string, string>()
  /** The lengths of the values that begin with a character, longest first. */
  readonly #lengths = new Map<number, readonly number[]>()
  #compared = 0

  /** @param setters  the values by name, none empty */
  constructor(setters: ReadonlyMap<string, string>) {
    const lengths = new Map<number, Set<number>>()
    for (const [name, value] of [...setters].sort(([a], [b]) => compareText(a, b))) {
      if (this.#names.has(value)) continue
      this.#names.set(value, name)
      const first = value.charCodeAt(0)
      lengths.set(first, (lengths.get(first) ?? new Set()).add(value.length))
    }
    for (const [first, all] of lengths)
      this.#lengths.set(
        first,
        [...all].sort((a, b) => b - a),
      )
  }

  /**
   * Returns a text with the setters in place of their values; undefined if the text has none of the values.
   *
   * @example image nginx, tag 1.14, of `nginx:1.14` → `${image}:${tag}`
   * @throws TooManyComparisons  when the texts so far took too long
   */
  patternOf(text: string): string | undefined {
    const parts: string[] = []
    let kept = 0
    for (let at = 0; at < text.length; ) {
      const value = this.#valueAt(text, at)
      if (value === undefined) at++
      else {
        parts.push(text.slice(kept, at), `\${${this.#names.get(value)}}`)
        at += value.length
        kept = at
      }
    }
    return kept === 0 ? undefined : parts.join('') + text.slice(kept)
  }

  #valueAt(text: string, at: number): string | undefined {
    for (const length of this.#lengths.get(text.charCodeAt(at)) ?? []) {
      this.#compared += length
      if (this.#compared > MAX_COMPARED) throw new TooManyComparisons()
      const part = text.slice(at, at + length)
      if (this.#names.has(part)) return part
    }
    return undefined
  }
}
