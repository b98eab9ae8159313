import type { Expression } from '../expression.ts'
import { advice, type Hint } from './hint.ts'
import { MAPS } from './name-hints.ts'
import { writtenAs } from './written-as.ts'

/** For the name behind the `-` or `/` of a key: `target.labels.app-name` is a subtraction, `target.labels['app-name']` the label. */
export function keyHint(node: Expression, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
  let top: Expression | undefined
  for (let parent = parents.get(node); parent !== undefined && isDivided(parent); parent = parents.get(parent)) top = parent
  const [map, key] = (top && split(top)) ?? []
  return map === undefined || !/[-/]/.test(key ?? '') || isRoot(top, node)
    ? undefined
    : advice(`a key with - or / stands in brackets: ${map}['${key}']`)
}

/** Returns the way to write `target.labels[cost-center]`, where a name in brackets is a key without its quotes. */
export function quotedKeyHint(node: Expression, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
  let key = node
  let parent = parents.get(key)
  for (; parent !== undefined && isDivided(parent); parent = parents.get(key)) key = parent
  if (parent?.kind !== 'call' || parent.name !== '_[_]' || parent.args[1] !== key) return undefined
  const [map] = parent.args
  const spelled = spell(key)
  if (spelled === undefined || !(map?.kind === 'select' && MAPS.has(map.field))) return undefined
  return advice(`a key is a text and needs quotes: ${writtenAs(map)}['${spelled}']`)
}

/** Returns the key that a subtraction, division or selection of names spells: `cost-center`, `app.kubernetes.io/name`. */
function spell(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name
  if (node.kind === 'select' && !node.test) return joined(spell(node.operand), '.', node.field)
  if (node.kind !== 'call' || !isDivided(node)) return undefined
  const [left, right] = node.args
  return joined(left && spell(left), node.name.charAt(1), right && spell(right))
}

function joined(left: string | undefined, sign: string, right: string | undefined): string | undefined {
  return left === undefined || right === undefined ? undefined : `${left}${sign}${right}`
}

/** Returns true for `cluster` of `cluster.labels.app-name`: the variable is unknown, and the key a mistake of its own. */
function isRoot(top: Expression | undefined, node: Expression): boolean {
  let left = top
  while (left?.kind === 'select' || left?.kind === 'call') left = left.kind === 'select' ? left.operand : left.args[0]
  return left === node
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
