import type { Overload } from '../check/declarations.ts'
import type { Type } from '../check/types.ts'
import { isKind, type Kind, kindOf } from '../value.ts'
import { index, isIn, sizeOf } from './access.ts'
import { BINARY_OPERATORS, type Binary, negate, not, type Unary } from './arithmetic.ts'
import { equal, ORDER_OPERATORS } from './comparison.ts'
import { CONVERSIONS } from './conversion.ts'
import { Failure, noSignature } from './failure.ts'
import { matches, TEXT_TESTS } from './text.ts'
import { TIME_FIELDS } from './time-fields.ts'

/** Operators and functions of one argument; a method's target is its first. Lazy operators are none of them. */
const UNARY: ReadonlyMap<string, Unary> = new Map<string, Unary>([
  ['!_', not],
  ['-_', negate],
  ['size', sizeOf],
  ...CONVERSIONS,
  ...TIME_FIELDS,
])

/** Operators and functions of two arguments. */
const BINARY: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ...BINARY_OPERATORS,
  ...ORDER_OPERATORS,
  ['_==_', equal],
  ['_!=_', (left, right) => !equal(left, right)],
  ['_[_]', index],
  ['@in', isIn],
  ...TEXT_TESTS,
  ['matches', matches],
  ...TIME_FIELDS,
])

/**
 * The function of one argument.
 *
 * @param overload  the only one that fits, if there is only one
 */
export function unaryFunction(name: string, overload: Overload | undefined): Unary {
  const run = UNARY.get(name) ?? unbound(name)
  const [kind] = boundKinds(name, overload)
  if (kind === undefined) return run
  return (value) => {
    if (kindOf(value) !== kind) throw noSignature(name, [value])
    return run(value)
  }
}

/** The function of two arguments, as `unaryFunction`. */
export function binaryFunction(name: string, overload: Overload | undefined): Binary {
  const run = BINARY.get(name) ?? unbound(name)
  const [first, second] = boundKinds(name, overload)
  if (first === undefined) return run
  return (left, right) => {
    if (kindOf(left) !== first || kindOf(right) !== second) throw noSignature(name, [left, right])
    return run(left, right)
  }
}

/** What the checker does not know is not bound either; it fails when it is called. */
function unbound(name: string): () => never {
  return () => {
    throw new Failure(`unbound function: ${name}`)
  }
}

/** cel-go binds conversions and the methods of times to each overload: one that the checker chose refuses arguments of another. */
function boundKinds(name: string, overload: Overload | undefined): readonly Kind[] {
  const isBound = TIME_FIELDS.has(name) || (CONVERSIONS.has(name) && name !== 'dyn' && name !== 'type')
  return isBound && overload !== undefined ? overload.args.map(kindOfType) : []
}

function kindOfType({ kind }: Type): Kind {
  if (kind === 'timestamp') return 'google.protobuf.Timestamp'
  if (kind === 'duration') return 'google.protobuf.Duration'
  return isKind(kind) ? kind : 'null_type'
}
