import { childrenOf, type Expression, type List, type MapLiteral } from '../expression.ts'
import type { CompileFault } from '../faults.ts'
import { formatType, type Type } from './types.ts'

/**
 * Returns the faults of lists and maps that mix static types; `dyn` beside `string` is a mix too. Porch v1.5 render.go: the environment has
 * HomogeneousAggregateLiterals.
 */
export function homogeneityFaults(tree: Expression, typeOf: (node: Expression) => Type): readonly CompileFault[] {
  // The values of a format may be of any types: cel-go exempts the function, which only kpt's environment has.
  if (tree.kind === 'call' && tree.name === 'format') return []
  const own = tree.kind === 'list' ? listFaults(tree, typeOf) : tree.kind === 'map' ? mapFaults(tree, typeOf) : []
  return [...own, ...childrenOf(tree).flatMap((child) => homogeneityFaults(child, typeOf))]
}

/** Returns the first element that differs from the first element. */
function listFaults({ elements, optional }: List, typeOf: (node: Expression) => Type): readonly CompileFault[] {
  return differences(elements, (node) => valueType(typeOf(node), optional?.has(node) === true)).slice(0, 1)
}

/** Returns every key and value that differs from the first. */
function mapFaults({ entries }: MapLiteral, typeOf: (node: Expression) => Type): readonly CompileFault[] {
  const keys = entries.map(({ key }) => key)
  const values = entries.map(({ value }) => value)
  const optional = new Set(entries.flatMap(({ value, isOptional }) => (isOptional === true ? [value] : [])))
  return [...differences(keys, typeOf), ...differences(values, (node) => valueType(typeOf(node), optional.has(node)))]
}

/** Returns the type of a value; of an optional value the type that it has if it is there. */
function valueType(type: Type, isOptional: boolean): Type {
  return isOptional && type.kind === 'optional' ? (type.parameters[0] ?? type) : type
}

/** Returns a fault for each node whose type is not that of the first. */
function differences(nodes: readonly Expression[], typeOf: (node: Expression) => Type): readonly CompileFault[] {
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
