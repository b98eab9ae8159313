import { type Clause, clausesOf, type LabelSelector } from './label-selector.ts'

/** A label to set; without a value, a label to remove. */
export interface LabelChange {
  readonly key: string
  readonly value?: string
}

/**
 * Returns the smallest number of labels to set or remove so that a selector matches; undefined if no labels can match. A clause is about
 * one key, so each key is solved separately.
 *
 * @param usual  returns the values that a key has on other objects, the most likely first
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

/**
 * Returns the changes to try for a key: the values that clauses ask for, the usual values, the removal of the key, and a value that no
 * clause names.
 */
function candidates(key: string, clauses: readonly Clause[], usual: readonly string[]): readonly LabelChange[] {
  const asked = clauses.flatMap(({ values }) => values)
  return [...[...asked, ...usual].map((value) => ({ key, value })), { key }, { key, value: unlike(clauses) }]
}

/** Returns a value that no clause names. */
function unlike(clauses: readonly Clause[]): string {
  const named = clauses.map(({ text }) => text).join()
  return named.includes(ANY_VALUE) ? `${ANY_VALUE}-${named.length}` : ANY_VALUE
}

const ANY_VALUE = 'true'

function labelOf({ key, value }: LabelChange): ReadonlyMap<string, string> {
  return value === undefined ? new Map() : new Map([[key, value]])
}
