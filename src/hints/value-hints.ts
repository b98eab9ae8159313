import type { Hint } from '../cel/advisor.ts'
import type { CheckedExpression } from '../cel/check/check.ts'
import { type Overload, overloadsOf } from '../cel/check/declarations.ts'
import { formatType, STRING, type Type } from '../cel/check/types.ts'
import { assignable, emptySubstitution } from '../cel/check/unify.ts'
import { type Call, childrenOf, type Expression } from '../cel/expression.ts'
import { type CelValue, kindOf } from '../cel/value.ts'
import { advice, defaultOfText, writtenAs } from './hint.ts'
import { OBJECTS } from './name-hints.ts'

const VISIBLE = 'expressions see name, namespace, labels and annotations of an object, and repo and package of a listed repository'

/** Returns the hints for an evaluation that failed at a node: a default for a missing key, `string(…)` for an operand that is no text. */
export function evaluationHints(tree: Expression, offset: number, { typeOf }: CheckedExpression): readonly Hint[] {
  const node = nodeAt(tree, offset)
  if (node?.kind === 'select' && !node.test) return [withDefault(node)]
  if (node?.kind !== 'call') return []
  if (node.name === '_[_]') return [indexHint(node, typeOf)]
  const advised = operandHint(node, typeOf)
  if (advised !== undefined) return [advised]
  if (node.name !== '_+_') return []
  const others = node.args.filter((arg) => TEXTS_OF.has(typeOf(arg).kind))
  return others.length === 0 ? [] : [stringAround(others)]
}

/** Returns the outermost node at an offset that is no comprehension: the expansion of a macro is skipped, its parts are searched. */
function nodeAt(tree: Expression, offset: number): Expression | undefined {
  if (tree.offset === offset && tree.kind !== 'comprehension') return tree
  for (const child of childrenOf(tree)) {
    const found = nodeAt(child, offset)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the hint for an index that is not there: a text has no key and no place, `target.name[0]`, and a list has an end. */
function indexHint(node: Call, typeOf: CheckedExpression['typeOf']): Hint {
  const [operand] = node.args
  if (operand !== undefined && typeOf(operand).kind === 'list')
    return advice(`the first element of a list is [0], and size(${writtenAs(operand)}) is the number of its elements`)
  const isName = operand?.kind === 'select' && ONE_TEXT.has(operand.field) && operand.operand.kind === 'identifier'
  return isName
    ? advice(`${writtenAs(operand)} is a text; a part of a text is asked for with startsWith(…), endsWith(…), contains(…) or matches(…)`)
    : withDefault(node)
}

const ONE_TEXT = new Set(['name', 'namespace'])
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ['int', "'^-?[0-9]+$'"],
  ['uint', "'^[0-9]+$'"],
  ['double', "'^-?[0-9]+([.][0-9]+)?$'"],
])

/** Returns the hint for operators that want a bool, and for a text that is no number. Labels are always texts. */
function operandHint(call: Call, typeOf: CheckedExpression['typeOf']): Hint | undefined {
  const [first, second] = call.args
  const written = writtenAs(first)
  const pattern = NUMBERS.get(call.name)
  if (pattern !== undefined && call.target === undefined) {
    return advice(`a label is a text, and may be no number: ${written}.matches(${pattern}) ? ${call.name}(${written}) : 0`)
  }
  if (call.name === '_||_' && first !== undefined && second !== undefined) {
    return defaultOfText(first, writtenAs(second)) ?? advice("|| joins tests: compare, as in target.name == 'a'")
  }
  if (call.name === '_&&_' || call.name === '!_' || call.name === '_?_:_') {
    const other = call.name === '_&&_' ? call.args.find((term) => typeOf(term).kind !== 'bool') : first
    return advice(
      `${call.name === '_?_:_' ? 'the choice with ? :' : call.name.replaceAll('_', '')} takes a test: compare, as in ${writtenAs(other ?? first)} == 'a'`,
    )
  }
  return undefined
}

/**
 * Returns the hint for a missing field of a target. A visible object has the same fields in all targets, so a default for a field that it
 * does not have would be used always, and the hint lists the visible fields instead.
 */
function withDefault(node: Expression): Hint {
  if (node.kind === 'select' && node.operand.kind === 'identifier' && OBJECTS.includes(node.operand.name)) return advice(VISIBLE)
  return defaultOfText(node) ?? advice(VISIBLE)
}

const IN_A_STRING: Readonly<Record<string, string>> = {
  list: 'of a list take one element: list[0]',
  map: "of a map take one value: map['key']",
  null_type: "a template needs a string: has(a.b) ? a.b : 'none'",
}

/** Returns the hints for a value that is no string. */
export function convertHints(tree: Expression, value: CelValue): readonly Hint[] {
  const kind = kindOf(value)
  const text = IN_A_STRING[kind]
  return kind === 'type' ? [] : [text === undefined ? stringAround([tree]) : advice(text)]
}

/** Types of which `string(…)` makes a text. */
const TEXTS_OF: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint'])
const CONVERTIBLE: ReadonlySet<string> = new Set([...TEXTS_OF, 'dyn'])

/**
 * Returns the hint for a call that no overload fits: `string(…)` around what keeps one from fitting, or the other way to write the call.
 */
export function overloadHint(call: Call, types: readonly Type[]): Hint | undefined {
  const overloads = overloadsOf(call.name) ?? []
  const operands = call.target === undefined ? call.args : [call.target, ...call.args]
  return otherForm(call, operands, types, overloads) ?? withString(call, operands, types, overloads)
}

/** Returns the hint for a call in the form of another one: `contains(a, b)` for `a.contains(b)`, and `a.string()` for `string(a)`. */
function otherForm(call: Call, operands: readonly Expression[], types: readonly Type[], overloads: readonly Overload[]): Hint | undefined {
  const isMethod = call.target !== undefined
  if (fits(overloads, isMethod, types) || !fits(overloads, !isMethod, types)) return undefined
  const [first, ...others] = operands.map(writtenAs)
  return advice(`write ${isMethod ? `${call.name}(${[first, ...others].join(', ')})` : `${first}.${call.name}(${others.join(', ')})`}`)
}

/** Returns the hint to convert one operand to a text if that is enough, else all operands that are no texts. */
function withString(call: Call, operands: readonly Expression[], types: readonly Type[], overloads: readonly Overload[]): Hint | undefined {
  const isMethod = call.target !== undefined
  const others = types.flatMap((type, i) => (CONVERTIBLE.has(type.kind) ? [i] : []))
  const choices = others.length === 0 ? [] : [...others.map((i) => [i]), others]
  const asTexts = (choice: readonly number[]) => types.map((type, i) => (choice.includes(i) ? STRING : type))
  const choice = choices.find((each) => fits(overloads, isMethod, asTexts(each)))
  return choice && stringAround(choice.flatMap((i) => operands[i] ?? []))
}

function fits(overloads: readonly Overload[], isMethod: boolean, types: readonly Type[]): boolean {
  return overloads.some(({ method, args }) => method === isMethod && assignable(emptySubstitution(), types, args))
}

/** Returns the hint `string(a)`, once for each node. */
function stringAround(nodes: readonly Expression[]): Hint {
  return advice(`as a text: ${nodes.map((node) => `string(${writtenAs(firstIndex(node) ?? node)})`).join(', ')}`)
}

/**
 * Returns the first index of an addition. `target.labels['a'] + target.name` has the type bytes for cel-go's checker: the index alone has
 * to become a text.
 */
function firstIndex(node: Expression): Expression | undefined {
  if (node.kind !== 'call') return undefined
  return node.name === '_[_]' ? node : node.name === '_+_' ? node.args.map(firstIndex).find((found) => found !== undefined) : undefined
}

/** Returns the hint for an element of a list, or a key or value of a map, whose type is not that of the first. */
export function mixedHint(node: Expression, found: Type, first: Expression, expected: Type): Hint | undefined {
  if (found.kind === 'dyn' && expected === STRING) return stringAround([node])
  if (expected.kind === 'dyn' && found === STRING) return stringAround([first])
  return advice(`a list or map holds one type: ${formatType(expected)} here, from its first`)
}

/** Values with which a value of a type may be compared, so that a condition becomes of it. */
const COMPARED: Readonly<Record<string, string>> = { string: "'…'", dyn: "'…', or == true", int: '1', double: '1.0' }

/** Returns the way to make a condition of an expression that gives a text, a number, or a value whose type is not known. */
export function comparedHints(tree: Expression, type: Type): readonly Hint[] {
  const [written, value] = [writtenAs(tree), COMPARED[type.kind]]
  return written === '…' || value === undefined ? [] : [advice(`compare it with a value, as in ${written} == ${value}`)]
}
