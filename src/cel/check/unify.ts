import { DYN, rebuild, STRING, type Type } from './types.ts'

/**
 * The bindings of type variables. The rules are cel-go's, with their consequences: a variable that met `string` and then `dyn` becomes
 * `dyn`, and the order of the comparisons matters.
 */
export interface Substitution {
  readonly bindings: Map<Type, Type>
  /** The former bindings, one entry for each change, to undo the changes of a failed comparison. */
  readonly undo: (readonly [variable: Type, before: Type | undefined])[]
}

export function emptySubstitution(): Substitution {
  return { bindings: new Map(), undo: [] }
}

/** Returns true if every value type fits its place. Type variables are bound only when all types fit. */
export function assignable(substitution: Substitution, values: readonly Type[], places: readonly Type[]): boolean {
  const mark = substitution.undo.length
  if (fitAll(substitution, values, places)) return true
  for (const [variable, before] of substitution.undo.splice(mark).reverse()) {
    if (before === undefined) substitution.bindings.delete(variable)
    else substitution.bindings.set(variable, before)
  }
  return false
}

function fitAll(substitution: Substitution, left: readonly Type[], right: readonly Type[]): boolean {
  return left.length === right.length && left.every((type, i) => fits(substitution, type, right[i] ?? DYN))
}

function fits(substitution: Substitution, left: Type, right: Type): boolean {
  if (left === right) return true
  if (right.kind === 'variable') {
    const answer = binds(substitution, left, right)
    if (answer !== 'unbound') return answer === 'yes'
  }
  if (left.kind === 'variable') return binds(substitution, right, left) === 'yes'
  if (isDynamic(left) || isDynamic(right)) return true
  if (left.kind === 'null') return isNullable(right)
  if (right.kind === 'null') return isNullable(left)
  if (left.kind === 'type') return right.kind === 'type'
  if (left.kind === 'record' && right.kind === 'map') return fitAll(substitution, MAP_OF_A_RECORD, right.parameters)
  if (left.kind === 'map' && right.kind === 'record') return fitAll(substitution, left.parameters, MAP_OF_A_RECORD)
  return left.kind === right.kind && left.kind !== 'record' && fitAll(substitution, left.parameters, right.parameters)
}

/** Key and value of a record as a map, which it is at evaluation: `'dns' in inputs.region.spec`. */
const MAP_OF_A_RECORD: readonly Type[] = [STRING, DYN]

/**
 * Returns 'yes' if a variable can have a type, and binds it; 'no' if its binding does not allow the type; 'unbound' if the variable has no
 * binding yet and the type contains the variable.
 */
function binds(substitution: Substitution, type: Type, variable: Type): 'yes' | 'no' | 'unbound' {
  const bound = substitution.bindings.get(variable)
  if (bound === undefined) {
    if (occurs(substitution, variable, type)) return 'unbound'
    bind(substitution, variable, type)
    return 'yes'
  }
  if (bound === type) return 'yes'
  if (!fits(substitution, type, bound)) return 'no'
  const general = mostGeneral(type, bound)
  if (!occurs(substitution, variable, general)) bind(substitution, variable, general)
  return 'yes'
}

function bind(substitution: Substitution, variable: Type, type: Type): void {
  substitution.undo.push([variable, substitution.bindings.get(variable)])
  substitution.bindings.set(variable, type)
}

function occurs(substitution: Substitution, variable: Type, type: Type): boolean {
  if (type === variable) return true
  if (!type.open) return false
  if (type.kind !== 'variable') return type.parameters.some((parameter) => occurs(substitution, variable, parameter))
  const bound = substitution.bindings.get(type)
  return bound !== undefined && occurs(substitution, variable, bound)
}

/** Returns the more general of two types that fit each other. */
export function mostGeneral(first: Type, second: Type): Type {
  return isNoMoreSpecific(first, second) ? first : second
}

function isNoMoreSpecific(first: Type, second: Type): boolean {
  if (first.kind === 'dyn' || first.kind === 'variable') return true
  if (second.kind === 'dyn' || second.kind === 'variable' || first.kind !== second.kind) return false
  if (first.kind === 'type') return true
  if (first.kind === 'record') return first === second
  return first.parameters.every((parameter, i) => isNoMoreSpecific(parameter, second.parameters[i] ?? DYN))
}

export function isDynamic(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === '!error!'
}

function isNullable(type: Type): boolean {
  return type.kind === 'duration' || type.kind === 'timestamp' || type.kind === 'record' || type.kind === 'optional'
}

/** Returns the type with every bound variable replaced; unbound ones stay. */
export function substitute(substitution: Substitution, type: Type): Type {
  return replaceVariables(substitution, type, (variable) => variable)
}

/** Returns the type when nothing more will be found out: unbound variables are dyn. */
export function finalType(substitution: Substitution, type: Type): Type {
  return replaceVariables(substitution, type, () => DYN)
}

function replaceVariables(substitution: Substitution, type: Type, unbound: (variable: Type) => Type): Type {
  if (!type.open) return type
  if (type.kind !== 'variable') {
    return rebuild(
      type,
      type.parameters.map((parameter) => replaceVariables(substitution, parameter, unbound)),
    )
  }
  const bound = substitution.bindings.get(type)
  return bound === undefined ? unbound(type) : replaceVariables(substitution, bound, unbound)
}
