import type { LabelRequirement, LabelSelector } from './label-selector.ts'
import { isLabelKey, isLabelValue } from './names.ts'

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
