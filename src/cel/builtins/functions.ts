import type { Overload } from '../check/declarations.ts'
import type { Type } from '../check/types.ts'
import { LIST_FUNCTIONS } from '../extensions/list-functions.ts'
import { OPTIONAL_FUNCTIONS } from '../extensions/optional-functions.ts'
import { TEXT_FUNCTIONS } from '../extensions/text-functions.ts'
import { type CelValue, isKind, type Kind, kindOf } from '../value.ts'
import { index, isIn, sizeOfValue } from './access.ts'
import { BINARY_OPERATORS, negate, not } from './arithmetic.ts'
import { equal, ORDER_OPERATORS } from './comparison.ts'
import { CONVERSIONS } from './conversion.ts'
import { EvaluationFailure, noSignature } from './failure.ts'
import { matches, TEXT_TESTS } from './text.ts'
import { TIME_FIELDS } from './time.ts'
/** Computes a function from its arguments, a method's target first. Throws EvaluationFailure or LimitExceeded. */
export type Implementation = (...args: readonly CelValue[]) => CelValue

/** Every operator and function but the lazy operators. The checker admits those of extensions where they are declared. */
const FUNCTIONS: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['!_', not],
  ['-_', negate],
  ...BINARY_OPERATORS,
  ...ORDER_OPERATORS,
  ['_==_', equal],
  ['_!=_', (left: CelValue, right: CelValue) => !equal(left, right)],
  ['_[_]', index],
  ['@in', isIn],
  ['size', sizeOfValue],
  ...TEXT_TESTS,
  ['matches', matches],
  ...CONVERSIONS,
  ...TIME_FIELDS,
  ...TEXT_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...OPTIONAL_FUNCTIONS,
])

/**
 * Returns the function of this name.
 *
 * @param overload  the only one that fits, if there is only one
 */
export function functionOf(name: string, overload: Overload | undefined): Implementation {
  const run = FUNCTIONS.get(name)
  if (run === undefined) return () => unbound(name)
  const kinds = boundKinds(name, overload)
  if (kinds.length === 0) return run
  return (...args) => {
    if (kinds.some((kind, i) => kind !== kindOf(args[i] ?? null))) throw noSignature(name, args)
    return run(...args)
  }
}

/** Fails when it is called: a function that the checker does not know has no implementation. */
function unbound(name: string): never {
  throw new EvaluationFailure(`unbound function: ${name}`)
}

/**
 * Returns the kinds of arguments that a function is bound to; none for a function that takes every kind. cel-go binds conversions and the
 * methods of times to each overload: one that the checker chose refuses arguments of another.
 */
function boundKinds(name: string, overload: Overload | undefined): readonly Kind[] {
  const isBound = TIME_FIELDS.has(name) || (CONVERSIONS.has(name) && name !== 'dyn' && name !== 'type')
  return isBound && overload !== undefined ? overload.args.map(kindOfType) : []
}

function kindOfType({ kind }: Type): Kind {
  if (kind === 'timestamp') return 'google.protobuf.Timestamp'
  if (kind === 'duration') return 'google.protobuf.Duration'
  return isKind(kind) ? kind : 'null_type'
}
