import type { JsonValue } from '../json.ts'
import { openBudget } from './budget.ts'
import { ACCUMULATOR, childrenOf, type Expression } from './expression.ts'
import { Faults } from './faults.ts'
import { jsonOf } from './json-of.ts'
import { parse } from './parse/parse.ts'
import { type CelValue, isMap } from './value.ts'
import type { Variables } from './variables.ts'

/** A field that an expression reads of a variable, `target.labels.region`, and the value of the field. */
export interface Read {
  readonly path: readonly [string, ...string[]]
  /** Undefined if the field does not exist. */
  readonly value: JsonValue | undefined
}

/**
 * Returns the fields that a valid expression reads of its variables, each once, in the order of its text. A field whose name is computed
 * counts as a read of the whole object that the field belongs to.
 */
export function readsOf(expression: string, variables: Variables): readonly Read[] {
  openBudget()
  const paths = new Map(pathsIn(parse(expression), new Set()).map((path) => [JSON.stringify(path), path]))
  return [...paths.values()].flatMap((path) => {
    const value = variables.get(path[0])
    return value === undefined ? [] : [{ path, value: fieldValue(value, path.slice(1)) }]
  })
}

type Path = Read['path']

/**
 * Returns the ways from variables to the fields that a tree reads, with repetitions: `target.labels.region` is one way of three names.
 *
 * @param own  the names that loops around the node give to their entries
 */
export function pathsIn(node: Expression, own: ReadonlySet<string>): readonly Path[] {
  const path = pathOf(node)
  if (path !== undefined) return own.has(path[0]) ? [] : [path]
  if (node.kind === 'optionalMap') return [...pathsIn(node.target, own), ...pathsIn(node.body, new Set([...own, node.variable]))]
  if (node.kind !== 'comprehension') return childrenOf(node).flatMap((child) => pathsIn(child, own))
  const within = new Set([...own, ACCUMULATOR, node.variable, ...(node.second === undefined ? [] : [node.second])])
  const body = [node.initial, node.condition, node.step, node.result]
  return [...pathsIn(node.range, own), ...body.flatMap((child) => pathsIn(child, within))]
}

/** Returns the way from a variable to a field whose name is written; undefined for any other node. */
function pathOf(node: Expression): Path | undefined {
  if (node.kind === 'identifier') return [node.name]
  if (node.kind === 'select') return below(node.operand, node.field)
  if (node.kind !== 'call' || node.name !== '_[_]') return undefined
  const [operand, index] = node.args
  if (operand === undefined || index?.kind !== 'constant' || typeof index.value !== 'string') return undefined
  return below(operand, index.value)
}

/**
 * Returns the fields of a variable that must have a text for a condition to hold, by the field.
 * Example: `item.kind == 'Region' && item.spec.open` and `item` give `{kind: 'Region'}`.
 *
 * @param expression  any text; one that does not parse gives nothing
 */
export function requiredTexts(expression: string, variable: string): ReadonlyMap<string, string> {
  openBudget()
  try {
    return new Map(termsOf(parse(expression)).flatMap((term) => requiredText(term, variable)))
  } catch (error) {
    if (error instanceof Faults) return new Map()
    throw error
  }
}

/** Returns the terms of `&&`, of which each must hold. */
function termsOf(node: Expression): readonly Expression[] {
  return node.kind === 'call' && node.name === '_&&_' ? node.args.flatMap(termsOf) : [node]
}

function requiredText(term: Expression, variable: string): readonly (readonly [field: string, text: string])[] {
  if (term.kind !== 'call' || term.name !== '_==_') return []
  const [text] = term.args.flatMap((arg) => (arg.kind === 'constant' && typeof arg.value === 'string' ? [arg.value] : []))
  const [[root, field, ...deeper] = []] = term.args.flatMap((arg) => [pathOf(arg) ?? []].filter((path) => path.length > 0))
  return text === undefined || field === undefined || root !== variable || deeper.length > 0 ? [] : [[field, text]]
}

/** A comparison of a field with texts: `item.ring == 'canary'`, `item.kind in ['Service', 'Ingress']`. */
export interface TextComparison {
  /** The way from the variable to the field, without the variable. */
  readonly path: readonly string[]
  readonly texts: readonly string[]
}

/** Returns the comparisons of fields of a variable with written texts, in the order of the expression. */
export function comparisonsOf(expression: string, variable: string): readonly TextComparison[] {
  openBudget()
  try {
    return comparisonsIn(parse(expression), variable)
  } catch (error) {
    if (error instanceof Faults) return []
    throw error
  }
}

function comparisonsIn(node: Expression, variable: string): readonly TextComparison[] {
  const below = childrenOf(node).flatMap((child) => comparisonsIn(child, variable))
  if (node.kind !== 'call' || (node.name !== '_==_' && node.name !== '@in')) return below
  const sides = node.name === '@in' ? [node.args] : [node.args, node.args.toReversed()]
  const own = sides.flatMap(([field, written]) => {
    const [root, ...path] = (field && pathOf(field)) ?? []
    const texts = written === undefined ? [] : textsOf(written)
    return root !== variable || path.length === 0 || texts.length === 0 ? [] : [{ path, texts }]
  })
  return [...own, ...below]
}

/** Returns a text, or the texts of a list. */
function textsOf(node: Expression): readonly string[] {
  if (node.kind === 'list') return node.elements.flatMap(textsOf)
  return node.kind === 'constant' && typeof node.value === 'string' ? [node.value] : []
}

function below(operand: Expression, field: string): Path | undefined {
  const path = pathOf(operand)
  return path && [...path, field]
}

/** Returns the value below a value; undefined if there is none. */
export function fieldValue(value: CelValue, path: readonly string[]): JsonValue | undefined {
  const found = path.reduce<CelValue | undefined>((at, key) => (at !== undefined && isMap(at) ? at.get(key) : undefined), value)
  return found === undefined ? undefined : jsonOf(found)
}
