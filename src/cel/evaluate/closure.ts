import { Failure } from '../builtins/failure.ts'
import type { Value } from '../value.ts'
import type { Variables } from '../variables.ts'

/** Why a node has no value, and the place of the node where it failed. Handed on like a value, since `||` and the like may go on without it. */
export class NoValue {
  readonly failure: Failure
  readonly offset: number

  constructor(failure: Failure, offset: number) {
    this.failure = failure
    this.offset = offset
  }
}

/** What a node of the tree gives. */
export type Outcome = Value | NoValue

/** What a node of the tree becomes. Throws nothing but LimitExceeded. */
export type Closure = (frame: Frame) => Outcome

/** What one evaluation works with: the variables, and the names of the comprehensions around a node, the outermost first. */
export interface Frame {
  readonly variables: Variables
  readonly locals: Outcome[]
}

/** What a function threw, as what its node gives. Throws what is no Failure. */
export function noValue(cause: unknown, offset: number): NoValue {
  if (cause instanceof Failure) return new NoValue(cause, offset)
  throw cause
}
