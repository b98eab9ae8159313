import { spend } from '../budget.ts'
import { type CelValue, type Kind, kindOf, type MapValue } from '../value.ts'

/** The work of many nodes: a failure is made, thrown and caught. */
const WORK_OF_FAILURE = 100

/** The reason why a function has no value for its arguments. Functions throw it. It is no Error, since its stack is never read. */
export class EvaluationFailure {
  readonly message: string
  readonly lack: Lack | undefined

  constructor(message: string, lack?: Lack) {
    spend(WORK_OF_FAILURE)
    this.message = message
    this.lack = lack
  }
}

/** The key that a map lacks, or the variable that is missing. */
export type Lack = { readonly key: string; readonly map: MapValue } | { readonly variable: string }

/** Kinds whose methods cel-go tries before it fails, which changes the message. */
const RECEIVERS: ReadonlySet<Kind> = new Set<Kind>(['string', 'google.protobuf.Timestamp', 'google.protobuf.Duration'])

/** Returns the failure for arguments without an overload, in the cases where cel-go's message names neither function nor kinds. */
export function noOverload(): EvaluationFailure {
  return new EvaluationFailure('no such overload')
}

/** Returns the failure for a first operand that has no such operation. */
export function noOperation(name: string, operand: CelValue): EvaluationFailure {
  return RECEIVERS.has(kindOf(operand)) ? noOverload() : new EvaluationFailure(`no such overload: ${name}`)
}

/** Returns the failure for a function whose overload is chosen by all its arguments, none of which fits. */
export function noSignature(name: string, args: readonly CelValue[]): EvaluationFailure {
  return new EvaluationFailure(`no such overload: ${name}(${args.map(kindOf).join(', ')})`)
}
