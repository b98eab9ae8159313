import { describeWanted } from '../demands.ts'
import type { Requirement } from '../universe.ts'
import { isMetBy, type NativeState } from './native-state.ts'

/**
 * What an operator leaves in conflict when there is nothing left for it to do, as failures: it looks at one parent alone, or moves
 * nothing. What is missing it has told itself.
 *
 * @param told  requirements of which the operator says what is wrong
 */
export function reportViolations(state: NativeState, told: ReadonlySet<Requirement>): void {
  for (const by of state.all()) {
    for (const requirement of by.requirements) {
      const what = told.has(requirement) ? undefined : violationOf(requirement, state)
      if (what !== undefined) state.fail(state.parentOf(by, requirement), what)
    }
  }
}

/** What is violated, as the end of a sentence. */
function violationOf(requirement: Requirement, state: NativeState): string | undefined {
  if (requirement.type === 'platform') return requirement.met ? undefined : requirement.wants
  if (requirement.type !== 'package') return undefined
  const there = state.of(requirement.target)
  const [first] = there
  if (first === undefined || there.some((each) => isMetBy(each, requirement))) return undefined
  const { step, text } = first
  return `${requirement.target.id}${describeWanted(requirement)}, ${step === undefined ? `installed is ${text}` : `and ${text} would be installed`}`
}
