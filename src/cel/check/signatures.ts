import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, mapOf, newVariable, STRING, TIMESTAMP, type Type, typeOf, UINT } from './types.ts'

/** The types of one way to call a function. A method's target is its first argument. */
export interface Signature {
  readonly method: boolean
  readonly args: readonly Type[]
  readonly result: Type
  /** The variables in it: `A`, `B`. */
  readonly variables: readonly Type[]
}

const VARIABLES = { A: newVariable('A'), B: newVariable('B') }
const TYPES: ReadonlyMap<string, Type> = new Map(
  Object.entries({
    ...VARIABLES,
    bool: BOOL,
    bytes: BYTES,
    double: DOUBLE,
    duration: DURATION,
    dyn: DYN,
    int: INT,
    string: STRING,
    timestamp: TIMESTAMP,
    uint: UINT,
    'list(A)': listOf(VARIABLES.A),
    'map(A, B)': mapOf(VARIABLES.A, VARIABLES.B),
    'type(A)': typeOf(VARIABLES.A),
  }),
)

/**
 * Reads `target.(argument, argument) -> result`, the form in which messages name the types of a call.
 * Throws for a type that the standard library does not use.
 */
export function parseSignature(text: string): Signature {
  const match = /^(?:(.+)\.)?\((.*)\) -> (.+)$/.exec(text)
  const [, target, list = '', result = ''] = match ?? []
  const names = [...(target === undefined ? [] : [target]), ...(list.match(/[a-zA-Z]+(?:\([^)]*\))?/g) ?? [])]
  const args = names.map(typeNamed)
  const variables = Object.entries(VARIABLES).flatMap(([letter, variable]) =>
    names.some((name) => name.includes(letter)) ? [variable] : [],
  )
  return { method: target !== undefined, args, result: typeNamed(result), variables }
}

function typeNamed(name: string): Type {
  const type = TYPES.get(name)
  if (type === undefined) throw new Error(`no type of the standard library: ${name}`)
  return type
}
