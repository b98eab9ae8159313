import { ACCUMULATOR, type Comprehension, childrenOf, type Expression } from '../expression.ts'

/** What a node costs in one step of a loop, beside its parts. Lists and maps also take memory. */
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
/** Where errors meet, the engine makes a new one of them. The steps of `all` and `exists` have paid for theirs. */
const WEIGHT_OF_LOGIC = 20
/** A name is looked up from the innermost loop outwards. */
const WEIGHT_OF_LOOP = 0.25

/**
 * The work of one step of a comprehension, in nodes. Loops within it pay for their own steps.
 *
 * @param depth the number of loops around the step, its own included
 */
export function weighStep(node: Comprehension, depth: number): number {
  return weigh(node.condition, depth) + weigh(node.step, depth)
}

function weigh(node: Expression, depth: number): number {
  const own = isLogic(node) ? WEIGHT_OF_LOGIC : WEIGHTS[node.kind]
  if (node.kind === 'identifier') return own + depth * WEIGHT_OF_LOOP
  const parts = node.kind === 'comprehension' ? [node.range, node.result] : childrenOf(node)
  const entries = node.kind === 'map' ? node.entries.length * WEIGHT_OF_ENTRY : 0
  return parts.reduce((sum, part) => sum + weigh(part, depth), own + entries)
}

function isLogic(node: Expression): boolean {
  if (node.kind !== 'call' || (node.name !== '_&&_' && node.name !== '_||_')) return false
  const [first] = node.args
  return first?.kind !== 'identifier' || first.name !== ACCUMULATOR
}
