import { type CelInput, type CelList, type CelMap, type CelUint, type CelValue, celMap, isCelUint } from '@bufbuild/cel'
import { spend, spendText } from '../budget.ts'
import { Failure } from './failure.ts'

/** Keys that are no strings may be searched for one by one. */
const KEYS_PER_UNIT = 8

/**
 * The value of a key, undefined when the map does not have it.
 * Integers, unsigned integers and whole doubles find each other (cel-spec, Maps); a key that is a double is found by doubles only.
 */
export function findKey(map: CelMap, key: CelValue): CelValue | undefined {
  if (typeof key === 'string') {
    spendText(key.length)
    return map.get(key)
  }
  spend(map.size / KEYS_PER_UNIT)
  if (typeof key === 'bigint' || typeof key === 'boolean' || isCelUint(key)) return map.get(key)
  const same = findSame(map, key)
  return same === undefined && typeof key === 'number' ? map.get(key) : same
}

/** For kinds of keys that the engine does not look up. */
function findSame(map: CelMap, key: CelValue): CelValue | undefined {
  for (const [candidate, value] of map) {
    const other: CelValue = candidate
    if (other === key) return value
  }
  return undefined
}

/** A map literal: keys and values by turns. A key that comes again replaces the value (cel-go; cel-spec leaves it open). */
export function mapOfPairs(pairs: CelList): CelMap {
  const entries = new Map<CelValue, CelValue>()
  const uints = new Map<bigint, CelUint>()
  for (let i = 0; i < pairs.size; i += 2) {
    const key = pairs.get(i) ?? null
    if (key instanceof Uint8Array) throw unhashable()
    entries.set(isCelUint(key) ? sameUint(uints, key) : key, pairs.get(i + 1) ?? null)
  }
  return engineMap(entries)
}

/** The unsigned key that is already there, if one is: the engine's are objects, equal only to themselves. */
function sameUint(known: Map<bigint, CelUint>, key: CelUint): CelUint {
  const same = known.get(key.value) ?? key
  known.set(key.value, same)
  return same
}

// The engine's types allow only keys that it looks up itself; it stores and iterates any, and `findKey` looks up the others.
function engineMap(entries: ReadonlyMap<CelValue, CelValue>): CelMap {
  return celMap(entries as ReadonlyMap<string, CelInput>)
}

/** Bytes are no key of a Go map; cel-go says so in these words, or panics. */
function unhashable(): Failure {
  return new Failure('internal error: runtime error: hash of unhashable type types.Bytes')
}
