import { asList, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { Result } from '../result.ts'

/** A metav1.Condition without lastTransitionTime. */
export interface Condition {
  readonly type: 'Stalled' | 'Ready'
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/**
 * The reasons in the order in which the controller finds them: the first stage that fails ends the run of the controller (seed 001, Error
 * Handling).
 */
const REASONS = ['ValidationError', 'UpstreamNotFound', 'NoMatchingTargets', 'UnexpectedError']

/** The time of a condition that changes in this run. A fixed time, since functions use no clock. */
const NO_TIME = '1970-01-01T00:00:00Z'

/** Returns the conditions that Porch's controller would write for a set after a run with these results about the set (docs/porch.md 35). */
export function conditionsOf(results: readonly Result[]): readonly Condition[] {
  const errors = results.filter(({ severity }) => severity === 'error')
  const reason = REASONS.find((known) => errors.some((error) => reasonOf(error) === known))
  if (reason === undefined) {
    return [
      { type: 'Stalled', status: 'False', reason: 'Valid', message: 'all validation checks passed' },
      { type: 'Ready', status: 'True', reason: 'Reconciled', message: 'package variants successfully reconciled' },
    ]
  }
  const message = errors
    .filter((error) => reasonOf(error) === reason)
    .map((error) => error.message)
    .join('; ')
  return [
    { type: 'Stalled', status: 'True', reason, message },
    { type: 'Ready', status: 'False', reason, message },
  ]
}

/** Returns the reason of an error. A fault that the controller does not know counts as a fault of the set's text. */
function reasonOf({ tags }: Result): string {
  return tags.reason ?? 'ValidationError'
}

/**
 * Returns `status.conditions` with the given conditions: each replaces the condition of its type or is added at the end. The time of a
 * condition is kept if its status is unchanged. Conditions of other types are kept (apimachinery meta.SetStatusCondition).
 */
export function mergeConditions(existing: JsonValue | undefined, conditions: readonly Condition[]): readonly JsonValue[] {
  const list = asList(existing)
  const hasType = (entry: JsonValue, type: string): boolean => isRecord(entry) && lookup(entry, 'type') === type
  const merged = list.map((entry) => {
    const condition = conditions.find(({ type }) => hasType(entry, type))
    return condition === undefined || !isRecord(entry) ? entry : mergeCondition(entry, condition)
  })
  const added = conditions.filter(({ type }) => !list.some((entry) => hasType(entry, type)))
  return [...merged, ...added.map(newCondition)]
}

function mergeCondition(entry: JsonRecord, condition: Condition): JsonRecord {
  const isSame = equalJson(lookup(entry, 'status'), condition.status)
  return { ...entry, ...condition, lastTransitionTime: (isSame && lookup(entry, 'lastTransitionTime')) || NO_TIME }
}

function newCondition({ type, status, reason, message }: Condition): JsonRecord {
  return { type, status, lastTransitionTime: NO_TIME, reason, message }
}
