import { CelScalar, type CelType, type CelValue, isCelList, isCelMap, isCelUint, listType, mapType, objectType } from '@bufbuild/cel'
import { durationOf, timestampOf } from './time.ts'

/** The runtime type of a value, under the name that cel-go gives it. */
export type Kind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'google.protobuf.Duration'
  | 'google.protobuf.Timestamp'
  | 'int'
  | 'list'
  | 'map'
  | 'null_type'
  | 'string'
  | 'type'
  | 'uint'

const KINDS_BY_TYPEOF: Readonly<Record<string, Kind>> = { bigint: 'int', boolean: 'bool', number: 'double', string: 'string' }

export function kindOf(value: CelValue): Kind {
  return KINDS_BY_TYPEOF[typeof value] ?? kindOfObject(value)
}

function kindOfObject(value: CelValue): Kind {
  if (value === null) return 'null_type'
  if (isCelMap(value)) return 'map'
  if (isCelList(value)) return 'list'
  if (isCelUint(value)) return 'uint'
  if (value instanceof Uint8Array) return 'bytes'
  if (durationOf(value) !== undefined) return 'google.protobuf.Duration'
  return timestampOf(value) === undefined ? 'type' : 'google.protobuf.Timestamp'
}

const DYN = CelScalar.DYN
const TYPES: Readonly<Record<Kind, CelType>> = {
  bool: CelScalar.BOOL,
  bytes: CelScalar.BYTES,
  double: CelScalar.DOUBLE,
  'google.protobuf.Duration': objectType('google.protobuf.Duration'),
  'google.protobuf.Timestamp': objectType('google.protobuf.Timestamp'),
  int: CelScalar.INT,
  list: listType(DYN),
  map: mapType(DYN, DYN),
  null_type: CelScalar.NULL,
  string: CelScalar.STRING,
  type: CelScalar.TYPE,
  uint: CelScalar.UINT,
}

/** The type as a value, as `type(x)` and the names of types give it. */
export function typeValue(kind: Kind): CelType {
  return TYPES[kind]
}

export function isKind(name: string): name is Kind {
  return Object.hasOwn(TYPES, name)
}
