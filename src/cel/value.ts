import { remember } from '../remember.ts'

const KINDS = [
  'bool',
  'bytes',
  'double',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'int',
  'list',
  'map',
  'null_type',
  'optional_type',
  'string',
  'type',
  'uint',
] as const

/** The runtime type of a value, under the name that cel-go gives it. */
export type Kind = (typeof KINDS)[number]

/** A value of CEL: ints are bigint, doubles number, bytes a Uint8Array. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | ListValue
  | MapValue
  | Uint
  | Timestamp
  | Duration
  | TypeValue
  | OptionalValue

export type ListValue = readonly CelValue[]

/** A map iterates in the order of its entries. Any value can be a key; `builtins/map.ts` knows which keys are the same. */
export type MapValue = ReadonlyMap<CelValue, CelValue>

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly kind = 'uint'
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** A point in time, with the UTC offset that it was written with: `string()` prints it. */
export class Timestamp {
  readonly kind = 'google.protobuf.Timestamp'
  /** Since 1970. */
  readonly nanoseconds: bigint
  /** Seconds east of UTC. */
  readonly offset: number

  constructor(nanoseconds: bigint, offset: number) {
    this.nanoseconds = nanoseconds
    this.offset = offset
  }
}

export class Duration {
  readonly kind = 'google.protobuf.Duration'
  readonly nanoseconds: bigint

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

/** A value that may be missing: `optional.of(x)`, `optional.none()`, `map.?key`. */
export class OptionalValue {
  readonly kind = 'optional_type'
  /** Undefined for `optional.none()`. */
  readonly value: CelValue | undefined

  constructor(value: CelValue | undefined) {
    this.value = value
  }
}

/** A type as a value: what `type(x)` and the names of types give. There is one for each kind. */
export class TypeValue {
  readonly kind = 'type'
  readonly name: Kind

  constructor(name: Kind) {
    this.name = name
  }
}

const TYPES = new Map<Kind, TypeValue>()

/** Returns the type with a name as a value of CEL, one object for each name. */
export function typeValue(kind: Kind): TypeValue {
  return remember(TYPES, kind, () => new TypeValue(kind))
}

/** Returns true for the name of a type of CEL. */
export function isKind(name: string): name is Kind {
  return KINDS.some((kind) => kind === name)
}

/** Returns true for a list of CEL. */
export function isCelList(value: CelValue): value is ListValue {
  return Array.isArray(value)
}

/** Returns true for a map of CEL. */
export function isMap(value: CelValue): value is MapValue {
  return value instanceof Map
}

/** Returns the name of the type of a value, as `type(value)` in CEL: `int`, `google.protobuf.Duration`. */
export function kindOf(value: CelValue): Kind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'bigint':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'number':
      return 'double'
    default:
      return kindOfObject(value)
  }
}

function kindOfObject(value: Exclude<CelValue, string | bigint | boolean | number>): Kind {
  if (value === null) return 'null_type'
  if (isMap(value)) return 'map'
  if (isCelList(value)) return 'list'
  return value instanceof Uint8Array ? 'bytes' : value.kind
}

/** Returns one byte string of several. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.length
  }
  return joined
}
