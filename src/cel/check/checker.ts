import type { Expression } from '../expression.ts'
import type { CompileFault, FaultCause } from '../faults.ts'
import type { Overload, Overloads } from './declarations.ts'
import type { Names } from './scope.ts'
import { ERROR, newVariable, type Type } from './types.ts'
import { assignable, emptySubstitution, type Substitution } from './unify.ts'

/** The state of the checker while it walks a tree. */
export interface Checker {
  names: Names
  /** True once numbers of two types may be ordered. cel-go forgets at the first comprehension that they may not. */
  mixedOrder: boolean
  /** The functions beside those of the standard library. */
  readonly extensions: Overloads
  variables: number
  readonly substitution: Substitution
  readonly types: Map<Expression, Type>
  readonly typeNames: Map<Expression, string>
  readonly overloads: Map<Expression, readonly Overload[]>
  readonly faults: CompileFault[]
}

export function startChecker(names: Names, extensions: Overloads): Checker {
  return {
    names,
    // An environment with extensions orders numbers of two types from the start (CrossTypeNumericComparisons).
    mixedOrder: extensions.size > 0,
    extensions,
    variables: 0,
    substitution: emptySubstitution(),
    types: new Map(),
    typeNames: new Map(),
    overloads: new Map(),
    faults: [],
  }
}

export function freshVariable(checker: Checker): Type {
  checker.variables += 1
  return newVariable(`_var${checker.variables - 1}`)
}

/** Returns the type of a node that was checked. */
export function typeOfNode(checker: Checker, node: Expression): Type {
  return checker.types.get(node) ?? ERROR
}

/** Returns true if a value of one type can be used where the other type is expected. Binds type variables. */
export function isAssignable(checker: Checker, value: Type, place: Type): boolean {
  return assignable(checker.substitution, [value], [place])
}

/** Reports a fault; the node's type is then the error type, which fits everywhere. */
export function fail(checker: Checker, node: Expression, message: string, cause?: FaultCause): Type {
  checker.faults.push({ offset: node.offset, message, ...(cause && { cause }) })
  return ERROR
}

export function undeclared(checker: Checker, node: Expression, name: string): Type {
  const { names } = checker
  const extensions = [...checker.extensions.keys()]
  return fail(checker, node, `undeclared reference to '${name}' (in container '')`, { kind: 'undeclared', node, names, extensions })
}
