import { type Overload, overloadsOf } from '../check/declarations.ts'
import { formatType, STRING, type Type } from '../check/types.ts'
import { assignable, emptySubstitution } from '../check/unify.ts'
import type { Call, Expression } from '../expression.ts'
import { advice, type Hint } from './hint.ts'
import { writtenAs } from './written-as.ts'

/** Types of which `string(…)` makes a text. */
export const TEXTS_OF: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint'])
const CONVERTIBLE: ReadonlySet<string> = new Set([...TEXTS_OF, 'dyn'])

/** For a call that no overload fits: `string(…)` around what keeps one from fitting, or the other way to write the call. */
export function overloadHint(call: Call, types: readonly Type[]): Hint | undefined {
  const overloads = overloadsOf(call.name) ?? []
  const operands = call.target === undefined ? call.args : [call.target, ...call.args]
  return otherForm(call, operands, types, overloads) ?? withString(call, operands, types, overloads)
}

/** `contains(a, b)` for `a.contains(b)`, and `a.string()` for `string(a)`. */
function otherForm(call: Call, operands: readonly Expression[], types: readonly Type[], overloads: readonly Overload[]): Hint | undefined {
  const isMethod = call.target !== undefined
  if (fits(overloads, isMethod, types) || !fits(overloads, !isMethod, types)) return undefined
  const [first, ...others] = operands.map(writtenAs)
  return advice(`write ${isMethod ? `${call.name}(${[first, ...others].join(', ')})` : `${first}.${call.name}(${others.join(', ')})`}`)
}

/** One operand as a text if that is enough, else all that are none. */
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

/** `string(a)`, once for each. */
export function stringAround(nodes: readonly Expression[]): Hint {
  return advice(`as a text: ${nodes.map((node) => `string(${writtenAs(firstIndex(node) ?? node)})`).join(', ')}`)
}

/** `target.labels['a'] + target.name` has the type bytes for cel-go's checker: the index alone has to become a text. */
function firstIndex(node: Expression): Expression | undefined {
  if (node.kind !== 'call') return undefined
  return node.name === '_[_]' ? node : node.name === '_+_' ? node.args.map(firstIndex).find((found) => found !== undefined) : undefined
}

/** For an element of a list, or a key or value of a map, whose type is not that of the first. */
export function mixedHint(node: Expression, found: Type, first: Expression, expected: Type): Hint | undefined {
  if (found.kind === 'dyn' && expected === STRING) return stringAround([node])
  if (expected.kind === 'dyn' && found === STRING) return stringAround([first])
  return advice(`a list or map holds one type: ${formatType(expected)} here, from its first`)
}
