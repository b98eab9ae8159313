import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { type ConfigMapPair, configMapPairs } from './config-map-pairs.ts'
import { describeChoice, quoteNames, quoteText } from './describe-value.ts'
import { type Fault, faultToResult } from './fault.ts'
import { didYouMean } from './nearest-name.ts'
import { proposeKey } from './unknown-field.ts'

/** The reader of an option that is written as a text. */
export interface TextOption<Value> {
  /** The allowed texts, for messages: `one of 'true', 'false'`. */
  readonly allowed: string
  /** Returns the value of a text; undefined if the text is not allowed. */
  readonly read: (text: string) => Value | undefined
}

/** The options that a function accepts as texts, by name. */
export type TextOptions<Fields> = { readonly [Name in keyof Fields]-?: TextOption<Exclude<Fields[Name], undefined>> }

/** Returns an option whose value is one of some texts. */
export function oneOf<const Text extends string>(...allowed: readonly Text[]): TextOption<Text> {
  return { allowed: describeChoice(allowed), read: (text) => allowed.find((each) => each === text) }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

export const TRUE_OR_FALSE: TextOption<boolean> = {
  allowed: describeChoice([...BOOLEANS.keys()]),
  read: (text) => BOOLEANS.get(text),
}

/**
 * Returns the options of a ConfigMap as functionConfig.
 *
 * @param functionName  the name of the function, for messages
 * @throws FunctionError  with every fault of the ConfigMap
 */
export function readTextOptions<Fields>(config: KrmObject, functionName: string, options: TextOptions<Fields>): Partial<Fields> {
  const { pairs, faults } = configMapPairs(config)
  const all = [...faults, ...pairs.flatMap((pair) => faultOf(pair, functionName, options))]
  if (all.length > 0) throw new FunctionError(all.map((fault) => faultToResult(config, fault)))
  const fields: Partial<Fields> = {}
  for (const pair of pairs) if (isOption(pair.name, options)) fields[pair.name] = options[pair.name].read(optionText(pair))
  return fields
}

function isOption<Fields>(name: PropertyKey, options: TextOptions<Fields>): name is keyof Fields {
  return Object.hasOwn(options, name)
}

/** Returns the text of an option; `true` or `false` for every YAML spelling of a boolean. */
function optionText({ value, text }: ConfigMapPair): string {
  return typeof value === 'boolean' ? String(value) : text
}

function faultOf<Fields>(pair: ConfigMapPair, functionName: string, options: TextOptions<Fields>): Fault[] {
  const path = ['data', pair.name]
  if (!isOption(pair.name, options)) {
    const names = Object.keys(options)
    const known = names.length === 0 ? 'it has none' : `its options there are ${quoteNames(names)}`
    const message = `is not an option of ${functionName} in a ConfigMap; ${known}${didYouMean(pair.name, names)}`
    return [{ severity: 'error', rule: 'unknown-field', path, message, atKey: true, ...proposeKey(pair.name, names) }]
  }
  const { allowed, read } = options[pair.name]
  const text = optionText(pair)
  if (read(text) !== undefined) return []
  return [{ severity: 'error', rule: 'allowed-values', path, message: `must be ${allowed}, got ${quoteText(text)}` }]
}
