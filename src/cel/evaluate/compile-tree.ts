import { has, member } from '../builtins/access.ts'
import { EvaluationFailure, noOverload } from '../builtins/failure.ts'
import { functionOf, type Implementation } from '../builtins/functions.ts'
import { mapOfPairs } from '../builtins/map.ts'
import { matchesConstant } from '../builtins/text.ts'
import type { CheckedExpression } from '../check/check.ts'
import type { Overload } from '../check/declarations.ts'
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  childrenOf,
  type Expression,
  type Identifier,
  type OptionalMap,
  type Select,
} from '../expression.ts'
import { mapWithoutMissing, withoutMissing } from '../extensions/optional-functions.ts'
import { type CelValue, OptionalValue } from '../value.ts'
import { type Closure, conditional, type EvaluationResult, logic, NoValue, notStrictlyFalse, noValue } from './closure.ts'
import { type Constants, hasOptionalParts } from './constants.ts'
import { collect, foldComprehension, type Loop, listCollector, mapCollector } from './loops.ts'

/** The inputs that every node of a tree is compiled with. */
interface Compilation {
  readonly checked: CheckedExpression
  readonly constants: Constants
  /** The names of the comprehension variables around the node. A name has the same index as its value among a frame's locals. */
  readonly locals: readonly string[]
}

/** Compiles a checked tree to a function that evaluates it. */
export function compileTree(tree: Expression, checked: CheckedExpression, constants: Constants): Closure {
  return compileNode(tree, { checked, constants, locals: [] })
}

function compileNode(node: Expression, compilation: Compilation): Closure {
  const constant = compilation.constants.get(node)
  if (constant !== undefined) return () => constant
  switch (node.kind) {
    case 'identifier':
      return compileName(node, compilation)
    case 'select':
      if (!node.test) return compileFields(node, compilation)
      return callUnary((value) => has(value, node.field), compileNode(node.operand, compilation), node.offset)
    case 'call':
      return compileCall(node, compilation)
    case 'list':
      return callAll(hasOptionalParts(node) ? withoutMissing(node) : (values) => values, compileAll(node, compilation), node.offset)
    case 'map':
      return callAll(hasOptionalParts(node) ? mapWithoutMissing(node) : mapOfPairs, compileAll(node, compilation), node.offset)
    case 'optionalMap':
      return compileOptionalMap(node, compilation)
    case 'comprehension':
      return compileComprehension(node, compilation)
    case 'constant':
    case 'message':
      throw new Error(`neither a constant without a value nor a message gets here: ${node.kind}`)
  }
}

function compileAll(node: Expression, compilation: Compilation): readonly Closure[] {
  return childrenOf(node).map((child) => compileNode(child, compilation))
}

function compileName({ name: written, offset }: Identifier, { locals }: Compilation): Closure {
  const name = withoutDot(written)
  const place = locals.lastIndexOf(name)
  if (place !== -1) return (frame) => frame.locals[place] ?? null
  return ({ variables }) => {
    const value = variables.get(name)
    return value === undefined ? new NoValue(new EvaluationFailure(`no such attribute(s): ${name}`, { variable: name }), offset) : value
  }
}

function withoutDot(name: string): string {
  return name.replace(/^\./, '')
}

/** Compiles fields one below the other, `item.spec.upstream.package`, to one function: they are most of what is evaluated. */
function compileFields(node: Select, compilation: Compilation): Closure {
  const steps: Select[] = []
  let start: Expression = node
  for (; start.kind === 'select' && !start.test && !compilation.constants.has(start); start = start.operand) steps.unshift(start)
  const base = compileNode(start, compilation)
  return (frame) => {
    let value = base(frame)
    for (const { field, offset } of steps) {
      if (value instanceof NoValue) return value
      try {
        value = member(value, field)
      } catch (cause) {
        return noValue(cause, offset)
      }
    }
    return value
  }
}

function compileCall(node: Call, compilation: Compilation): Closure {
  const { offset } = node
  const name = withoutDot(node.name)
  const operands = compileAll(node, compilation)
  if (name === '_&&_' || name === '_||_') return logic(name === '_||_', operands, offset)
  const [first, second, third] = operands
  if (first === undefined) {
    const make = functionOf(name, undefined)
    return () => make()
  }
  if (name === '@not_strictly_false') return notStrictlyFalse(first)
  if (second === undefined) return callUnary(functionOf(name, onlyOverload(node, compilation)), first, offset)
  if (third !== undefined && name === '_?_:_') return conditional(first, second, third, offset)
  if (third !== undefined) {
    const run = functionOf(name, onlyOverload(node, compilation))
    return callAll((values) => run(...values), operands, offset)
  }
  if (name === 'or' || name === 'orValue') return orElse(name, first, second, offset)
  const pattern = childrenOf(node)[1]
  const isPrepared = name === 'matches' && pattern !== undefined && compilation.constants.has(pattern)
  return callBinary(isPrepared ? matchesConstant : functionOf(name, onlyOverload(node, compilation)), first, second, offset)
}

function onlyOverload(node: Call, { checked }: Compilation): Overload | undefined {
  const [overload, ...others] = checked.overloads.get(node) ?? []
  return others.length === 0 ? overload : undefined
}

function compileComprehension(node: Comprehension, compilation: Compilation): Closure {
  const { initial, range, result, step, second } = node
  const loop = {
    range: compileNode(range, compilation),
    rangeOffset: range.offset,
    weight: weighStep(node),
    hasSecond: second !== undefined,
  }
  if (initial.kind === 'list' || initial.kind === 'map') return compileCollection(node, loop, compilation)
  const outside = withLocals(compilation, ACCUMULATOR)
  const inside = withVariables(outside, node)
  return foldComprehension({
    ...loop,
    accumulator: compilation.locals.length,
    variable: outside.locals.length,
    initial: compileNode(initial, compilation),
    condition: compileNode(node.condition, inside),
    step: compileNode(step, inside),
    result: compileNode(result, outside),
  })
}

/**
 * Compiles a comprehension that makes a list or a map. The step of `map` and `filter` is `accumulator + [element]`, that of `transformMap`
 * `cel.@mapInsert(accumulator, key, value)`, or that under a test; one list or map grows instead of many.
 */
function compileCollection(node: Comprehension, loop: Omit<Loop, 'variable'>, compilation: Compilation): Closure {
  const { initial, offset, step } = node
  const [test, grown = step] = step.kind === 'call' && step.name === '_?_:_' ? step.args : [undefined, step]
  const [, added, value] = grown.kind === 'call' ? grown.args : []
  const element = initial.kind === 'list' && added?.kind === 'list' ? added.elements[0] : added
  if (element === undefined) throw new Error('a comprehension that makes a list or map is the expansion of a macro')
  const inside = withVariables(compilation, node)
  const made = [element, ...(value === undefined ? [] : [value])].map((part) => compileNode(part, inside))
  return collect({
    ...loop,
    variable: compilation.locals.length,
    test: test && compileNode(test, inside),
    start: initial.kind === 'list' ? listCollector(made) : mapCollector(made, offset),
    offset,
  })
}

function withVariables(compilation: Compilation, { variable, second }: Comprehension): Compilation {
  const inside = withLocals(compilation, variable)
  return second === undefined ? inside : withLocals(inside, second)
}

/** Compiles `optMap` and `optFlatMap`: the body sees the value of the target. */
function compileOptionalMap({ target, variable, body, isFlat, offset }: OptionalMap, compilation: Compilation): Closure {
  const optional = compileNode(target, compilation)
  const place = compilation.locals.length
  const made = compileNode(body, withLocals(compilation, variable))
  return (frame) => {
    const given = optionalIn(optional(frame), offset)
    if (given instanceof NoValue || given.value === undefined) return given
    frame.locals[place] = given.value
    const value = made(frame)
    return isFlat || value instanceof NoValue ? value : new OptionalValue(value)
  }
}

/** Returns a closure of `optional.or(other)` and `optional.orValue(other)`: the other is evaluated only without a value. */
function orElse(name: 'or' | 'orValue', first: Closure, second: Closure, offset: number): Closure {
  return (frame) => {
    const given = optionalIn(first(frame), offset)
    if (given instanceof NoValue) return given
    if (given.value === undefined) return second(frame)
    return name === 'or' ? given : given.value
  }
}

function optionalIn(value: EvaluationResult, offset: number): OptionalValue | NoValue {
  if (value instanceof NoValue || value instanceof OptionalValue) return value
  return new NoValue(noOverload(), offset)
}

function withLocals(compilation: Compilation, name: string): Compilation {
  return { ...compilation, locals: [...compilation.locals, name] }
}

/** Calls a function of one argument; what it throws is a failure at the offset. */
function callUnary(run: Implementation, argument: Closure, offset: number): Closure {
  return (frame) => {
    const value = argument(frame)
    if (value instanceof NoValue) return value
    try {
      return run(value)
    } catch (cause) {
      return noValue(cause, offset)
    }
  }
}

/** Calls a function of two arguments. The first argument that has no value is the result. */
function callBinary(run: Implementation, left: Closure, right: Closure, offset: number): Closure {
  return (frame) => {
    const first = left(frame)
    if (first instanceof NoValue) return first
    const second = right(frame)
    if (second instanceof NoValue) return second
    try {
      return run(first, second)
    } catch (cause) {
      return noValue(cause, offset)
    }
  }
}

/** Makes a value of many, as lists and maps are made. */
function callAll(make: (values: readonly CelValue[]) => CelValue, parts: readonly Closure[], offset: number): Closure {
  return (frame) => {
    const values: CelValue[] = []
    for (const part of parts) {
      const value = part(frame)
      if (value instanceof NoValue) return value
      values.push(value)
    }
    try {
      return make(values)
    } catch (cause) {
      return noValue(cause, offset)
    }
  }
}

/** The cost of a node in one step of a loop, without its children. Lists and maps cost more, since they take memory. */
const WEIGHTS: Readonly<Record<Expression['kind'], number>> = {
  call: 1,
  comprehension: 4,
  constant: 1,
  identifier: 1,
  list: 10,
  map: 10,
  message: 1,
  optionalMap: 4,
  select: 2,
}

const WEIGHT_OF_ENTRY = 8

/** Returns the work of one step of a comprehension, in nodes. Loops within it pay for their own steps. */
function weighStep(node: Comprehension): number {
  return weigh(node.condition) + weigh(node.step)
}

/** Returns the work of a node outside of loops, or in one step of the loops around it. */
export function weigh(node: Expression): number {
  const parts = node.kind === 'comprehension' ? [node.range, node.result] : childrenOf(node)
  const entries = node.kind === 'map' ? node.entries.length * WEIGHT_OF_ENTRY : 0
  return parts.reduce((sum, part) => sum + weigh(part), WEIGHTS[node.kind] + entries)
}
