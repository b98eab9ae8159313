import { isRecord, type JsonRecord, type JsonValue, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'

/** Returns true if labels fulfil a label selector as a file has it. */
export function matchesLabels(selector: JsonValue | undefined, labels: ReadonlyMap<string, string>): boolean {
  return requirementsOf(selector).every(({ key, operator, values }) => {
    const value = labels.get(key)
    if (operator === 'Exists') return value !== undefined
    if (operator === 'DoesNotExist') return value === undefined
    return values.some((each) => each === value) === (operator !== 'NotIn')
  })
}

/**
 * Returns true if a label selector leaves out what another one selects: it has a requirement that none of the other implies.
 * Example: `NotIn [a, b]` is narrower than `NotIn [a]`.
 */
export function isNarrower(selector: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const known = requirementsOf(other)
  return requirementsOf(selector).some((wanted) => !known.some((each) => implies(each, wanted)))
}

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

function requirementsOf(selector: JsonValue | undefined): readonly Requirement[] {
  const labels = memberOf(selector, 'matchLabels')
  const equal = isRecord(labels) ? Object.entries(labels).map(([key, value]) => ({ key, operator: 'In', values: [scalarText(value)] })) : []
  const expressions = recordsOf(memberOf(selector, 'matchExpressions')).map((each: JsonRecord) => ({
    key: scalarText(lookup(each, 'key')),
    operator: scalarText(lookup(each, 'operator')),
    values: listedTexts(lookup(each, 'values')),
  }))
  return [...equal, ...expressions]
}

function implies(known: Requirement, { key, operator, values }: Requirement): boolean {
  if (known.key !== key) return false
  if (operator === 'Exists') return known.operator === 'Exists' || known.operator === 'In'
  if (operator === 'In') return known.operator === 'In' && known.values.every((value) => values.includes(value))
  if (known.operator === 'DoesNotExist') return true
  if (operator === 'DoesNotExist') return false
  return known.operator === 'NotIn'
    ? values.every((value) => known.values.includes(value))
    : known.operator === 'In' && known.values.every((value) => !values.includes(value))
}
