import { LimitExceeded } from '../budget.ts'
import { checkKey } from '../builtins/access.ts'
import { CONVERSIONS } from '../builtins/conversion.ts'
import { EvaluationFailure } from '../builtins/failure.ts'
import { mapOfPairs } from '../builtins/map.ts'
import { compilePattern } from '../builtins/regex.ts'
import type { CheckedExpression } from '../check/check.ts'
import { type Call, childrenOf, type Expression, type List, type MapLiteral } from '../expression.ts'
import { type CelValue, isKind, typeValue } from '../value.ts'

/** The values of the nodes that need no variables. */
export type Constants = ReadonlyMap<Expression, CelValue>

/** A constant part of an expression that has no value, also where it would never be reached. */
export class ConstantFault extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/**
 * Finds constants as cel-go does with OptOptimize (Porch v1.5 render.go): literals, names of types, conversions of constants, and
 * lists and maps of constants; `x in []`, but no other operator. Constant patterns are compiled, constant keys checked.
 *
 * @param isOptimized  false for an environment without OptOptimize, as that of kpt: a constant without a value is a failure where it is
 *   reached
 * @throws ConstantFault the first, in the order in which cel-go plans
 */
export function findConstants(tree: Expression, checked: CheckedExpression, isOptimized: boolean): Constants {
  const constants = new Map<Expression, CelValue>()
  visit(tree, { checked, constants, isOptimized })
  return constants
}

interface Search {
  readonly checked: CheckedExpression
  readonly constants: Map<Expression, CelValue>
  readonly isOptimized: boolean
}

function visit(node: Expression, search: Search): void {
  const { checked, constants, isOptimized } = search
  const parts = checked.typeNames.has(node) ? [] : childrenOf(node)
  for (const part of parts) visit(part, search)
  if (!isOptimized && node.kind === 'call' && isInEmptyList(node)) return
  try {
    const value = constantOf(node, checked, constants)
    if (value !== undefined) constants.set(node, value)
  } catch (cause) {
    if (cause instanceof EvaluationFailure && !isOptimized) return
    if (cause instanceof EvaluationFailure || cause instanceof LimitExceeded) throw new ConstantFault(cause.message, node.offset)
    throw cause
  }
}

function constantOf(node: Expression, checked: CheckedExpression, constants: Constants): CelValue | undefined {
  const name = checked.typeNames.get(node)
  if (name !== undefined) return isKind(name) ? typeValue(name) : undefined
  if (node.kind === 'constant') return node.value
  if (node.kind === 'identifier' && checked.typeOf(node).kind === 'type')
    throw new EvaluationFailure(`reference to undefined type: ${node.name}`)
  if (node.kind === 'call') return constantCall(node, constants)
  if (node.kind !== 'list' && node.kind !== 'map') return undefined
  if (hasOptionalParts(node)) return undefined
  const values = valuesOf(childrenOf(node), constants)
  if (values === undefined) return undefined
  return node.kind === 'list' ? values : mapOfPairs(values)
}

/** Returns true for a list or map with elements or entries that may be left out. */
export function hasOptionalParts(node: List | MapLiteral): boolean {
  return node.kind === 'list' ? node.optional !== undefined : node.entries.some(({ isOptional }) => isOptional === true)
}

function valuesOf(nodes: readonly Expression[], constants: Constants): readonly CelValue[] | undefined {
  const values = nodes.flatMap((node) => (constants.has(node) ? [constants.get(node) ?? null] : []))
  return values.length === nodes.length ? values : undefined
}

function constantCall(node: Call, constants: Constants): CelValue | undefined {
  if (isInEmptyList(node)) return false
  const operands = childrenOf(node)
  const last = operands.at(-1)
  const value = last === undefined ? undefined : constants.get(last)
  if (value === undefined) return undefined
  if (node.name === '_[_]') checkKey(value)
  if (node.name === 'matches' && typeof value === 'string') compilePattern(value)
  const convert = CONVERSIONS.get(node.name.replace(/^\./, ''))
  return operands.length === 1 ? convert?.(value) : undefined
}

/** Returns true for the call `x in []`: its value is false even where `x` fails. */
function isInEmptyList({ name, args: [, list] }: Call): boolean {
  return name === '@in' && list?.kind === 'list' && list.elements.length === 0
}
