import { spend } from '../budget.ts'
import { type CelValue, type Kind, kindOf, type MapValue } from '../value.ts'

/** The work of many nodes: a failure is made, thrown and caught. */
const WORK_OF_FAILURE = 100

/** Why a function has no value for its arguments. Functions throw it; no Error, since nobody reads its stack. */
export class EvaluationFailure {
  readonly message: string
  readonly lack: Lack | undefined

  constructor(message: string, lack?: Lack) {
    spend(WORK_OF_FAILURE)
    this.message = message
    this.lack = lack
  }
}

/** What was looked for and is not there: a key in a map, or a variable. */
export type Lack = { readonly key: string; readonly map: MapValue } | { readonly variable: string }

/** Kinds whose methods cel-go asks before it gives up, which changes the words. */
const RECEIVERS: ReadonlySet<Kind> = new Set<Kind>(['string', 'google.protobuf.Timestamp', 'google.protobuf.Duration'])

/** No overload for these arguments, where cel-go knows no more. */
export function noOverload(): EvaluationFailure {
  return new EvaluationFailure('no such overload')
}

/** The first operand has no such operation at all. */
export function noOperation(name: string, operand: CelValue): EvaluationFailure {
  return RECEIVERS.has(kindOf(operand)) ? noOverload() : new EvaluationFailure(`no such overload: ${name}`)
}

/** No overload of a function that is chosen by all its arguments. */
export function noSignature(name: string, args: readonly CelValue[]): EvaluationFailure {
  return new EvaluationFailure(`no such overload: ${name}(${args.map(kindOf).join(', ')})`)
}
