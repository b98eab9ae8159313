import type { Hint } from '../cel/advisor.ts'
import { variableNames } from '../cel/check/scope.ts'
import { childrenOf, type Expression } from '../cel/expression.ts'
import type { CompileFault, FaultCause } from '../cel/faults.ts'
import { distinctItems } from '../group-by.ts'
import { advice, defaultOf, defaultOfText, writtenAs } from './hint.ts'
import { keyHint, quotedKeyHint, textHint, undeclaredHint } from './name-hints.ts'
import { mixedHint, overloadHint } from './value-hints.ts'

/** The expression and its faults. Without a tree the faults are the parser's. */
interface Found {
  readonly expression: string
  readonly tree: Expression | undefined
  readonly faults: readonly CompileFault[]
}

/** Returns the hints for findings of the compiler, each once. */
export function hintsOfFaults({ expression, tree, faults }: Found): readonly Hint[] {
  const causes = faults.flatMap(({ cause }) => cause ?? [])
  const bare = causes.find(({ kind }) => kind === 'undeclared')
  if (bare?.kind === 'undeclared' && isBareText(expression)) return [textHint(expression.trim(), variableNames(bare.names))]
  if (tree === undefined && isNameOrAddress(expression) && !causes.some(({ kind }) => kind === 'syntax')) {
    return [advice(`a text needs quotes: '${expression.trim()}'`)]
  }
  const parents = new Map<Expression, Expression>()
  if (tree !== undefined) noteParents(tree, parents)
  const hints = causes.filter((cause) => !followsFromCall(cause, parents)).flatMap((cause) => hintOf(cause, parents) ?? [])
  return distinctItems(hints)
}

/** Returns true for `us-east1` and `edge/app`: for CEL a subtraction or division, for people a text without its quotes. */
function isBareText(expression: string): boolean {
  return /^\s*[A-Za-z]\w*(?:[-/]\w[\w.]*)+\s*$/.test(expression) && !/^\s*(?:target|upstream|repository)\b/.test(expression)
}

/** Returns true for `in-cluster`, `10.0.0.1` and `https://host:6443`, which the grammar of CEL does not allow. */
function isNameOrAddress(expression: string): boolean {
  return /^\s*\w+(?:[-./:@]+\w+)+\/?\s*$/.test(expression)
}

function noteParents(node: Expression, parents: Map<Expression, Expression>): void {
  for (const child of childrenOf(node)) {
    parents.set(child, node)
    noteParents(child, parents)
  }
}

/** Returns true if a name is the variable of an unknown macro. An unknown macro declares no variable, so the macro alone is the mistake. */
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
      return keyHint(cause.node, parents) ?? quotedKeyHint(cause.node, parents) ?? undeclaredHint(cause, parents)
    case 'undefined field':
      return { kind: 'field', name: cause.field, record: cause.record, known: cause.known }
    case 'no test':
      return noTestHint(cause)
    case 'optional':
      return defaultOf(cause.operand, cause.field)
    case 'no overload':
      return overloadHint(cause.call, cause.types)
    case 'mixed':
      return mixedHint(cause.node, cause.found, cause.first, cause.expected)
  }
}

/** Returns the hint for `a || 'text'`, where other languages take the text when a is missing, and for any other term that is no test. */
function noTestHint({ call, term, found }: FaultCause & { readonly kind: 'no test' }): Hint {
  const [first] = call.args
  const value = found.kind === 'string' ? defaultOfText(first, writtenAs(term)) : undefined
  if (call.name === '_||_' && term !== first && value !== undefined) return value
  return advice(
    `${call.name.slice(1, -1)} joins tests: compare, as in ${found.kind === 'string' ? `target.name == ${writtenAs(term)}` : 'size(target.name) > 3'}`,
  )
}
