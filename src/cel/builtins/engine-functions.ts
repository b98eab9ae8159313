import { type CelFunc, CelScalar, type CelType, type CelValue, celFunc, isCelList } from '@bufbuild/cel'
import { spendStep } from '../budget.ts'
import { overloadsOf } from '../check/declarations.ts'
import type { Type } from '../check/types.ts'
import { has, index, isIn, rangeOf, sizeOf } from './access.ts'
import { BINARY_OPERATORS, negate, not } from './arithmetic.ts'
import { equal, ORDER_OPERATORS } from './comparison.ts'
import { appendTo, growingList } from './concatenation.ts'
import { CONVERSIONS } from './conversion.ts'
import { noOverload, noSignature } from './failure.ts'
import { isKind, type Kind, kindOf, typeValue } from './kind.ts'
import { mapOfPairs } from './map.ts'
import { matches, matchesConstant, TEXT_TESTS } from './text.ts'
import { TIME_FIELDS } from './time-fields.ts'

/** What a function does with its arguments, a method's target first. Throws Failure or LimitExceeded. */
export type Implementation = (...args: readonly CelValue[]) => CelValue
type Row = readonly [name: string, arity: number, implementation: Implementation]

/** Functions that cel-go binds to each overload, so that one chosen by the checker refuses arguments of another. */
const BOUND_TO_OVERLOADS: ReadonlyMap<string, Implementation> = new Map([
  ...[...CONVERSIONS].filter(([name]) => name !== 'dyn' && name !== 'type'),
  ...TIME_FIELDS,
])

/**
 * Every function that a lowered tree calls. None of the engine's own is used: cel-go differs in the words of errors, in formats
 * of numbers and times, in the order of strings, in map keys, and none of the engine's counts its work.
 */
const ROWS: readonly Row[] = [
  ['!_', 1, not],
  ['-_', 1, negate],
  ...[...BINARY_OPERATORS, ...ORDER_OPERATORS].map(([name, run]): Row => [name, 2, run]),
  ['_==_', 2, equal],
  ['_!=_', 2, (left, right) => !equal(left ?? null, right ?? null)],
  ['_[_]', 2, index],
  ['@in', 2, isIn],
  ['size', 1, sizeOf],
  ...[...TEXT_TESTS].map(([name, run]): Row => [name, 2, run]),
  ['matches', 2, matches],
  ...[...CONVERSIONS].map(([name, run]): Row => [name, 1, run]),
  ...[...TIME_FIELDS].flatMap(([name, run]): readonly Row[] => [
    [name, 1, run],
    [name, 2, run],
  ]),
  ...[...BOUND_TO_OVERLOADS].flatMap(([name, run]) => overloadRows(name, run)),
  // Not functions of CEL, but what some of its syntax is lowered to.
  ['@has', 2, has],
  ['@matches_constant', 2, matchesConstant],
  ['@map', 1, (pairs) => (isCelList(pairs) ? mapOfPairs(pairs) : noValue())],
  ['@range', 1, rangeOf],
  ['@list', 0, growingList],
  ['@append', 2, appendTo],
  ['@type', 1, (name) => (typeof name === 'string' && isKind(name) ? typeValue(name) : noValue())],
  ['@step', 1, (nodes) => (typeof nodes === 'number' ? step(nodes) : noValue())],
]

function noValue(): never {
  throw noOverload()
}

function step(nodes: number): true {
  spendStep(nodes)
  return true
}

function overloadRows(name: string, run: Implementation): readonly Row[] {
  return (overloadsOf(name) ?? []).map(({ id, args }): Row => [id, args.length, guarded(name, args.map(kindOfType), run)])
}

function guarded(name: string, kinds: readonly Kind[], run: Implementation): Implementation {
  return (...args) => {
    if (kinds.some((kind, i) => kind !== kindOf(args[i] ?? null))) throw noSignature(name, args)
    return run(...args)
  }
}

function kindOfType({ kind }: Type): Kind {
  const name = kind === 'timestamp' || kind === 'duration' ? `google.protobuf.${kind === 'timestamp' ? 'Timestamp' : 'Duration'}` : kind
  return isKind(name) ? name : 'null_type'
}

/** The functions under names that the engine's own do not have, for its environment. */
export function engineFunctions(): CelFunc[] {
  return ROWS.map(([name, arity, run]) => {
    const args: CelType[] = Array.from({ length: arity }, () => CelScalar.DYN)
    return celFunc(engineName(name), args, CelScalar.DYN, run)
  })
}

export function engineName(name: string): string {
  return `#${name}`
}

/** Whether there is an implementation for the overload alone. */
export function isBoundToOverloads(name: string): boolean {
  return BOUND_TO_OVERLOADS.has(name)
}
