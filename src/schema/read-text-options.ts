import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { type ConfigMapPair, configMapPairs } from './config-map-pairs.ts'
import { quoteNames, quoteText } from './describe-value.ts'
import { type Fault, faultToResult } from './fault.ts'
import { didYouMean } from './nearest-name.ts'

/** How an option is read from a text. */
export interface TextOption<Value> {
  /** What the text may be, as a message says it: `one of 'true', 'false'`. */
  readonly allowed: string
  /** undefined when the text is not allowed. */
  readonly read: (text: string) => Value | undefined
}

/** The options that a function takes as texts, by their names. */
export type TextOptions<Fields> = { readonly [Name in keyof Fields]-?: TextOption<Exclude<Fields[Name], undefined>> }

/** One of some texts, as it stands. */
export function oneOf<const Text extends string>(...allowed: readonly Text[]): TextOption<Text> {
  return { allowed: `one of ${quoteNames(allowed)}`, read: (text) => allowed.find((each) => each === text) }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

export const TRUE_OR_FALSE: TextOption<boolean> = {
  allowed: `one of ${quoteNames([...BOOLEANS.keys()])}`,
  read: (text) => BOOLEANS.get(text),
}

/**
 * The options in a ConfigMap as functionConfig.
 *
 * @param functionName  for messages
 * @throws FunctionError with every fault of it
 */
export function readTextOptions<Fields>(config: KrmObject, functionName: string, options: TextOptions<Fields>): Partial<Fields> {
  const known = new Map(Object.entries<TextOption<unknown>>(options))
  const { pairs, faults } = configMapPairs(config)
  const all = [...faults, ...pairs.flatMap((pair) => faultOf(pair, functionName, known))]
  if (all.length > 0) throw new FunctionError(all.map((fault) => faultToResult(config, fault)))
  return Object.fromEntries(pairs.map(({ name, text }) => [name, known.get(name)?.read(text)])) as Partial<Fields>
}

function faultOf({ name, text }: ConfigMapPair, functionName: string, known: ReadonlyMap<string, TextOption<unknown>>): Fault[] {
  const path = ['data', name]
  const option = known.get(name)
  if (option === undefined) {
    const names = [...known.keys()]
    const message = `is not an option of ${functionName} in a ConfigMap; its options there are ${quoteNames(names)}${didYouMean(name, names)}`
    return [{ severity: 'error', rule: 'unknown-field', path, message, atKey: true }]
  }
  if (option.read(text) !== undefined) return []
  return [{ severity: 'error', rule: 'allowed-values', path, message: `must be ${option.allowed}, got ${quoteText(text)}` }]
}
