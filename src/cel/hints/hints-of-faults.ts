import { variableNames } from '../check/scope.ts'
import { childrenOf, type Expression } from '../expression.ts'
import type { CompileFault, FaultCause } from '../faults.ts'
import { mixedHint, overloadHint } from './call-hints.ts'
import { advice, type Hint } from './hint.ts'
import { textHint, undeclaredHint } from './name-hints.ts'
import { writtenAs } from './written-as.ts'

/** Maps whose keys people choose: with a `-` or `/` in them they are no names of CEL. */
const MAPS = new Set(['labels', 'annotations'])

/** What is looked at for hints. Without a tree, since there is none, the findings are of the parser. */
interface Found {
  readonly expression: string
  readonly tree: Expression | undefined
  readonly faults: readonly CompileFault[]
}

/** The hints for findings of the compiler, each once. */
export function hintsOfFaults({ expression, tree, faults }: Found): readonly Hint[] {
  const causes = faults.flatMap(({ cause }) => cause ?? [])
  const bare = causes.find(({ kind }) => kind === 'undeclared')
  if (bare?.kind === 'undeclared' && isBareText(expression)) return [textHint(expression.trim(), variableNames(bare.names))]
  const parents = new Map<Expression, Expression>()
  if (tree !== undefined) noteParents(tree, parents)
  const hints = causes.filter((cause) => !followsFromCall(cause, parents)).flatMap((cause) => hintOf(cause, parents) ?? [])
  return [...new Map(hints.map((hint) => [JSON.stringify(hint), hint])).values()]
}

/** `us-east1`, `edge/app`: for CEL a subtraction or division, for people a text without its quotes. */
function isBareText(expression: string): boolean {
  return /^\s*[A-Za-z]\w*(?:[-/]\w[\w.]*)+\s*$/.test(expression) && !/^\s*(?:target|upstream|repository)\b/.test(expression)
}

function noteParents(node: Expression, parents: Map<Expression, Expression>): void {
  for (const child of childrenOf(node)) {
    parents.set(child, node)
    noteParents(child, parents)
  }
}

/** Whether a name is the variable of an unknown macro, which declares nothing: the macro alone is the mistake. */
function followsFromCall(cause: FaultCause, parents: ReadonlyMap<Expression, Expression>): boolean {
  if (cause.kind !== 'undeclared' || cause.node.kind !== 'identifier') return false
  for (let node = parents.get(cause.node); node !== undefined; node = parents.get(node)) {
    const [first] = node.kind === 'call' && node.target !== undefined ? node.args : []
    if (first?.kind === 'identifier' && first.name === cause.node.name) return true
  }
  return false
}

function hintOf(cause: FaultCause, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
  switch (cause.kind) {
    case 'syntax':
      return advice(cause.advice)
    case 'undeclared':
      return keyHint(cause.node, parents) ?? undeclaredHint(cause.node, parents.get(cause.node), variableNames(cause.names))
    case 'no overload':
      return overloadHint(cause.call, cause.types)
    case 'mixed':
      return mixedHint(cause.node, cause.found, cause.first, cause.expected)
  }
}

/** For the name behind the `-` or `/` of a key: `target.labels.app-name` is a subtraction, `target.labels['app-name']` the label. */
function keyHint(node: Expression, parents: ReadonlyMap<Expression, Expression>): Hint | undefined {
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
