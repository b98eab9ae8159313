import { formatFieldPath } from '../../src/field-path.ts'
import { groupBy } from '../../src/group-by.ts'
import { formatResourceRef, type Result } from '../../src/result.ts'

/** So many equal findings are still told one by one: a line for all would not be shorter. */
const FEW = 2

/** A finding, and the others that say the same of another object. */
export interface FindingGroup {
  readonly first: Result
  readonly others: readonly Result[]
}

/** Findings of one rule that differ by their object only as one, in the place of the first. */
export function groupFindings(results: readonly Result[]): readonly FindingGroup[] {
  return [...groupBy(results, keyOf).values()].flatMap((group) => {
    const [first, ...others] = group
    return group.length > FEW ? [{ first, others }] : group.map((each) => ({ first: each, others: [] }))
  })
}

function keyOf({ severity, message, resourceRef, field, tags }: Result): string {
  if (resourceRef === undefined) return JSON.stringify([severity, tags.rule, message])
  const said = message.replaceAll(formatResourceRef(resourceRef), resourceRef.kind)
  return JSON.stringify([severity, tags.rule, resourceRef.kind, formatFieldPath(field?.path ?? []), said])
}
