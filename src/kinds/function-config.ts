import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { findingsOf, type Result } from '../result.ts'
import type { Fault } from '../schema/fault.ts'
import type { Infer } from '../schema/schema.ts'
import { decode } from '../schema/validate.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { FUNCTION_CONFIG_SCHEMA } from './function-config-schema.ts'

/** Returns true for a FunctionConfig, which says where Porch's main branch runs a function. */
export function isFunctionConfig({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'FunctionConfig' && groupOf(apiVersion) === PORCH_CONFIG_GROUP
}

/** Returns the faults of a FunctionConfig: those that its CustomResourceDefinition refuses. */
export function functionConfigFaults(object: KrmObject): readonly Result[] {
  return findingsOf(() => decode(object, { schema: FUNCTION_CONFIG_SCHEMA, rules: executorFaults }).warnings)
}

function executorFaults({ spec: { goExecutor, binaryExecutor, podExecutor } }: Infer<typeof FUNCTION_CONFIG_SCHEMA>): Fault[] {
  if (goExecutor !== undefined || binaryExecutor !== undefined || podExecutor !== undefined) return []
  const message = "must have 'goExecutor', 'binaryExecutor' or 'podExecutor', got none of them"
  return [{ severity: 'error', rule: 'required', path: ['spec'], message }]
}
