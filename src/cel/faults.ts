import type { Names } from './check/scope.ts'
import type { Type } from './check/types.ts'
import type { Call, Expression } from './expression.ts'

/** One finding of the compiler: its place as an offset (undefined: the expression as a whole) and its words. */
export interface CompileFault {
  readonly offset: number | undefined
  readonly message: string
  readonly cause?: FaultCause
}

/** The cause of a fault, from which a hint is made. */
export type FaultCause =
  | { readonly kind: 'undeclared'; readonly node: Expression; readonly names: Names; readonly extensions: readonly string[] }
  | { readonly kind: 'undefined field'; readonly field: string; readonly record: string; readonly known: readonly string[] }
  | { readonly kind: 'no overload'; readonly call: Call; readonly types: readonly Type[] }
  | { readonly kind: 'mixed'; readonly node: Expression; readonly found: Type; readonly first: Expression; readonly expected: Type }
  | { readonly kind: 'no test'; readonly call: Call; readonly term: Expression; readonly found: Type }
  | { readonly kind: 'optional'; readonly operand: Expression; readonly field: string | undefined }
  | { readonly kind: 'syntax'; readonly advice: string }

/** Findings that end compilation. */
export class Faults extends Error {
  readonly faults: readonly CompileFault[]

  constructor(faults: readonly CompileFault[]) {
    super(faults.map((fault) => fault.message).join('\n'))
    this.faults = faults
  }
}
