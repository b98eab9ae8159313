import { type Wanted, wantedKeys } from './wanted.ts'

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
  const wanted = new Map(parts.map(({ path, keys }) => wantedAt(path, wantedKeys(keys))))
  return { parts, wanted }
}

/** Returns the selection of the value at a path, and in it of `below`. */
function wantedAt([step, ...further]: readonly [string, ...string[]], below: Wanted): readonly [string, Wanted] {
  const [next, ...rest] = further
  return [step, next === undefined ? below : new Map([wantedAt([next, ...rest], below)])]
}
