import { spend } from '../budget.ts'
import { formatKey, optionalIndex, optionalMember } from '../builtins/access.ts'
import { EvaluationFailure, noSignature } from '../builtins/failure.ts'
import { findMapKey, mapOfPairs } from '../builtins/map.ts'
import type { List, MapLiteral } from '../expression.ts'
import { type CelValue, Duration, isCelList, isMap, type ListValue, OptionalValue, Timestamp, Uint } from '../value.ts'

type OptionalFunction = (...args: readonly CelValue[]) => CelValue

/** The functions of cel-go's optional values, but `or` and `orValue`, which do not evaluate their argument if there is a value. */
export const OPTIONAL_FUNCTIONS: ReadonlyMap<string, OptionalFunction> = new Map<string, OptionalFunction>([
  ['optional.of', (value = null) => new OptionalValue(value)],
  ['optional.ofNonZeroValue', (value = null) => new OptionalValue(isZero(value) ? undefined : value)],
  ['optional.none', () => new OptionalValue(undefined)],
  ['optional.unwrap', (list = null) => unwrapAll('optional.unwrap', list)],
  ['unwrapOpt', (list = null) => unwrapAll('unwrapOpt', list)],
  ['value', (optional = null) => dereference(optional)],
  ['hasValue', (optional = null) => optionalOf('hasValue', optional).value !== undefined],
  ['first', (list = null) => new OptionalValue(elementsOf('first', list)[0])],
  ['last', (list = null) => new OptionalValue(elementsOf('last', list).at(-1))],
  ['_?._', (container = null, field = null) => optionalMember(container, field)],
  ['_[?_]', (container = null, key = null) => optionalIndex(container, key)],
])

/** @throws EvaluationFailure  for a value that is not optional */
function optionalOf(name: string, value: CelValue): OptionalValue {
  if (!(value instanceof OptionalValue)) throw noSignature(name, [value])
  return value
}

function dereference(optional: CelValue): CelValue {
  const { value } = optionalOf('value', optional)
  if (value === undefined) throw new EvaluationFailure('optional.none() dereference')
  return value
}

function elementsOf(name: string, list: CelValue): ListValue {
  if (!isCelList(list)) throw noSignature(name, [list])
  return list
}

function unwrapAll(name: string, list: CelValue): ListValue {
  const elements = elementsOf(name, list)
  spend(elements.length)
  return elements.flatMap((each) => {
    if (!(each instanceof OptionalValue)) throw noSignature(name, [list])
    return each.value === undefined ? [] : [each.value]
  })
}

/** Seconds from 1970 back to the year 1, Go's zero time. */
const ZERO_TIME = -62_135_596_800n * 1_000_000_000n

function isZero(value: CelValue): boolean {
  if (value instanceof Uint) return value.value === 0n
  if (value instanceof Duration) return value.nanoseconds === 0n
  if (value instanceof Timestamp) return value.nanoseconds === ZERO_TIME
  if (isMap(value)) return value.size === 0
  if (isCelList(value) || value instanceof Uint8Array) return value.length === 0
  return value === null || value === false || value === 0n || value === 0 || value === ''
}

/** A map of a comprehension takes memory with each entry. */
const WORK_OF_ENTRY = 10

/**
 * Adds an entry, a key and a value, or all entries of a map to the map that a comprehension makes.
 *
 * @throws EvaluationFailure  for a key that the map has
 */
export function insertEntries(map: Map<CelValue, CelValue>, [first = null, second]: readonly CelValue[]): void {
  if (second === undefined && !isMap(first)) throw noSignature('cel.@mapInsert', [map, first])
  const entries: Iterable<readonly [CelValue, CelValue]> = second === undefined && isMap(first) ? first : [[first, second ?? null]]
  for (const [key, value] of entries) {
    spend(WORK_OF_ENTRY)
    if (findMapKey(map, key) !== undefined) throw new EvaluationFailure(`insert failed: key ${formatKey(key)} already exists`)
    map.set(key, value)
  }
}

/** Returns the maker of a list from its elements, of which optional ones without a value are left out. */
export function withoutMissing({ elements, optional }: List): (values: readonly CelValue[]) => CelValue {
  const isOptional = elements.map((element) => optional?.has(element) === true)
  return (values) => values.flatMap((value, at) => (isOptional[at] === true ? presentIn(value, 'list element') : [value]))
}

/** Returns the maker of a map from its keys and values, of which optional ones without a value are left out with their keys. */
export function mapWithoutMissing({ entries }: MapLiteral): (values: readonly CelValue[]) => CelValue {
  return (values) =>
    mapOfPairs(
      entries.flatMap(({ isOptional }, at) => {
        const [key = null, value = null] = values.slice(2 * at)
        const present = isOptional === true ? presentIn(value, `entry '${formatKey(key)}'`) : [value]
        return present.flatMap((each) => [key, each])
      }),
    )
}

function presentIn(value: CelValue, place: string): readonly CelValue[] {
  if (!(value instanceof OptionalValue)) throw new EvaluationFailure(`cannot initialize optional ${place} from non-optional value`)
  return value.value === undefined ? [] : [value.value]
}
