/** The keys of a map to read, each with the keys to read below it; undefined for the whole value. */
export type Wanted = ReadonlyMap<string, Wanted | undefined>

/** Returns a selection of whole values by key. */
export function wantedKeys(keys: readonly string[]): Wanted {
  return new Map(keys.map((key) => [key, undefined]))
}
