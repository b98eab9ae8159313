import { isLabelKey, isLabelValue } from './names.ts'

/** A decoded metav1.LabelSelector. All labels and all expressions must match; an empty selector matches everything. */
export interface LabelSelector {
  readonly matchLabels: ReadonlyMap<string, string>
  readonly matchExpressions: readonly LabelRequirement[]
}

/** The selector without a clause, which every object meets. */
export const EVERYTHING: LabelSelector = { matchLabels: new Map(), matchExpressions: [] }

export interface LabelRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
  readonly values: readonly string[]
}

/** Returns true if labels fulfil every clause of a selector, by the rules of the API server (apimachinery labels.Requirement.Matches). */
export function matchesSelector({ matchLabels, matchExpressions }: LabelSelector, labels: ReadonlyMap<string, string>): boolean {
  for (const [key, value] of matchLabels) if (labels.get(key) !== value) return false
  return matchExpressions.every((requirement) => meetsRequirement(requirement, labels))
}

/** Returns a selector as kubectl prints selectors: `env=prod,region in (a,b)`; '' for the selector that matches everything. */
export function formatSelector({ matchLabels, matchExpressions }: LabelSelector): string {
  return [...Array.from(matchLabels, ([key, value]) => `${key}=${value}`), ...matchExpressions.map(formatRequirement)].join(',')
}

/** One clause of a selector. */
export interface Clause {
  /** The clause as kubectl prints it. */
  readonly text: string
  readonly key: string
  /** The values that the clause asks for; empty if any value or no value is asked for. */
  readonly values: readonly string[]
  readonly isMet: (labels: ReadonlyMap<string, string>) => boolean
}

/** Returns the clauses of a selector, in their order. */
export function clausesOf({ matchLabels, matchExpressions }: LabelSelector): readonly Clause[] {
  const equal = Array.from(
    matchLabels,
    ([key, value]): Clause => ({
      text: `${key}=${value}`,
      key,
      values: [value],
      isMet: (labels) => labels.get(key) === value,
    }),
  )
  const required = matchExpressions.map(
    (requirement): Clause => ({
      text: formatRequirement(requirement),
      key: requirement.key,
      values: requirement.operator === 'In' ? requirement.values : [],
      isMet: (labels) => meetsRequirement(requirement, labels),
    }),
  )
  return [...equal, ...required]
}

/** Returns true if labels fulfil a requirement. An object without the key fulfils `NotIn`, as in the API server. */
function meetsRequirement({ key, operator, values }: LabelRequirement, labels: ReadonlyMap<string, string>): boolean {
  const value = labels.get(key)
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
  }
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`
    case 'NotIn':
      return `${key} notin (${values.join(',')})`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
  }
}

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

/**
 * Returns the selector of a text as kubectl takes selectors: `env=prod,region in (a,b),!test`. Returns undefined for any other text,
 * and for a text with `>` or `<`.
 *
 * @see apimachinery labels.Parse
 */
export function parseLabelSelector(text: string): LabelSelector | undefined {
  const matchExpressions: LabelRequirement[] = []
  let rest = text.trim()
  while (rest !== '') {
    const match = CLAUSE.exec(rest)
    const requirement = match === null ? undefined : requirementOf(match)
    if (match === null || requirement === undefined) return undefined
    matchExpressions.push(requirement)
    rest = rest.slice(match[0].length)
    if (rest === '' && match[0].endsWith(',')) return undefined
  }
  return { matchLabels: new Map(), matchExpressions }
}

/** Matches one clause and the comma behind it: `a`, `!a`, `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`. */
const CLAUSE = /^(!?)\s*([^\s,=!()<>]+)(?:\s+(in|notin)\s*\(([^()]+)\)|\s*(==?|!=)\s*([^\s,=!()<>]*))?\s*(?:,\s*|$)/

function requirementOf([, not, key = '', set, list = '', equals, value = '']: readonly (string | undefined)[]):
  | LabelRequirement
  | undefined {
  const values = set === undefined ? [value] : list.split(',').map((each) => each.trim())
  const operator = set ?? equals
  if (!isLabelKey(key) || !values.every(isLabelValue) || (not === '!' && operator !== undefined)) return undefined
  if (operator === undefined) return { key, operator: not === '!' ? 'DoesNotExist' : 'Exists', values: [] }
  return { key, operator: operator === 'notin' || operator === '!=' ? 'NotIn' : 'In', values }
}
