/** The keys of a map to read, each with the keys to read below it; undefined for the whole value. */
export type Wanted = ReadonlyMap<string, Wanted | undefined>

/** Returns a selection of whole values by key. */
export function wantedKeys(keys: readonly string[]): Wanted {
  return new Map(keys.map((key) => [key, undefined]))
}

/** Returns the selection of the value at a path, and in it of `below`. */
function wantedAt([step, ...further]: readonly [string, ...string[]], below: Wanted): readonly [string, Wanted] {
  const [next, ...rest] = further
  return [step, next === undefined ? below : new Map([wantedAt([next, ...rest], below)])]
}

/** Keys of the map at a path. */
interface SelectedKeys {
  readonly path: readonly [string, ...string[]]
  readonly keys: readonly string[]
}

/** Keys of several maps: made once, and read from many objects. */
export interface KeySelection {
  readonly parts: readonly SelectedKeys[]
  readonly wanted: Wanted
}

/**
 * Returns the selection of some keys of some maps.
 *
 * @param parts  paths with different root keys; none of the annotations, which contain those of the wire
 */
export function selectionOf(...parts: readonly SelectedKeys[]): KeySelection {
  return { parts, wanted: new Map(parts.map(({ path, keys }) => wantedAt(path, wantedKeys(keys)))) }
}
