import { spend, spendText } from '../budget.ts'
import { type MapValue, Uint, type Value } from '../value.ts'
import { Failure } from './failure.ts'

/** Keys that are no strings may be searched for one by one. */
const KEYS_PER_UNIT = 8

/**
 * The value of a key, undefined when the map does not have it. A number that is no key itself finds an int or a uint that equals it
 * (cel-spec, Maps; the order is cel-go's). A key that is a double is found by doubles only.
 */
export function findKey(map: MapValue, key: Value): Value | undefined {
  if (typeof key === 'string') {
    spendText(key.length)
    return map.get(key)
  }
  spend(map.size / KEYS_PER_UNIT)
  // JavaScript's maps find NaN, which equals nothing.
  return Number.isNaN(key) ? undefined : map.get(sameKey(map, key))
}

/** The key as the map has it, if it has it. */
function sameKey(map: MapValue, key: Value): Value {
  if (key instanceof Uint) return findUint(map, key.value) ?? key.value
  if (map.has(key)) return key
  if (typeof key === 'bigint') return findUint(map, key) ?? key
  return typeof key === 'number' && Number.isInteger(key) ? sameKey(map, BigInt(key)) : key
}

function findUint(map: MapValue, number: bigint): Uint | undefined {
  for (const key of map.keys()) if (key instanceof Uint && key.value === number) return key
  return undefined
}

/** A map of keys and values by turns. A key that comes again replaces the value (cel-go; cel-spec leaves it open). */
export function mapOfPairs(pairs: readonly Value[]): MapValue {
  const map = new Map<Value, Value>()
  const uints = new Map<bigint, Uint>()
  for (let i = 0; i < pairs.length; i += 2) map.set(uniqueKey(uints, pairs[i] ?? null), pairs[i + 1] ?? null)
  return map
}

/** Uints are objects, equal only to themselves: of equal ones the first is the key. */
function uniqueKey(uints: Map<bigint, Uint>, key: Value): Value {
  // Bytes are no key of a Go map; cel-go says so in these words, or panics.
  if (key instanceof Uint8Array) throw new Failure('internal error: runtime error: hash of unhashable type types.Bytes')
  if (!(key instanceof Uint)) return key
  const same = uints.get(key.value) ?? key
  uints.set(key.value, same)
  return same
}
