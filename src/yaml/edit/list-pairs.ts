import { equalJson, isRecord, type JsonValue, lookup } from '../../json.ts'

/** The positions of an entry in a list before and after. */
export type Pair = readonly [before: number, after: number]

/**
 * Which entries of a list stay, in order: equal ones and maps of one `name`, as many as keep their order; between those, entries
 * are paired by their position as far as both sides go.
 */
export function pairEntries(before: readonly JsonValue[], after: readonly JsonValue[]): readonly Pair[] {
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  for (const [a, b] of [...alignment(before, after), [before.length, after.length] as const]) {
    while (i < a && j < b) pairs.push([i++, j++])
    if (a < before.length || b < after.length) pairs.push([a, b])
    ;[i, j] = [a + 1, b + 1]
  }
  return pairs
}

/** Longer lists are aligned by their ends only: the table below grows with the product of both lengths. */
const MAX_TABLE = 1_000_000

/** Pairs of positions that stay together: equal entries, or maps of one `name`, as many as keep their order. */
function alignment(a: readonly JsonValue[], b: readonly JsonValue[]): readonly Pair[] {
  let head = 0
  while (head < a.length && head < b.length && isSame(a[head], b[head])) head++
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && isSame(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail++
  const middle = commonPairs(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  return [
    ...range(head).map((i) => [i, i] as const),
    ...middle.map(([i, j]) => [i + head, j + head] as const),
    ...range(tail).map((i) => [a.length - tail + i, b.length - tail + i] as const),
  ]
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index)
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const name = isRecord(a) ? lookup(a, 'name') : undefined
  return equalJson(a, b) || (name !== undefined && isRecord(b) && equalJson(lookup(b, 'name'), name))
}

/** The longest common subsequence. */
function commonPairs(a: readonly JsonValue[], b: readonly JsonValue[]): readonly Pair[] {
  if (a.length * b.length === 0 || a.length * b.length > MAX_TABLE) return []
  const width = b.length + 1
  const table = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => table[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = isSame(a[i], b[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  return followTable(a, b, at)
}

function followTable(a: readonly JsonValue[], b: readonly JsonValue[], at: (i: number, j: number) => number): readonly Pair[] {
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSame(a[i], b[j])) pairs.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return pairs
}
