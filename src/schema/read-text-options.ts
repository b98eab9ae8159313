import { isRecord, type JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { describeValue, quoteNames, quoteText } from './describe-value.ts'
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
 * The options in a ConfigMap, as `kpt fn eval -- key=value` and `configMap:` in a pipeline give them; kpt sends an empty one when
 * there is nothing to say. What counts is the text of a value: `1.30` without quotes is no number here.
 *
 * @param functionName  for messages
 * @throws FunctionError with every fault of it
 */
export function readTextOptions<Fields>(config: KrmObject, functionName: string, options: TextOptions<Fields>): Partial<Fields> {
  const known = new Map(Object.entries<TextOption<unknown>>(options))
  const data = config.get(['data'])
  const texts = new Map(config.scalars(['data']).map(({ path, text }) => [String(path.at(-1)), text]))
  const given = Object.entries(isRecord(data) ? data : {}).map(([name, value]) => ({ name, value, text: textOf(value, texts.get(name)) }))
  const faults = given.flatMap((option) => faultOf(option, functionName, known))
  if (faults.length > 0) throw new FunctionError(faults.map((fault) => faultToResult(config, fault)))
  return Object.fromEntries(given.map(({ name, text }) => [name, known.get(name)?.read(text)])) as Partial<Fields>
}

interface Given {
  readonly name: string
  readonly value: JsonValue
  readonly text: string
}

function textOf(value: JsonValue, written = ''): string {
  if (typeof value === 'string') return value
  return value === null ? '' : written
}

function faultOf({ name, value, text }: Given, functionName: string, known: ReadonlyMap<string, TextOption<unknown>>): Fault[] {
  const path = ['data', name]
  const option = known.get(name)
  if (option === undefined) {
    const names = [...known.keys()]
    const message = `is not an option of ${functionName} in a ConfigMap; its options there are ${quoteNames(names)}${didYouMean(name, names)}`
    return [{ severity: 'error', rule: 'unknown-field', path, message, atKey: true }]
  }
  if (typeof value === 'object' && value !== null) {
    return [{ severity: 'error', rule: 'wrong-type', path, message: `must be a string, got ${describeValue(value)}` }]
  }
  if (option.read(text) !== undefined) return []
  return [{ severity: 'error', rule: 'allowed-values', path, message: `must be ${option.allowed}, got ${quoteText(text)}` }]
}
