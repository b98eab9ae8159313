import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { type Entry, entriesOf } from './entries.ts'
import { mapExprFaults } from './map-expr-rules.ts'
import { refused, tolerated } from './rule-fault.ts'
import type { FunctionTemplateFields } from './template-schema.ts'

/** The rules for one function of a template's pipeline; that it has an image says the schema (docs/porch.md 20, 21). */
export function functionTemplateFaults({ path, value }: Entry<FunctionTemplateFields>): Fault[] {
  const { name = '', configPath, configMap, configRef, configMapExprs } = value
  return [
    ...(name.includes('.') ? [refused('function-name', [...path, 'name'], `must not contain '.', got ${quoteText(name)}`)] : []),
    ...(configPath !== undefined && (configMap ?? configMapExprs) !== undefined
      ? [tolerated('config-path-and-map', path, BOTH_CONFIGS)]
      : []),
    ...(configRef !== undefined && (configPath ?? configMap ?? configMapExprs) !== undefined
      ? [refused('function-configs', [...path, 'configRef'], CONFIG_REF_ALONE)]
      : []),
    ...entriesOf(configMapExprs, [...path, 'configMapExprs']).flatMap(mapExprFaults),
  ]
}

const BOTH_CONFIGS = "must not have both 'configPath' and a config map: kpt refuses to run such a function"
const CONFIG_REF_ALONE = "must not stand beside 'configPath' or a config map: a function takes one functionConfig"
