type Rows = readonly [beforeLast: Uint32Array, last: Uint32Array, current: Uint32Array]

/**
 * Damerau-Levenshtein distance with adjacent swaps (optimal string alignment), counted in UTF-16 code units, where it is at most so
 * much; else undefined. Only what can stay below is worked out: the time grows with the length times `most`.
 */
export function distanceWithin(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  const tooMuch = new Uint32Array(b.length + 1).fill(most + 1)
  let rows: Rows = [tooMuch, Uint32Array.from(tooMuch, (limit, column) => Math.min(column, limit)), tooMuch.slice()]
  for (let row = 1; row <= a.length; row++) {
    // A swap leaps over a row, but never comes out below its least.
    if (fillRow(a, b, row, most, rows) > most) return undefined
    const [beforeLast, last, current] = rows
    rows = [last, current, beforeLast]
  }
  const distance = cell(rows[1], b.length)
  return distance <= most ? distance : undefined
}

/** Fills what is at most so far from the diagonal, with more than `most` on both sides, and gives the least. */
function fillRow(a: string, b: string, row: number, most: number, rows: Rows): number {
  const [, last, current] = rows
  const from = Math.max(1, row - most)
  const to = Math.min(b.length, row + most)
  current[from - 1] = from === 1 ? Math.min(row, most + 1) : most + 1
  if (to < b.length) current[to + 1] = most + 1
  let least = cell(current, from - 1)
  for (let column = from; column <= to; column++) {
    const cheapest = Math.min(cell(last, column) + 1, cell(current, column - 1) + 1, replaced(a, b, row, column, rows))
    current[column] = cheapest
    least = Math.min(least, cheapest)
  }
  return least
}

/** When the letter of this row stands for that of this column, or the two are swapped with those before them. */
function replaced(a: string, b: string, row: number, column: number, [beforeLast, last]: Rows): number {
  const letter = a.charCodeAt(row - 1)
  const other = b.charCodeAt(column - 1)
  if (letter === other) return cell(last, column - 1)
  const isSwap = row > 1 && column > 1 && letter === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other
  return Math.min(cell(last, column - 1), isSwap ? cell(beforeLast, column - 2) : Number.POSITIVE_INFINITY) + 1
}

function cell(row: Uint32Array, column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
