/** A repaired text; `origin` maps an offset in it to the offset in the original. */
export interface Repair {
  readonly text: string
  origin(offset: number): number
}

/** The indentation of repaired lines: deeper than the key or dash of any flow collection in practice. */
export const REPAIRED_COLUMN = 80

/** Matches characters that go-yaml writes in column 0 for a flow collection with comments; its own scanner accepts these lines. */
const ODD_LINE = /(?<![^\n])[\]},{[]/g

/**
 * Indents the lines of a flow collection that go-yaml writes in column 0, where YAML 1.2 allows none inside a block. Leading blanks are
 * no content in flow collections, and a line in column 0 cannot be text of a block scalar.
 */
export function repairFlow(text: string): Repair {
  const odd = [...text.matchAll(ODD_LINE)].map((match) => match.index)
  if (odd.length === 0 || odd[0] === 0) return { text, origin: (offset) => offset }
  const inserted = ' '.repeat(REPAIRED_COLUMN)
  return { text: text.replace(ODD_LINE, `${inserted}$&`), origin: (offset) => offset - insertedBefore(odd, offset, inserted.length) }
}

function insertedBefore(odd: readonly number[], offset: number, width: number): number {
  let [low, high] = [0, odd.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((odd[middle] ?? 0) + (middle + 1) * width <= offset) low = middle + 1
    else high = middle
  }
  return low * width
}
