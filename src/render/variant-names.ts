import { compareText } from '../field-path.ts'

/** The names of the variants of a fleet, to tell apart whose functions stand in a pipeline. */
export class VariantNames {
  readonly #sorted: readonly string[]

  constructor(names: readonly string[]) {
    this.#sorted = [...new Set(names)].sort(compareText)
  }

  /** Those whose functions could be taken for functions of this variant: it and a dot are how they begin. */
  beginningWith(name: string): readonly string[] {
    // `/` is what comes after `.`
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
