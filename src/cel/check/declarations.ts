import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  newVariable,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from './types.ts'

/** The types of one way to call a function. A method's target is its first argument. */
interface Signature {
  readonly method: boolean
  readonly args: readonly Type[]
  readonly result: Type
  /** The variables in it: `A`, `B`. */
  readonly variables: readonly Type[]
}

const VARIABLES = { A: newVariable('A'), B: newVariable('B') }

const SIMPLE = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  string: STRING,
  timestamp: TIMESTAMP,
  uint: UINT,
}

const TYPES: ReadonlyMap<string, Type> = new Map(
  Object.entries({
    ...VARIABLES,
    ...SIMPLE,
    ...Object.fromEntries(Object.entries(SIMPLE).map(([name, type]) => [`list(${name})`, listOf(type)])),
    'list(list(A))': listOf(listOf(VARIABLES.A)),
    'list(A)': listOf(VARIABLES.A),
    'list(optional(A))': listOf(optionalOf(VARIABLES.A)),
    'map(A, B)': mapOf(VARIABLES.A, VARIABLES.B),
    'optional(A)': optionalOf(VARIABLES.A),
    'optional(B)': optionalOf(VARIABLES.B),
    'optional(list(A))': optionalOf(listOf(VARIABLES.A)),
    'optional(map(A, B))': optionalOf(mapOf(VARIABLES.A, VARIABLES.B)),
    'type(A)': typeOf(VARIABLES.A),
  }),
)

/** One way to call a function. */
export interface Overload extends Signature {
  /** Compares numbers of two types. cel-go knows these overloads only from the first comprehension of an expression on. */
  readonly mixed: boolean
}

const ORDER = [
  '(bool, bool) -> bool',
  '(int, int) -> bool',
  '(int, double) -> bool',
  '(int, uint) -> bool',
  '(uint, uint) -> bool',
  '(uint, double) -> bool',
  '(uint, int) -> bool',
  '(double, double) -> bool',
  '(double, int) -> bool',
  '(double, uint) -> bool',
  '(string, string) -> bool',
  '(bytes, bytes) -> bool',
  '(timestamp, timestamp) -> bool',
  '(duration, duration) -> bool',
]
const CALENDAR = ['timestamp.() -> int', 'timestamp.(string) -> int']
const CLOCK = [...CALENDAR, 'duration.() -> int']

// cel-spec, List of Standard Definitions. The order is cel-go's: the first overload that fits decides the type of the result.
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  '_?_:_': ['(bool, A, A) -> A'],
  '_&&_': ['(bool, bool) -> bool'],
  '_||_': ['(bool, bool) -> bool'],
  '!_': ['(bool) -> bool'],
  '@not_strictly_false': ['(bool) -> bool'],
  '_==_': ['(A, A) -> bool'],
  '_!=_': ['(A, A) -> bool'],
  '_+_': [
    '(bytes, bytes) -> bytes',
    '(double, double) -> double',
    '(duration, duration) -> duration',
    '(duration, timestamp) -> timestamp',
    '(timestamp, duration) -> timestamp',
    '(int, int) -> int',
    '(list(A), list(A)) -> list(A)',
    '(string, string) -> string',
    '(uint, uint) -> uint',
  ],
  '_/_': ['(double, double) -> double', '(int, int) -> int', '(uint, uint) -> uint'],
  '_%_': ['(int, int) -> int', '(uint, uint) -> uint'],
  '_*_': ['(double, double) -> double', '(int, int) -> int', '(uint, uint) -> uint'],
  '-_': ['(double) -> double', '(int) -> int'],
  '_-_': [
    '(double, double) -> double',
    '(duration, duration) -> duration',
    '(int, int) -> int',
    '(timestamp, duration) -> timestamp',
    '(timestamp, timestamp) -> duration',
    '(uint, uint) -> uint',
  ],
  '_<_': ORDER,
  '_<=_': ORDER,
  '_>_': ORDER,
  '_>=_': ORDER,
  '_[_]': ['(list(A), int) -> A', '(map(A, B), A) -> B'],
  '@in': ['(A, list(A)) -> bool', '(A, map(A, B)) -> bool'],
  size: ['bytes', 'list(A)', 'map(A, B)', 'string'].flatMap((type) => [`(${type}) -> int`, `${type}.() -> int`]),
  type: ['(A) -> type(A)'],
  bool: ['(bool) -> bool', '(string) -> bool'],
  bytes: ['(bytes) -> bytes', '(string) -> bytes'],
  double: ['(double) -> double', '(int) -> double', '(string) -> double', '(uint) -> double'],
  duration: ['(duration) -> duration', '(int) -> duration', '(string) -> duration'],
  dyn: ['(A) -> dyn'],
  int: ['(int) -> int', '(double) -> int', '(duration) -> int', '(string) -> int', '(timestamp) -> int', '(uint) -> int'],
  string: ['string', 'bool', 'bytes', 'double', 'duration', 'int', 'timestamp', 'uint'].map((type) => `(${type}) -> string`),
  timestamp: ['(timestamp) -> timestamp', '(int) -> timestamp', '(string) -> timestamp'],
  uint: ['(uint) -> uint', '(double) -> uint', '(int) -> uint', '(string) -> uint'],
  contains: ['string.(string) -> bool'],
  endsWith: ['string.(string) -> bool'],
  startsWith: ['string.(string) -> bool'],
  matches: ['(string, string) -> bool', 'string.(string) -> bool'],
  getFullYear: CALENDAR,
  getMonth: CALENDAR,
  getDayOfYear: CALENDAR,
  getDayOfMonth: CALENDAR,
  getDate: CALENDAR,
  getDayOfWeek: CALENDAR,
  getHours: CLOCK,
  getMinutes: CLOCK,
  getSeconds: CLOCK,
  getMilliseconds: CLOCK,
}

/** The ways to call functions, by the name of the function. */
export type Overloads = ReadonlyMap<string, readonly Overload[]>

/** Returns the overloads of signatures, by the name of the function. */
export function declareAll(functions: Readonly<Record<string, readonly string[]>>): Overloads {
  return new Map(Object.entries(functions).map(([name, signatures]) => [name, signatures.map(declare)]))
}

const OVERLOADS = declareAll(FUNCTIONS)

function declare(text: string): Overload {
  const signature = parseSignature(text)
  const [first, second] = signature.args
  return { ...signature, mixed: ORDER.includes(text) && first !== second }
}

/** The functions that are called by their name; operators are none. */
export const FUNCTION_NAMES: readonly string[] = [...OVERLOADS.keys()].filter((name) => /^[a-z]/i.test(name))

/** Returns the overloads of a function of the standard library, undefined for every other name. A leading dot is allowed. */
export function overloadsOf(name: string): readonly Overload[] | undefined {
  return OVERLOADS.get(name.replace(/^\./, ''))
}

/**
 * Reads `target.(argument, argument) -> result`, the form in which messages name the types of a call.
 * Throws for a type that the standard library does not use.
 */
function parseSignature(text: string): Signature {
  const match = /^(?:(.+)\.)?\((.*)\) -> (.+)$/.exec(text)
  const [, target, list = '', result = ''] = match ?? []
  const names = [...(target === undefined ? [] : [target]), ...(list.match(/[a-zA-Z]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? [])]
  const args = names.map(typeNamed)
  const variables = Object.entries(VARIABLES).flatMap(([letter, variable]) =>
    [...names, result].some((name) => name.includes(letter)) ? [variable] : [],
  )
  return { method: target !== undefined, args, result: typeNamed(result), variables }
}

function typeNamed(name: string): Type {
  const type = TYPES.get(name)
  if (type === undefined) throw new Error(`no type of the standard library: ${name}`)
  return type
}
