import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'

const STATE_RULES = ['set-context', 'prepend-pipeline', 'inject-config'] as const
type StateRule = (typeof STATE_RULES)[number]

/**
 * Returns the info at the end of a run: the reached state, and not the changes that led to the state, so that a second run reports the
 * same.
 *
 * @param object  the edited object
 * @throws FunctionError  if the edits of the object cannot be written, so that the state is not reached
 */
export function stateOf(object: KrmObject, rule: StateRule, message: string): Result {
  object.settle()
  return { severity: 'info', message, ...objectPlace(object), tags: { rule } }
}

export function isState({ tags }: Result): boolean {
  return STATE_RULES.some((rule) => rule === tags.rule)
}
