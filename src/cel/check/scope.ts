import { ACCUMULATOR } from '../expression.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  newVariable,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOf,
  UINT,
} from './types.ts'

/** The names of the variables that an expression may use at its place; the order says nothing. */
export type VariableNames = readonly string[]

/** The types of the variables that an expression may use at its place. A name with dots, `variables.ring`, is one variable. */
export type VariableTypes = ReadonlyMap<string, Type>

/** The variables that an expression may use: by name, with the types that Porch and kpt declare, or with types of their own. */
export type Scope = VariableNames | VariableTypes

/** The types of the names in a scope, and the scope around it. */
export interface Names {
  readonly types: ReadonlyMap<string, Type>
  readonly outer: Names | undefined
}

// cel-spec, Values: the names of types are values of type `type`.
const TYPE_NAMES: ReadonlyMap<string, Type> = new Map([
  ['bool', typeOf(BOOL)],
  ['bytes', typeOf(BYTES)],
  ['double', typeOf(DOUBLE)],
  ['google.protobuf.Duration', typeOf(DURATION)],
  ['google.protobuf.Timestamp', typeOf(TIMESTAMP)],
  ['int', typeOf(INT)],
  ['list', typeOf(listOf(newVariable('A')))],
  ['map', typeOf(mapOf(newVariable('A'), newVariable('B')))],
  ['null_type', typeOf(NULL)],
  ['string', typeOf(STRING)],
  ['type', typeOf(TYPE)],
  ['uint', typeOf(UINT)],
])

const EXTENDED_TYPE_NAMES: ReadonlyMap<string, Type> = new Map([...TYPE_NAMES, ['optional_type', typeOf(optionalOf(newVariable('A')))]])

// Porch v1.5 render.go declares the two defaults as strings and everything else as dyn.
const STRINGS = new Set(['repoDefault', 'packageDefault'])

// kpt celenv.go declares the resources of a condition as list(dyn).
const LISTS = new Set(['resources'])

/** Returns the names an expression starts with at its place; `isExtended` adds the type of the extension libraries. */
export function namesInScope(scope: Scope, isExtended: boolean): Names {
  return namesOf('get' in scope ? scope : typesOfVariables(scope), isExtended)
}

/** Returns the types that Porch and kpt declare for variables. */
export function typesOfVariables(names: VariableNames): VariableTypes {
  return new Map(names.map((name) => [name, typeOfVariable(name)]))
}

function typeOfVariable(name: string): Type {
  if (STRINGS.has(name)) return STRING
  return LISTS.has(name) ? listOf(DYN) : DYN
}

/** Returns the names of types, and above them variables. */
export function namesOf(variables: ReadonlyMap<string, Type>, isExtended = false): Names {
  return { types: variables, outer: { types: isExtended ? EXTENDED_TYPE_NAMES : TYPE_NAMES, outer: undefined } }
}

/** Returns the names inside a comprehension. */
export function withName(outer: Names, name: string, type: Type): Names {
  return { types: new Map([[name, type]]), outer }
}

/** The declaration of a name. */
export interface Declared {
  /** Without a leading dot. */
  readonly name: string
  readonly type: Type
  /** True for the name of a type, false for a variable. */
  readonly isType: boolean
}

/** Returns the innermost declaration of a name; undefined when there is none. */
export function findName(names: Names, name: string): Declared | undefined {
  const bare = name.startsWith('.') ? name.slice(1) : name
  for (let level: Names | undefined = names; level !== undefined; level = level.outer) {
    const type = level.types.get(bare)
    if (type !== undefined) return { name: bare, type, isType: level.outer === undefined }
  }
  return undefined
}

/** Returns the variables that have a field of this name, by their types: `inputs` has `region`. */
export function variablesWith(names: Names, field: string): readonly string[] {
  return variableNames(names).filter((name) => findName(names, name)?.type.fields?.has(field))
}

/** Returns the variables that can be named here, the innermost first; names of types are none. */
export function variableNames(names: Names): readonly string[] {
  const found: string[] = []
  for (let level = names; level.outer !== undefined; level = level.outer) {
    found.push(...Array.from(level.types.keys()).filter((name) => name !== ACCUMULATOR))
  }
  return found
}
