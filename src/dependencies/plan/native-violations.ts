import { describeWanted } from '../demands.ts'
import type { Requirement } from '../universe.ts'
import { isMetBy, type NativeState } from './native-state.ts'

/**
 * Adds a failure for each requirement that is violated when an operator has no more steps: an operator considers one parent alone, or moves
 * nothing. The operator itself reports missing packages.
 *
 * @param told  the requirements that the operator itself reports
 */
export function reportViolations(state: NativeState, told: ReadonlySet<Requirement>): void {
  for (const by of state.all()) {
    for (const requirement of by.requirements) {
      const what = told.has(requirement) ? undefined : violationOf(requirement, state)
      if (what !== undefined) state.fail(state.parentOf(by, requirement), what)
    }
  }
}

/** Returns the violation of a requirement as the end of a sentence; undefined if the requirement is met. */
function violationOf(requirement: Requirement, state: NativeState): string | undefined {
  if (requirement.type === 'platform') return requirement.met ? undefined : requirement.wants
  if (requirement.type !== 'package') return undefined
  const there = state.of(requirement.target)
  const [first] = there
  if (first === undefined || there.some((each) => isMetBy(each, requirement))) return undefined
  const { step, text } = first
  return `${requirement.target.id}${describeWanted(requirement)}, ${step === undefined ? `installed is ${text}` : `and ${text} would be installed`}`
}
