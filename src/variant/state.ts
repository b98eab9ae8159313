import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'

const STATE_RULES = ['set-context', 'prepend-pipeline', 'inject-config'] as const
type StateRule = (typeof STATE_RULES)[number]

/**
 * The info that ends a run: the state that is reached, never what was done to reach it, so that a second run says the same.
 *
 * @param object  what was edited
 * @throws FunctionError  when its edits cannot be written: then the state is not reached
 */
export function stateOf(object: KrmObject, rule: StateRule, message: string): Result {
  object.settle()
  return { severity: 'info', message, resourceRef: object.ref, ...(object.file && { file: object.file }), tags: { rule } }
}

export function isState({ tags }: Result): boolean {
  return STATE_RULES.some((rule) => rule === tags.rule)
}
