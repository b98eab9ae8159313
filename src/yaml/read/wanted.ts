/** The keys of a map that somebody wants to know, each with what is wanted below it; undefined: all of it. */
export type Wanted = ReadonlyMap<string, Wanted | undefined>

/** Some keys, whole. */
export function wantedKeys(keys: readonly string[]): Wanted {
  return new Map(keys.map((key) => [key, undefined]))
}

/** What is wanted when only the value at a path is, and of that `below`. */
function wantedAt([step, ...further]: readonly [string, ...string[]], below: Wanted): readonly [string, Wanted] {
  const [next, ...rest] = further
  return [step, next === undefined ? below : new Map([wantedAt([next, ...rest], below)])]
}

/** Some keys of the map at a path. */
interface SelectedKeys {
  readonly path: readonly [string, ...string[]]
  readonly keys: readonly string[]
}

/** Some keys of some maps: what is made once to be picked from many objects. */
export interface KeySelection {
  readonly parts: readonly SelectedKeys[]
  readonly wanted: Wanted
}

/** @param parts  below different root keys; none is the annotations, where those of the wire are */
export function selectionOf(...parts: readonly SelectedKeys[]): KeySelection {
  return { parts, wanted: new Map(parts.map(({ path, keys }) => wantedAt(path, wantedKeys(keys)))) }
}
