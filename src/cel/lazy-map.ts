import { compareText } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import type { CelValue } from './value.ts'
import { celValue } from './variables.ts'

/** Returns a value of JSON as a value of CEL, as `celValue` does. A map below is converted when an expression reads the map. */
export function lazyValue(value: JsonValue): CelValue {
  if (isRecord(value)) return lazyRecord(value, lazyValue)
  return Array.isArray(value) ? value.map(lazyValue) : celValue(value)
}

/** Returns a map of the fields of a record. `convert` makes the value of a field when an expression reads the field. */
export function lazyRecord(record: JsonRecord, convert: (value: JsonValue, key: string) => CelValue): LazyMap {
  const make = (key: string): CelValue | undefined => {
    const value = lookup(record, key)
    return value === undefined ? undefined : convert(value, key)
  }
  return new LazyMap(() => Object.keys(record).sort(compareText), make)
}

/**
 * A map whose values are made when an expression reads them first. An expression that does not read a field pays nothing for the field:
 * `package.name` does not read the files of the package.
 */
export class LazyMap extends Map<CelValue, CelValue> {
  readonly #keys: () => readonly string[]
  readonly #make: (key: string) => CelValue | undefined
  #isWhole = false

  /**
   * @param keys  returns the keys in the order in which expressions iterate over them
   * @param make  returns the value of a key; undefined for a key that the map does not have
   */
  constructor(keys: () => readonly string[], make: (key: string) => CelValue | undefined) {
    super()
    this.#keys = keys
    this.#make = make
  }

  override get(key: CelValue): CelValue | undefined {
    const known = super.get(key)
    if (known !== undefined || this.#isWhole || typeof key !== 'string') return known
    const value = this.#make(key)
    if (value !== undefined) super.set(key, value)
    return value
  }

  override has(key: CelValue): boolean {
    return this.get(key) !== undefined
  }

  override get size(): number {
    this.#makeAll()
    return super.size
  }

  override keys(): MapIterator<CelValue> {
    this.#makeAll()
    return super.keys()
  }

  override values(): MapIterator<CelValue> {
    this.#makeAll()
    return super.values()
  }

  override entries(): MapIterator<[CelValue, CelValue]> {
    this.#makeAll()
    return super.entries()
  }

  override [Symbol.iterator](): MapIterator<[CelValue, CelValue]> {
    return this.entries()
  }

  #makeAll(): void {
    if (this.#isWhole) return
    const values = this.#keys().map((key) => [key, this.get(key) ?? null] as const)
    this.#isWhole = true
    super.clear()
    for (const [key, value] of values) super.set(key, value)
  }
}
