import { type Clause, clausesOf, type LabelSelector } from './label-selector.ts'

/** One label to set, or without a value to take away. */
export interface LabelChange {
  readonly key: string
  readonly value?: string
}

/**
 * The fewest labels to set or to take away so that a selector matches; undefined when no labels could. A clause is about one key, so each
 * key is settled by itself.
 *
 * @param usual  the values that a key has elsewhere, the likeliest first
 */
export function smallestLabelChange(
  selector: LabelSelector,
  labels: ReadonlyMap<string, string>,
  usual: (key: string) => readonly string[],
): readonly LabelChange[] | undefined {
  const clauses = clausesOf(selector)
  const keys = new Set(clauses.filter(({ isMet }) => !isMet(labels)).map(({ key }) => key))
  const changes = Array.from(keys, (key) => {
    const own = clauses.filter((clause) => clause.key === key)
    return candidates(key, own, usual(key)).find((change) => own.every(({ isMet }) => isMet(labelOf(change))))
  })
  return changes.every((change) => change !== undefined) ? changes : undefined
}

/** What is asked for, then what others have, then none; where only the key is asked for, any value will do. */
function candidates(key: string, clauses: readonly Clause[], usual: readonly string[]): readonly LabelChange[] {
  const asked = clauses.flatMap(({ values }) => values)
  return [...[...asked, ...usual].map((value) => ({ key, value })), { key }, { key, value: unlike(clauses) }]
}

/** A value that no clause names. */
function unlike(clauses: readonly Clause[]): string {
  const named = clauses.map(({ text }) => text).join()
  return named.includes(ANY_VALUE) ? `${ANY_VALUE}-${named.length}` : ANY_VALUE
}

const ANY_VALUE = 'true'

function labelOf({ key, value }: LabelChange): ReadonlyMap<string, string> {
  return value === undefined ? new Map() : new Map([[key, value]])
}
