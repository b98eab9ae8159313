import { spendStep } from '../budget.ts'
import { has, member, rangeOf } from '../builtins/access.ts'
import { EvaluationFailure } from '../builtins/failure.ts'
import { functionOf, type Implementation } from '../builtins/functions.ts'
import { mapOfPairs } from '../builtins/map.ts'
import { matchesConstant } from '../builtins/text.ts'
import type { CheckedExpression } from '../check/check.ts'
import type { Overload } from '../check/declarations.ts'
import { ACCUMULATOR, type Call, type Comprehension, childrenOf, type Expression, type Identifier, type Select } from '../expression.ts'
import type { CelValue } from '../value.ts'
import {
  asFailed,
  type Closure,
  conditional,
  type EvaluationFrame,
  type EvaluationResult,
  logic,
  NoValue,
  notStrictlyFalse,
  noValue,
} from './closure.ts'
import type { Constants } from './constants.ts'

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
      return callAll((values) => values, compileAll(node, compilation), node.offset)
    case 'map':
      return callAll(mapOfPairs, compileAll(node, compilation), node.offset)
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
  if (first === undefined) throw new Error(`no function of the standard library is without arguments: ${name}`)
  if (name === '@not_strictly_false') return notStrictlyFalse(first)
  if (second === undefined) return callUnary(functionOf(name, onlyOverload(node, compilation)), first, offset)
  if (third !== undefined && name === '_?_:_') return conditional(first, second, third, offset)
  if (third !== undefined) {
    const run = functionOf(name, onlyOverload(node, compilation))
    return callAll((values) => run(...values), operands, offset)
  }
  const pattern = childrenOf(node)[1]
  const isPrepared = name === 'matches' && pattern !== undefined && compilation.constants.has(pattern)
  return callBinary(isPrepared ? matchesConstant : functionOf(name, onlyOverload(node, compilation)), first, second, offset)
}

function onlyOverload(node: Call, { checked }: Compilation): Overload | undefined {
  const [overload, ...others] = checked.overloads.get(node) ?? []
  return others.length === 0 ? overload : undefined
}

function compileComprehension(node: Comprehension, compilation: Compilation): Closure {
  const { initial, range, result, step, variable } = node
  const loop = { range: compileNode(range, compilation), rangeOffset: range.offset, weight: weighStep(node) }
  if (initial.kind === 'list') return compileCollection(node, loop, compilation)
  const outside = withLocals(compilation, ACCUMULATOR)
  const inside = withLocals(outside, variable)
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

/** The step of `map` and `filter` is `accumulator + [element]`, or that under a test; one list grows instead of many. */
function compileCollection(node: Comprehension, loop: Pick<Loop, 'range' | 'rangeOffset' | 'weight'>, compilation: Compilation): Closure {
  const { offset, step, variable } = node
  const [test, grown = step] = step.kind === 'call' && step.name === '_?_:_' ? step.args : [undefined, step]
  const [element] = grown.kind === 'call' && grown.args[1]?.kind === 'list' ? grown.args[1].elements : []
  if (element === undefined) throw new Error('a comprehension that makes a list is the expansion of a macro')
  const inside = withLocals(compilation, variable)
  return collect({
    ...loop,
    variable: compilation.locals.length,
    test: test && compileNode(test, inside),
    element: compileNode(element, inside),
    offset,
  })
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
  select: 2,
}

const WEIGHT_OF_ENTRY = 8

/** The work of one step of a comprehension, in nodes. Loops within it pay for their own steps. */
function weighStep(node: Comprehension): number {
  return weigh(node.condition) + weigh(node.step)
}

/** The work of a node outside of loops, or in one step of the loops around it. */
export function weigh(node: Expression): number {
  const parts = node.kind === 'comprehension' ? [node.range, node.result] : childrenOf(node)
  const entries = node.kind === 'map' ? node.entries.length * WEIGHT_OF_ENTRY : 0
  return parts.reduce((sum, part) => sum + weigh(part), WEIGHTS[node.kind] + entries)
}

/** The parts of every loop. */
interface Loop {
  readonly range: Closure
  readonly rangeOffset: number
  /** The index of its variable among the locals. */
  readonly variable: number
  /** The work of one step. */
  readonly weight: number
}

/** A loop with an accumulator among the locals, which may hold a failure during the loop: `all`, `exists`, `exists_one`. */
interface Fold extends Loop {
  readonly accumulator: number
  readonly initial: Closure
  readonly condition: Closure
  readonly step: Closure
  readonly result: Closure
}

function foldComprehension({ accumulator, initial, condition, step, result, ...loop }: Fold): Closure {
  return overItems(loop, (items, frame) => {
    const { locals } = frame
    locals[accumulator] = initial(frame)
    for (const item of items) {
      spendStep(loop.weight)
      locals[loop.variable] = item
      if (condition(frame) === false) break
      locals[accumulator] = step(frame)
    }
    return result(frame)
  })
}

/** A loop that makes a list: `map` and `filter`. */
interface Collection extends Loop {
  /** The condition of the items that count; undefined when all items count. */
  readonly test: Closure | undefined
  readonly element: Closure
  readonly offset: number
}

/**
 * Evaluates a loop that makes a list, `map` and `filter`. As in cel-go, a later failure of the test replaces an earlier one, and no element
 * is evaluated after a failure.
 */
function collect({ test, element, offset, ...loop }: Collection): Closure {
  return overItems(loop, (items, frame) => {
    const elements: CelValue[] = []
    let failed: NoValue | undefined
    for (const item of items) {
      spendStep(loop.weight)
      frame.locals[loop.variable] = item
      const passes = test === undefined || test(frame)
      if (typeof passes !== 'boolean') failed = asFailed(passes, offset)
      if (passes !== true || failed !== undefined) continue
      const made = element(frame)
      if (made instanceof NoValue) failed = made
      else elements.push(made)
    }
    return failed ?? elements
  })
}

function overItems({ range, rangeOffset }: Loop, run: (items: Iterable<CelValue>, frame: EvaluationFrame) => EvaluationResult): Closure {
  return (frame) => {
    const value = range(frame)
    if (value instanceof NoValue) return value
    const items = itemsOf(value, rangeOffset)
    return items instanceof NoValue ? items : run(items, frame)
  }
}

function itemsOf(value: CelValue, offset: number): Iterable<CelValue> | NoValue {
  try {
    return rangeOf(value)
  } catch (cause) {
    return noValue(cause, offset)
  }
}
