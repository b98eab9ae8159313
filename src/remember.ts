/** A Map or WeakMap whose values are made once. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Returns the value that is kept for a key; makes it and keeps it if there is none. */
export function remember<Key, Value extends object | string | boolean>(kept: Kept<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const there = kept.get(key)
  if (there !== undefined) return there
  const value = make(key)
  kept.set(key, value)
  return value
}
