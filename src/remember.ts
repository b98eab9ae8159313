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

/** Returns a function that calls `make` on its first call and returns the same value on every call. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
