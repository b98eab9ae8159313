import type { Uint } from './value.ts'

/** A literal's value. Integers are bigint, doubles number. */
export type LiteralValue = null | boolean | bigint | number | string | Uint8Array | Uint

/** The tree of an expression, macros expanded. `offset` is the place that cel-go reports for the node, in UTF-16 units. */
export type Expression = Constant | Identifier | Select | Call | List | MapLiteral | Message | Comprehension | OptionalMap

interface Node {
  readonly offset: number
}
export interface Constant extends Node {
  readonly kind: 'constant'
  readonly value: LiteralValue
}
export interface Identifier extends Node {
  readonly kind: 'identifier'
  readonly name: string
}
/** `operand.field`; with `test`, the question if the field exists: `has(operand.field)`. */
export interface Select extends Node {
  readonly kind: 'select'
  readonly operand: Expression
  readonly field: string
  readonly test: boolean
}
/** A function, a method (with target) or an operator under cel-go's name, such as `_+_`. `&&` and `||` take two or more arguments. */
export interface Call extends Node {
  readonly kind: 'call'
  readonly name: string
  readonly target: Expression | undefined
  readonly args: readonly Expression[]
}
export interface List extends Node {
  readonly kind: 'list'
  readonly elements: readonly Expression[]
  /** The elements behind a `?`, which are left out if they have no value. */
  readonly optional?: ReadonlySet<Expression>
}
export interface MapLiteral extends Node {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}
export interface MapEntry {
  readonly key: Expression
  readonly value: Expression
  /** True for `?key: value`, which is left out if the value has none. */
  readonly isOptional?: boolean
}
/** A protobuf message: parsed and checked for its name, never built. */
export interface Message extends Node {
  readonly kind: 'message'
  readonly name: string
  readonly values: readonly Expression[]
}
/** A loop over `range` that updates ACCUMULATOR: the expansion of macros such as `all` and `map`. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension'
  readonly range: Expression
  readonly variable: string
  /** The second variable of `map.all(key, value, test)`; `variable` is then the key, or the index in a list. */
  readonly second?: string
  readonly initial: Expression
  readonly condition: Expression
  readonly step: Expression
  readonly result: Expression
}

/** `target.optMap(variable, body)`; `isFlat` for `optFlatMap`, whose body gives an optional value itself. */
export interface OptionalMap extends Node {
  readonly kind: 'optionalMap'
  readonly target: Expression
  readonly variable: string
  readonly body: Expression
  readonly isFlat: boolean
}

/** The accumulator's name, which no expression can spell. */
export const ACCUMULATOR = '@result'

/** Returns the nodes right below a node. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'constant':
    case 'identifier':
      return []
    case 'select':
      return [node.operand]
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args]
    case 'list':
      return node.elements
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value])
    case 'message':
      return node.values
    case 'comprehension':
      return [node.initial, node.range, node.condition, node.step, node.result]
    case 'optionalMap':
      return [node.target, node.body]
  }
}
