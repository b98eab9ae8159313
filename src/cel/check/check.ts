import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expression,
  type Identifier,
  type List,
  type LiteralValue,
  type MapLiteral,
  type Message,
  type OptionalMap,
  type Select,
} from '../expression.ts'
import { type CompileFault, Faults } from '../faults.ts'
import { type Checker, fail, freshVariable, isAssignable, startChecker, typeOfNode, undeclared } from './checker.ts'
import { type Overload, type Overloads, overloadsOf } from './declarations.ts'
import { homogeneityFaults } from './homogeneity.ts'
import { findName, type Names, namesInScope, type Scope, withName } from './scope.ts'
import { BOOL, BYTES, DOUBLE, DYN, ERROR, formatType, INT, listOf, mapOf, NULL, optionalOf, STRING, type Type, UINT } from './types.ts'
import { assignable, emptySubstitution, finalType, isDynamic, mostGeneral, substitute } from './unify.ts'

/** The types and overloads that the checker found in a tree. */
export interface CheckedExpression {
  /** Returns the static type of a node, as cel-go's checker finds it. */
  readonly typeOf: (node: Expression) => Type
  /** Identifiers and selections that name a type: `int`, `google.protobuf.Timestamp`. */
  readonly typeNames: ReadonlyMap<Expression, string>
  /** The overloads that fit a call, in the order of their declaration. */
  readonly overloads: ReadonlyMap<Expression, readonly Overload[]>
}

/**
 * Checks the types of an expression as the environment of Porch does: those of CEL, and that no list or map literal mixes them.
 *
 * @param scope the variables known at the expression's place
 * @param extensions  functions beside those of the standard library
 * @throws Faults every fault of the tree
 */
export function check(tree: Expression, scope: Scope, extensions?: Overloads): CheckedExpression {
  const { faults, ...checked } = inferTypes(tree, namesInScope(scope, extensions !== undefined), extensions)
  if (faults.length > 0) throw new Faults(faults)
  const mixed = homogeneityFaults(tree, checked.typeOf)
  if (mixed.length > 0) throw new Faults(mixed)
  return checked
}

/** Finds the types of a tree, and what does not fit (cel-spec, Gradual Type Checking; unification and its order as in cel-go 0.26). */
export function inferTypes(
  tree: Expression,
  names: Names,
  extensions: Overloads = new Map(),
): CheckedExpression & { readonly faults: readonly CompileFault[] } {
  const checker = startChecker(names, extensions)
  visit(checker, tree)
  const typeOf = (node: Expression) => finalType(checker.substitution, typeOfNode(checker, node))
  return { typeOf, typeNames: checker.typeNames, overloads: checker.overloads, faults: checker.faults }
}

function visit(checker: Checker, node: Expression): Type {
  const type = checkNode(checker, node)
  checker.types.set(node, type)
  return type
}

function checkNode(checker: Checker, node: Expression): Type {
  switch (node.kind) {
    case 'constant':
      return typeOfLiteral(node.value)
    case 'identifier':
      return checkIdentifier(checker, node)
    case 'select':
      return checkSelect(checker, node)
    case 'call':
      for (const operand of node.args) visit(checker, operand)
      if (node.target !== undefined) visit(checker, node.target)
      return checkCall(checker, node)
    case 'list':
      return checkList(checker, node)
    case 'map':
      return checkMap(checker, node)
    case 'message':
      return checkMessage(checker, node)
    case 'comprehension':
      return checkComprehension(checker, node)
    case 'optionalMap':
      return checkOptionalMap(checker, node)
  }
}

function typeOfLiteral(value: LiteralValue): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL
    case 'bigint':
      return INT
    case 'number':
      return DOUBLE
    case 'string':
      return STRING
    default:
      if (value === null) return NULL
      return value instanceof Uint8Array ? BYTES : UINT
  }
}

function checkIdentifier(checker: Checker, node: Identifier): Type {
  return checkName(checker, node, node.name) ?? undeclared(checker, node, node.name)
}

function checkName(checker: Checker, node: Expression, name: string): Type | undefined {
  const declared = findName(checker.names, name)
  if (declared?.isType) checker.typeNames.set(node, declared.name)
  return declared?.type
}

function checkSelect(checker: Checker, node: Select): Type {
  const qualified = node.test ? undefined : checkName(checker, node, qualifiedName(node) ?? '')
  if (qualified !== undefined) return qualified
  const field = checkField(checker, node, visit(checker, node.operand), node.field)
  return node.test ? BOOL : field
}

/** Returns `a.b.c` for a node that is nothing but names; undefined for any other node. */
function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'identifier') return node.name
  if (node.kind !== 'select' || node.test) return undefined
  const operand = qualifiedName(node.operand)
  return operand === undefined ? undefined : `${operand}.${node.field}`
}

/** Returns the type of a field; a field of an optional value is optional too. */
function checkField(checker: Checker, node: Expression, operand: Type, field: string): Type {
  const type = substitute(checker.substitution, operand)
  const [value] = type.kind === 'optional' ? type.parameters : []
  const found = substitute(checker.substitution, checkPlainField(checker, node, value ?? type, field))
  return value === undefined ? found : optionalOf(found)
}

function checkPlainField(checker: Checker, node: Expression, operand: Type, field: string): Type {
  if (operand.kind === 'map') return operand.parameters[1] ?? DYN
  if (operand.fields !== undefined) return fieldOf(checker, node, operand, field)
  if (operand.kind === 'variable') isAssignable(checker, DYN, operand)
  else if (!isDynamic(operand)) fail(checker, node, `type '${formatType(operand)}' does not support field selection`)
  return DYN
}

/** Returns the type of a field of a record. A field that the record does not have is reported in the words of cel-go for objects. */
function fieldOf(checker: Checker, node: Expression, record: Type, field: string): Type {
  const type = record.fields?.get(field) ?? record.rest
  if (type !== undefined) return type
  const cause = { kind: 'undefined field', field, record: formatType(record), known: [...(record.fields?.keys() ?? [])] } as const
  return fail(checker, node, `undefined field '${field}'`, cause)
}

function checkMap(checker: Checker, node: MapLiteral): Type {
  let key: Type | undefined
  let value: Type | undefined
  for (const entry of node.entries) {
    key = join(checker, key, visit(checker, entry.key))
    value = join(checker, value, checkMember(checker, entry.value, entry.isOptional === true))
  }
  return mapOf(key ?? freshVariable(checker), value ?? freshVariable(checker))
}

function checkList(checker: Checker, node: List): Type {
  let element: Type | undefined
  for (const item of node.elements) element = join(checker, element, checkMember(checker, item, node.optional?.has(item) === true))
  return listOf(element ?? freshVariable(checker))
}

/** Returns the type of an element or entry; that of its value for an optional one. */
function checkMember(checker: Checker, node: Expression, isOptional: boolean): Type {
  const type = visit(checker, node)
  if (!isOptional) return type
  const [value] = type.kind === 'optional' ? type.parameters : []
  if (value !== undefined || isDynamic(type)) return value ?? type
  return fail(checker, node, `expected type '${formatType(optionalOf(type))}' but found '${formatType(type)}'`)
}

/** Returns the type of a place that holds values of both types: the more general one, or dyn when they have nothing in common. */
function join(checker: Checker, previous: Type | undefined, current: Type): Type {
  if (previous === undefined) return current
  return isAssignable(checker, previous, current) ? mostGeneral(previous, current) : DYN
}

/** Refuses a message: Porch's expressions give strings. cel-go would go on to check the fields of the message. */
function checkMessage(checker: Checker, node: Message): Type {
  const found = findName(checker.names, node.name)
  for (const value of node.values) visit(checker, value)
  if (/^\.?google\.protobuf\./.test(node.name)) return fail(checker, node, `protobuf messages are not supported: ${node.name}`)
  if (found === undefined) return undeclared(checker, node, node.name)
  const [instance] = found.type.parameters
  if (found.type.kind !== 'type') return fail(checker, node, `'${found.type.kind}' is not a type`)
  return fail(checker, node, `'${instance?.kind ?? 'type'}' is not a message type`)
}

function checkComprehension(checker: Checker, node: Comprehension): Type {
  const range = substitute(checker.substitution, visit(checker, node.range))
  const accumulator = visit(checker, node.initial)
  const outer = checker.names
  checker.names = withName(outer, ACCUMULATOR, accumulator)
  checker.mixedOrder = true
  checkLoop(checker, node, loopVariables(checker, node, range), accumulator)
  const result = visit(checker, node.result)
  checker.names = outer
  return substitute(checker.substitution, result)
}

function checkLoop(checker: Checker, node: Comprehension, [variable, second]: readonly [Type, Type], accumulator: Type): void {
  const outer = checker.names
  checker.names = withName(outer, node.variable, variable)
  if (node.second !== undefined) checker.names = withName(checker.names, node.second, second)
  expectType(checker, node.condition, visit(checker, node.condition), BOOL)
  expectType(checker, node.step, visit(checker, node.step), accumulator)
  checker.names = outer
}

function expectType(checker: Checker, node: Expression, found: Type, expected: Type): void {
  if (isAssignable(checker, expected, found)) return
  fail(checker, node, `expected type '${formatType(expected)}' but found '${formatType(found)}'`)
}

/** Returns the types of the loop's variables; the second is that of the values, if the loop has two. */
function loopVariables(checker: Checker, node: Comprehension, range: Type): readonly [Type, Type] {
  const element = rangeElement(checker, node.range, range)
  if (node.second === undefined) return [element, DYN]
  return range.kind === 'list' ? [INT, element] : [element, range.parameters[1] ?? DYN]
}

/** Returns the type of `optMap` and `optFlatMap`, for which the target must be optional. */
function checkOptionalMap(checker: Checker, node: OptionalMap): Type {
  const value = freshVariable(checker)
  const target = visit(checker, node.target)
  if (!isAssignable(checker, target, optionalOf(value))) {
    const message = `found no matching overload for 'hasValue' applied to '${formatType(finalType(checker.substitution, target))}.()'`
    return fail(checker, node, message)
  }
  const outer = checker.names
  checker.names = withName(outer, node.variable, substitute(checker.substitution, value))
  const body = visit(checker, node.body)
  checker.names = outer
  if (!node.isFlat) return optionalOf(substitute(checker.substitution, body))
  if (isDynamic(body)) return DYN
  const expected = optionalOf(freshVariable(checker))
  if (isAssignable(checker, body, expected)) return substitute(checker.substitution, expected)
  const types = ['bool', formatType(finalType(checker.substitution, body)), 'optional_type(dyn)']
  return fail(checker, node, `found no matching overload for '_?_:_' applied to '(${types.join(', ')})'`)
}

/** Returns the type of the loop's variable: elements of a list, keys of a map. */
function rangeElement(checker: Checker, node: Expression, range: Type): Type {
  const [element] = range.parameters
  if ((range.kind === 'list' || range.kind === 'map') && element !== undefined) return element
  if (range.kind === 'record') return STRING
  if (!isDynamic(range) && range.kind !== 'variable') {
    const reason = 'cannot be range of a comprehension (must be list, map, or dynamic)'
    return fail(checker, node, `expression of type '${formatType(range)}' ${reason}`)
  }
  isAssignable(checker, DYN, range)
  return DYN
}

/** Returns the type of a call whose target and arguments were checked. Notes which overloads fit. */
function checkCall(checker: Checker, call: Call): Type {
  if (call.name === '_?._') return checkOptionalField(checker, call)
  const overloads = [...(overloadsOf(call.name) ?? []), ...(checker.extensions.get(call.name) ?? [])]
  if (overloads.length === 0) return undeclared(checker, call, call.name)
  if (call.name === '_&&_' || call.name === '_||_') return checkLogic(checker, call)
  const operands = call.target === undefined ? call.args : [call.target, ...call.args]
  const types = operands.map((operand) => typeOfNode(checker, operand))
  const method = call.target !== undefined
  const candidates = overloads.filter((overload) => overload.method === method && (checker.mixedOrder || !overload.mixed))
  const type = resolve(checker, call, candidates, types) ?? noOverload(checker, call, types)
  return call.name === '_[_]' ? (indexedField(checker, call) ?? type) : type
}

/** Returns the type of `operand.?field`. */
function checkOptionalField(checker: Checker, call: Call): Type {
  const [operand, field] = call.args
  if (operand === undefined || field?.kind !== 'constant') throw new Error('the parser makes every optional selection')
  const type = checkField(checker, call, typeOfNode(checker, operand), String(field.value))
  return type.kind === 'optional' ? type : optionalOf(type)
}

/** Returns the type of `record['field']`, which is the only way to a field whose name has a dash; undefined for any other index. */
function indexedField(checker: Checker, call: Call): Type | undefined {
  const [operand, key] = call.args
  const record = operand && substitute(checker.substitution, typeOfNode(checker, operand))
  if (record?.fields === undefined || key?.kind !== 'constant' || typeof key.value !== 'string') return undefined
  return fieldOf(checker, call, record, key.value)
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
 * Returns the type that the fitting overloads give: that of the first, or dyn when a later one differs. All of them bind variables, so the
 * question leaves traces: that is how `target.labels['env'] + target.name` becomes bytes in cel-go.
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

/** Returns the overload's result and arguments with variables of their own. */
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
