import { engineName, isBoundToOverloads } from '../builtins/engine-functions.ts'
import type { Checked } from '../check/check.ts'
import { ACCUMULATOR, type Call, type Comprehension, childrenOf, type Expression } from '../expression.ts'
import { type EngineTree, type TreeBuilder, treeBuilder } from './engine-tree.ts'
import type { Constants } from './fold.ts'
import { weighStep } from './weight.ts'

/** A tree for the engine's interpreter, and the place of each of its nodes by id. */
export interface Lowered {
  readonly tree: EngineTree
  readonly offsets: readonly number[]
}

interface Lowering {
  readonly build: TreeBuilder
  readonly checked: Checked
  readonly constants: Constants
}

/** Operators that need not evaluate all their operands: the engine's own do that. */
const LAZY = new Set(['_&&_', '_||_', '_?_:_', '@not_strictly_false'])

/**
 * Rewrites a checked tree so that everything but laziness, names, lists and loops is a call of a function in `builtins.ts`:
 * selections become lookups, loops pay for each step, and `map` and `filter` grow one list in place of chaining many.
 */
export function lower(tree: Expression, checked: Checked, constants: Constants): Lowered {
  const lowering: Lowering = { build: treeBuilder(), checked, constants }
  return { tree: lowerNode(lowering, tree, 0), offsets: lowering.build.offsets }
}

/** @param depth the number of loops around the node */
function lowerNode(lowering: Lowering, node: Expression, depth: number): EngineTree {
  const { build, checked } = lowering
  const { offset } = node
  const typeName = checked.typeNames.get(node)
  if (typeName !== undefined) return call(lowering, node, '@type', build.constant(offset, typeName))
  switch (node.kind) {
    case 'constant':
      return build.constant(offset, node.value)
    case 'identifier':
      return build.name(offset, node.name.replace(/^\./, ''))
    case 'select':
      return call(lowering, node, node.test ? '@has' : '_[_]', lowerNode(lowering, node.operand, depth), build.constant(offset, node.field))
    case 'call':
      return lowerCall(lowering, node, depth)
    case 'list':
      return lowerList(lowering, node, depth)
    case 'map':
      return call(lowering, node, '@map', lowerList(lowering, node, depth))
    case 'comprehension':
      return lowerComprehension(lowering, node, depth)
    case 'message':
      throw new Error(`the checker let a message through: ${node.name}`)
  }
}

function call({ build }: Lowering, node: Expression, name: string, ...args: readonly EngineTree[]): EngineTree {
  return build.call(node.offset, LAZY.has(name) ? name : engineName(name), args)
}

function lowerList(lowering: Lowering, node: Expression, depth: number): EngineTree {
  return lowering.build.list(node.offset, lowerAll(lowering, childrenOf(node), depth))
}

function lowerAll(lowering: Lowering, nodes: readonly Expression[], depth: number): readonly EngineTree[] {
  return nodes.map((node) => lowerNode(lowering, node, depth))
}

function lowerCall(lowering: Lowering, node: Call, depth: number): EngineTree {
  if (isInEmptyList(node)) return lowering.build.constant(node.offset, false)
  return call(lowering, node, functionOf(lowering, node), ...lowerAll(lowering, childrenOf(node), depth))
}

/** `x in []`: cel-go answers it when it plans, so that a failing `x` does not show. */
function isInEmptyList({ name, args: [, list] }: Call): boolean {
  return name === '@in' && list?.kind === 'list' && list.elements.length === 0
}

/** The function under the name of its overload when the checker found exactly one: it then takes no other arguments. */
function functionOf({ checked, constants }: Lowering, node: Call): string {
  const name = node.name.replace(/^\./, '')
  const pattern = childrenOf(node).at(-1)
  if (name === 'matches' && pattern !== undefined && constants.has(pattern)) return '@matches_constant'
  const [overload, ...others] = checked.overloads.get(node) ?? []
  return overload !== undefined && others.length === 0 && isBoundToOverloads(name) ? overload.id : name
}

function lowerComprehension(lowering: Lowering, node: Comprehension, depth: number): EngineTree {
  const { build } = lowering
  const inner = depth + 1
  const collects = node.initial.kind === 'list'
  return build.loop(node.offset, {
    variable: node.variable,
    accumulator: ACCUMULATOR,
    range: call(lowering, node.range, '@range', lowerNode(lowering, node.range, depth)),
    initial: collects ? call(lowering, node, '@list') : lowerNode(lowering, node.initial, depth),
    condition: lowerCondition(lowering, node, inner),
    step: collects ? lowerCollecting(lowering, node.step, inner) : lowerNode(lowering, node.step, inner),
    result: lowerNode(lowering, node.result, inner),
  })
}

/** Pays for the step, then asks whether to take it. */
function lowerCondition(lowering: Lowering, node: Comprehension, depth: number): EngineTree {
  const pay = call(lowering, node, '@step', lowering.build.constant(node.offset, weighStep(node, depth)))
  return node.condition.kind === 'constant' ? pay : call(lowering, node, '_&&_', pay, lowerNode(lowering, node.condition, depth))
}

/** The step of `map` or `filter`: `accumulator + [element]`, or that under a condition. */
function lowerCollecting(lowering: Lowering, step: Expression, depth: number): EngineTree {
  if (step.kind !== 'call') return lowerNode(lowering, step, depth)
  const [first, second, third] = step.args
  if (step.name === '_+_' && first !== undefined && second?.kind === 'list') {
    return call(lowering, step, '@append', ...lowerAll(lowering, [first, ...second.elements], depth))
  }
  if (first === undefined || second === undefined || third === undefined) return lowerNode(lowering, step, depth)
  return call(
    lowering,
    step,
    '_?_:_',
    lowerNode(lowering, first, depth),
    lowerCollecting(lowering, second, depth),
    lowerNode(lowering, third, depth),
  )
}
