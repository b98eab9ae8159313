import { childrenOf, type Expression, type List, type MapLiteral } from '../expression.ts'
import type { Fault } from '../faults.ts'
import { formatType, type Type } from './types.ts'

/**
 * The faults of lists and maps that mix static types; `dyn` beside `string` is a mix too.
 * Porch v1.5 render.go: the environment has HomogeneousAggregateLiterals.
 */
export function homogeneityFaults(tree: Expression, typeOf: (node: Expression) => Type): readonly Fault[] {
  const own = tree.kind === 'list' ? listFaults(tree, typeOf) : tree.kind === 'map' ? mapFaults(tree, typeOf) : []
  return [...own, ...childrenOf(tree).flatMap((child) => homogeneityFaults(child, typeOf))]
}

/** The first element that differs from the first element. */
function listFaults({ elements }: List, typeOf: (node: Expression) => Type): readonly Fault[] {
  return differences(elements, typeOf).slice(0, 1)
}

/** Every key and value that differs from the first. */
function mapFaults({ entries }: MapLiteral, typeOf: (node: Expression) => Type): readonly Fault[] {
  const keys = entries.map(({ key }) => key)
  const values = entries.map(({ value }) => value)
  return [...differences(keys, typeOf), ...differences(values, typeOf)]
}

function differences(nodes: readonly Expression[], typeOf: (node: Expression) => Type): readonly Fault[] {
  const [first] = nodes
  if (first === undefined) return []
  const expected = typeOf(first)
  return nodes
    .filter((node) => typeOf(node) !== expected)
    .map((node) => ({
      offset: node.offset,
      message: `expected type '${formatType(expected)}' but found '${formatType(typeOf(node))}'`,
      cause: { kind: 'mixed', node, found: typeOf(node), first, expected },
    }))
}
