import { type Comprehension, childrenOf, type Expression } from '../expression.ts'

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
export function weighStep(node: Comprehension): number {
  return weigh(node.condition) + weigh(node.step)
}

/** The work of a node outside of loops, or in one step of the loops around it. */
export function weigh(node: Expression): number {
  const parts = node.kind === 'comprehension' ? [node.range, node.result] : childrenOf(node)
  const entries = node.kind === 'map' ? node.entries.length * WEIGHT_OF_ENTRY : 0
  return parts.reduce((sum, part) => sum + weigh(part), WEIGHTS[node.kind] + entries)
}
