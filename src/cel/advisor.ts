import type { CheckedExpression } from './check/check.ts'
import type { Type } from './check/types.ts'
import type { Expression } from './expression.ts'
import type { CompileFault } from './faults.ts'
import type { CelValue } from './value.ts'

/**
 * A suggestion that may fix an expression, beside cel-go's message. The caller that reports the hint sorts `known` by nearness to the name.
 */
export type Hint =
  | { readonly kind: 'advice'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly known: readonly string[]; readonly otherwise: string | undefined }
  | { readonly kind: 'function'; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: 'field'; readonly name: string; readonly record: string; readonly known: readonly string[] }

/** A fault of an expression, for advice. */
export type Advised =
  /** Without a tree the faults are the parser's. */
  | {
      readonly kind: 'faults'
      readonly expression: string
      readonly tree: Expression | undefined
      readonly faults: readonly CompileFault[]
    }
  | { readonly kind: 'evaluation'; readonly tree: Expression; readonly offset: number; readonly checked: CheckedExpression }
  | { readonly kind: 'no string'; readonly tree: Expression; readonly value: CelValue }
  | { readonly kind: 'no condition'; readonly tree: Expression; readonly type: Type }

/** Returns hints about an expression. The engine asks for them and knows none: they name the tools and languages that people come from. */
export type Advisor = (failure: Advised) => readonly Hint[]

export const NO_ADVICE: Advisor = () => []
