import type { Expression } from '../expression.ts'
import { advice, type Hint } from './hint.ts'
import { writtenAs } from './written-as.ts'

/** Maps whose keys people choose: with a `-` or `/` in them they are no names of CEL. */
const MAPS = new Set(['labels', 'annotations'])

/** For the name behind the `-` or `/` of a key: `target.labels.app-name` is a subtraction, `target.labels['app-name']` the label. */
export function keyHint(node: Expression, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
  let top: Expression | undefined
  for (let parent = parents.get(node); parent !== undefined && isDivided(parent); parent = parents.get(parent)) top = parent
  const [map, key] = (top && split(top)) ?? []
  return map === undefined ? undefined : advice(`a key with - or / stands in brackets: ${map}['${key}']`)
}

function isDivided(node: Expression): boolean {
  return (node.kind === 'call' && (node.name === '_-_' || node.name === '_/_')) || node.kind === 'select'
}

/** The map, as written, and the key that the rest spells. */
function split(node: Expression): readonly [map: string, key: string] | undefined {
  if (node.kind === 'call' && (node.name === '_-_' || node.name === '_/_')) {
    const [left, right] = node.args
    const [map, key] = (left && split(left)) ?? []
    const rest = writtenAs(right)
    return map === undefined || rest === '…' ? undefined : [map, `${key}${node.name.charAt(1)}${rest}`]
  }
  if (node.kind !== 'select') return undefined
  const { operand, field } = node
  if (operand.kind === 'select' && MAPS.has(operand.field)) return [writtenAs(operand), field]
  const [map, key] = split(operand) ?? []
  return map === undefined ? undefined : [map, `${key}.${field}`]
}
