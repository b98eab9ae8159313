import { compareText } from '../field-path.ts'

/** The names of a fleet's variants, sorted. They decide which variant a function of a pipeline belongs to. */
export class VariantNames {
  readonly #sorted: readonly string[]

  constructor(names: readonly string[]) {
    this.#sorted = [...new Set(names)].sort(compareText)
  }

  /**
   * Returns the names that begin with the given name and a dot: functions of these variants could be mistaken for functions of the
   * named one.
   */
  beginningWith(name: string): readonly string[] {
    // `/` is the character after `.`.
    return this.#sorted.slice(this.#firstAtLeast(`${name}.`), this.#firstAtLeast(`${name}/`))
  }

  #firstAtLeast(text: string): number {
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((this.#sorted[middle] ?? '') < text) low = middle + 1
      else high = middle
    }
    return low
  }
}
