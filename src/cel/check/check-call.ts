import type { Call } from '../expression.ts'
import { type Checker, fail, freshVariable, isAssignable, typeOfNode, undeclared } from './checker.ts'
import { type Overload, overloadsOf } from './declarations.ts'
import { BOOL, DYN, ERROR, formatType, type Type } from './types.ts'
import { assignable, emptySubstitution, finalType, substitute } from './unify.ts'

/** The type of a call whose target and arguments were checked. Notes which overloads fit. */
export function checkCall(checker: Checker, call: Call): Type {
  const overloads = overloadsOf(call.name)
  if (overloads === undefined) return undeclared(checker, call, call.name)
  if (call.name === '_&&_' || call.name === '_||_') return checkLogic(checker, call)
  const operands = call.target === undefined ? call.args : [call.target, ...call.args]
  const types = operands.map((operand) => typeOfNode(checker, operand))
  const method = call.target !== undefined
  const candidates = overloads.filter((overload) => overload.method === method && (checker.mixedOrder || !overload.mixed))
  return resolve(checker, call, candidates, types) ?? noOverload(checker, call, types)
}

/**
 * Returns the type of `&&` or `||`, and reports each term that is no bool. cel-go checks a balanced tree of pairs, of which only the
 * topmost gives the type: a wrong term counts there when it is directly below the top, which is never so with four terms or more.
 */
function checkLogic(checker: Checker, call: Call): Type {
  const { args: terms } = call
  const wrong = terms.filter((term) => !isAssignable(checker, typeOfNode(checker, term), BOOL))
  for (const term of wrong) {
    const found = typeOfNode(checker, term)
    fail(checker, term, `expected type 'bool' but found '${formatType(found)}'`, { kind: 'no test', call, term, found })
  }
  const topmost = terms.length === 2 ? terms : terms.slice(2, terms.length === 3 ? 3 : 2)
  return topmost.some((term) => wrong.includes(term)) ? ERROR : BOOL
}

/**
 * The type that the fitting overloads give: that of the first, or dyn when a later one differs. All of them bind variables,
 * so the question leaves traces: that is how `target.labels['env'] + target.name` becomes bytes in cel-go.
 */
function resolve(checker: Checker, call: Call, candidates: readonly Overload[], types: readonly Type[]): Type | undefined {
  let result: Type | undefined
  const fitting: Overload[] = []
  for (const overload of candidates) {
    const [given, ...wanted] = instantiate(checker, overload)
    if (!assignable(checker.substitution, types, wanted)) continue
    fitting.push(overload)
    const type = substitute(checker.substitution, given ?? DYN)
    if (result === undefined) result = type
    else if (result !== type) result = DYN
  }
  checker.overloads.set(call, fitting)
  return result
}

/** The overload's result and arguments with variables of their own. */
function instantiate(checker: Checker, overload: Overload): readonly Type[] {
  const fresh = emptySubstitution()
  for (const variable of overload.variables) fresh.bindings.set(variable, freshVariable(checker))
  return [overload.result, ...overload.args].map((type) => substitute(fresh, type))
}

function noOverload(checker: Checker, call: Call, types: readonly Type[]): Type {
  const finalTypes = types.map((type) => finalType(checker.substitution, type))
  const names = finalTypes.map(formatType)
  const target = call.target === undefined ? '' : `${names.shift()}.`
  const name = call.name.replace(/^\./, '')
  const message = `found no matching overload for '${name}' applied to '${target}(${names.join(', ')})'`
  return fail(checker, call, message, { kind: 'no overload', call, types: finalTypes })
}
