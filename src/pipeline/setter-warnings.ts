import { markedFields } from '../catalog/setter-comments.ts'
import { setterNames } from '../catalog/setter-pattern.ts'
import { asRecord, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { didYouMean } from '../schema/nearest-name.ts'
import type { FunctionInput } from './function-input.ts'
import type { PipelineStep } from './pipeline-steps.ts'

/**
 * Returns a warning for each setter that a function apply-setters gets and no field names in its comment: most likely the name is misspelt. The
 * function itself says nothing, or reports an info.
 *
 * @example  `configMap: {replicaCount: "3"}` and one field `replicas: 1 # kpt-set: ${replicas}`
 */
export function setterWarnings(step: PipelineStep, input: Pick<FunctionInput, 'selected' | 'config'>): readonly Result[] {
  if (!/(?:^|\/)apply-setters(?:[:@]|$)/.test(step.image) || input.selected.length === 0) return []
  const config = input.config()
  const given = Object.keys(asRecord(lookup(asRecord(config), 'data')))
  if (given.length === 0) return []
  const known = [...new Set(input.selected.flatMap(({ object }) => namesIn(object)))]
  return given.filter((name) => !known.includes(name)).map((name) => warning(step, name, known))
}

/** Returns the names of the setters that comments of an object have. */
function namesIn(object: KrmObject): readonly string[] {
  return object.mayHold('kpt-set') ? markedFields(object).flatMap(({ pattern }) => setterNames(pattern)) : []
}

function warning({ kptfile, field, configMap, configPath }: PipelineStep, name: string, known: readonly string[]): Result {
  const place = configMap.has(name) ? '' : ` of ${quoteText(configPath)}`
  const message = `has the setter ${quoteText(name)}${place}, which no resource of the function has in a comment \`# kpt-set:\`${didYouMean(name, known)}`
  const path = configMap.has(name) ? [...field, 'configMap', name] : field
  return faultToResult(kptfile, { severity: 'warning', rule: 'setter-unmatched', path, message })
}
