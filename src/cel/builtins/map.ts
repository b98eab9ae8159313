import { spend, spendText } from '../budget.ts'
import { type CelValue, Duration, type MapValue, Timestamp, Uint } from '../value.ts'
import { EvaluationFailure } from './failure.ts'

/** Keys that are no strings may be searched for one by one. */
const KEYS_PER_UNIT = 8

/**
 * Returns the value of a key, undefined when the map does not have it. A number that is no key itself finds an int or a uint that equals it
 * (cel-spec, Maps; the order is cel-go's). A key that is a double is found by doubles only, NaN by nothing.
 */
export function findMapKey(map: MapValue, key: CelValue): CelValue | undefined {
  if (typeof key === 'string') {
    spendText(key.length)
    return map.get(key)
  }
  spend(map.size / KEYS_PER_UNIT)
  for (const candidate of Number.isNaN(key) ? [] : [key, ...equalIntegers(key)]) {
    const value = map.get(sameKey(map, candidate))
    if (value !== undefined) return value
  }
  return undefined
}

function equalIntegers(key: CelValue): readonly CelValue[] {
  if (key instanceof Uint) return [key.value]
  if (typeof key === 'bigint') return [new Uint(key)]
  if (typeof key !== 'number' || !Number.isInteger(key)) return []
  return [BigInt(key), new Uint(BigInt(key))]
}

/** Returns the key that the map has, if it has the same; else the key itself. */
function sameKey(map: MapValue, key: CelValue): CelValue {
  if (typeof key !== 'object' || map.has(key)) return key
  for (const other of map.keys()) if (isSame(key, other)) return other
  return key
}

/**
 * Returns true if two keys are equal in Go although they are different objects in JavaScript. In Go, a time with an offset equals no other
 * key.
 */
function isSame(key: CelValue, other: CelValue): boolean {
  if (key instanceof Uint) return other instanceof Uint && key.value === other.value
  if (key instanceof Duration) return other instanceof Duration && key.nanoseconds === other.nanoseconds
  if (!(key instanceof Timestamp && other instanceof Timestamp)) return false
  return key.nanoseconds === other.nanoseconds && key.offset === 0 && other.offset === 0
}

/** Returns a map of alternating keys and values. A repeated key replaces the value (cel-go; cel-spec leaves the case open). */
export function mapOfPairs(pairs: readonly CelValue[]): MapValue {
  const map = new Map<CelValue, CelValue>()
  for (let i = 0; i < pairs.length; i += 2) {
    const key = pairs[i] ?? null
    // Bytes are no key of a Go map; cel-go says so in these words, or panics.
    if (key instanceof Uint8Array) throw new EvaluationFailure('internal error: runtime error: hash of unhashable type types.Bytes')
    if (typeof key === 'object') spend(map.size / KEYS_PER_UNIT)
    map.set(sameKey(map, key), pairs[i + 1] ?? null)
  }
  return map
}
