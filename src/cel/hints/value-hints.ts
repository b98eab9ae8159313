import type { CheckedExpression } from '../check/check.ts'
import { childrenOf, type Expression } from '../expression.ts'
import { type CelValue, kindOf } from '../value.ts'
import { stringAround, TEXTS_OF } from './call-hints.ts'
import { advice, type Hint } from './hint.ts'
import { OBJECTS } from './name-hints.ts'
import { writtenAs } from './written-as.ts'

const VISIBLE = 'expressions see name, namespace, labels and annotations of an object, and repo and package of a listed repository'

/** For an evaluation that failed at a node: a default for a key that is not there, `string(…)` for an operand that is no text. */
export function evaluationHints(tree: Expression, offset: number, { typeOf }: CheckedExpression): readonly Hint[] {
  const node = nodeAt(tree, offset)
  if (node?.kind === 'select' && !node.test) return [withDefault(node)]
  if (node?.kind !== 'call') return []
  if (node.name === '_[_]') return [withDefault(node)]
  if (node.name !== '_+_') return []
  const others = node.args.filter((arg) => TEXTS_OF.has(typeOf(arg).kind))
  return others.length === 0 ? [] : [stringAround(others)]
}

/** A macro has the place of what it stands for: the outermost node counts. */
function nodeAt(tree: Expression, offset: number): Expression | undefined {
  if (tree.offset === offset && tree.kind !== 'comprehension') return tree
  for (const child of childrenOf(tree)) {
    const found = nodeAt(child, offset)
    if (found !== undefined) return found
  }
  return undefined
}

/** What an object shows is the same for all of them, so a default for another field would always be what is used. */
function withDefault(node: Expression): Hint {
  if (node.kind === 'select' && node.operand.kind === 'identifier' && OBJECTS.includes(node.operand.name)) return advice(VISIBLE)
  const written = writtenAs(node)
  return advice(`where it may be missing: ${test(node, written)} ? ${written} : 'none'`)
}

function test(node: Expression, written: string): string {
  if (node.kind !== 'call') return `has(${written})`
  const [map, key] = node.args
  return `${writtenAs(key)} in ${writtenAs(map)}`
}

const IN_A_STRING: Readonly<Record<string, string>> = {
  list: 'of a list take one element: list[0]',
  map: "of a map take one value: map['key']",
  null_type: "a template needs a string: has(a.b) ? a.b : 'none'",
}

/** For a value that is no string. */
export function convertHints(tree: Expression, value: CelValue): readonly Hint[] {
  const kind = kindOf(value)
  const text = IN_A_STRING[kind]
  return kind === 'type' ? [] : [text === undefined ? stringAround([tree]) : advice(text)]
}
