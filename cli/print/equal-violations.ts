import { groupBy } from '../../src/group-by.ts'
import type { Result } from '../../src/result.ts'
import { nameFirst } from '../../src/wording.ts'

/** At most this many equal findings are printed one by one: one line for all would not be shorter. */
const FEW = 2

const NAMED = 3

/**
 * Returns the findings with equal violations of a policy as one, in the place of the first, which names the others:
 * `eu-01/shop: must have two replicas (…); the same for eu-02/shop, eu-03/shop, eu-04/shop and 8 more`.
 */
export function withEqualViolations(results: readonly Result[]): readonly Result[] {
  const groups = groupBy(results.filter(isViolation), violationKey)
  if ([...groups.values()].every((group) => group.length <= FEW)) return results
  return results.flatMap((result) => {
    const [first, ...others] = (isViolation(result) ? groups.get(violationKey(result)) : undefined) ?? [result]
    if (others.length < FEW) return [result]
    return first === result ? [{ ...result, message: `${result.message}; the same for ${nameFirst(others.map(violator), NAMED)}` }] : []
  })
}

/** Returns true for a validation of a policy that does not hold for an item. */
export function isViolation({ tags }: Result): boolean {
  return tags.rule === 'policy-violation'
}

/** Returns a text that the violations share which differ in their item only. */
export function violationKey({ severity, message, tags }: Result): string {
  return JSON.stringify([severity, tags, message.slice(nameEnd(message))])
}

/** Returns the name of the item of a violation: `eu-01/shop`. */
export function violator({ message }: Result): string {
  return message.slice(0, nameEnd(message))
}

/** The message of a violation begins with the name of the item and a colon. */
function nameEnd(message: string): number {
  return Math.max(message.indexOf(': '), 0)
}
