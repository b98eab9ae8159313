import { remember } from '../../remember.ts'
import { MAX_TYPE_SIZE } from '../budget.ts'
import { Faults } from '../faults.ts'
/** Types without parameters, under the names that messages use. `!error!` is the type of what did not check. */
export type SimpleName = 'bool' | 'bytes' | 'double' | 'duration' | 'dyn' | '!error!' | 'int' | 'null' | 'string' | 'timestamp' | 'uint'

/**
 * A static type. Equal types are the same object, so `===` compares them.
 * A variable is a type that unification finds.
 */
export interface Type {
  readonly kind: SimpleName | 'list' | 'map' | 'optional' | 'record' | 'type' | 'variable'
  /** list: element; map: key and value; optional: the value; type: the type it is the type of. */
  readonly parameters: readonly Type[]
  /** True if the type contains a type variable. */
  readonly open: boolean
  /** The number of nodes of the type, itself included. */
  readonly size: number
  /** The name of a type variable, or of a record, in messages. */
  readonly variable?: string
  /** The fields of a record, by name. At evaluation a record is a map. */
  readonly fields?: ReadonlyMap<string, Type>
  /** The type of the other fields of a record; undefined for a record without others. */
  readonly rest?: Type
}

function simple(kind: SimpleName): Type {
  return { kind, parameters: [], open: false, size: 1 }
}

export const BOOL = simple('bool')
export const BYTES = simple('bytes')
export const DOUBLE = simple('double')
export const DURATION = simple('duration')
export const DYN = simple('dyn')
export const ERROR = simple('!error!')
export const INT = simple('int')
export const NULL = simple('null')
export const STRING = simple('string')
export const TIMESTAMP = simple('timestamp')
export const UINT = simple('uint')
/** The type of all types, for which no parameter is known. */
export const TYPE: Type = { kind: 'type', parameters: [], open: false, size: 1 }

/** Returns a variable that is equal to no other. */
export function newVariable(name: string): Type {
  return { kind: 'variable', parameters: [], open: true, size: 1, variable: name }
}

/** Returns a map whose keys are known, each with a type of its own, as cel-go has objects. A record is equal to no other. */
export function recordOf(name: string, fields: Readonly<Record<string, Type>>): Type {
  return { kind: 'record', parameters: [], open: false, size: 1, variable: name, fields: new Map(Object.entries(fields)) }
}

/** Returns a record that may have other fields, which are dynamic. */
export function openRecordOf(name: string, fields: Readonly<Record<string, Type>>): Type {
  return { ...recordOf(name, fields), rest: DYN }
}

const lists = new WeakMap<Type, Type>()
const types = new WeakMap<Type, Type>()
const optionals = new WeakMap<Type, Type>()
const maps = new WeakMap<Type, WeakMap<Type, Type>>()

/** Returns a list of elements of a type. Throws Faults when it is too large. */
export function listOf(element: Type): Type {
  return remember(lists, element, () => construct('list', [element]))
}

/** Returns a map with keys and values of two types. Throws Faults when it is too large. */
export function mapOf(key: Type, value: Type): Type {
  return remember(
    remember(maps, key, () => new WeakMap<Type, Type>()),
    value,
    () => construct('map', [key, value]),
  )
}

/** Returns the type of a type, as `type(x)` has it. Throws Faults when it is too large. */
export function typeOf(type: Type): Type {
  return remember(types, type, () => construct('type', [type]))
}

export function optionalOf(value: Type): Type {
  return remember(optionals, value, () => construct('optional', [value]))
}

/** Throws Faults when the type is larger than MAX_TYPE_SIZE: cel-go would run on for ever. */
function construct(kind: 'list' | 'map' | 'optional' | 'type', parameters: readonly Type[]): Type {
  const size = parameters.reduce((sum, parameter) => sum + parameter.size, 1)
  if (size > MAX_TYPE_SIZE) throw new Faults([{ offset: undefined, message: `type size limit exceeded: ${MAX_TYPE_SIZE}` }])
  return { kind, parameters, open: parameters.some((parameter) => parameter.open), size }
}

/** Returns the same kind of type with other parameters. */
export function rebuild(type: Type, parameters: readonly Type[]): Type {
  const [first, second] = parameters
  if (first === undefined) return type
  if (type.kind === 'map' && second !== undefined) return mapOf(first, second)
  if (type.kind === 'optional') return optionalOf(first)
  return type.kind === 'list' ? listOf(first) : typeOf(first)
}

/** Returns a type as messages write it: `map(string, list(int))`. */
export function formatType(type: Type): string {
  if (type.parameters.length === 0) return type.variable ?? type.kind
  return `${type.kind === 'optional' ? 'optional_type' : type.kind}(${type.parameters.map(formatType).join(', ')})`
}
