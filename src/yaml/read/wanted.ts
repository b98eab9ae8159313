import type { FieldPath } from '../../field-path.ts'

/** The keys of a map that somebody wants to know, each with what is wanted below it; undefined: all of it. */
export type Wanted = ReadonlyMap<string, Wanted | undefined>

/** Some keys, whole. */
export function wantedKeys(keys: readonly string[]): Wanted {
  return new Map(keys.map((key) => [key, undefined]))
}

/** What is wanted when only the value at a path is, and of that `below`; undefined when the path leads into a list first. */
function wantedAt(path: FieldPath, below?: Wanted): Wanted | undefined {
  const [step, ...further] = path
  if (step === undefined) return below
  return typeof step === 'string' ? new Map([[step, wantedAt(further, below)]]) : undefined
}

/** Some keys of the map at a path: what is made once to be picked from many objects. */
export interface Selection {
  readonly path: FieldPath
  readonly keys: readonly string[]
  readonly wanted: Wanted | undefined
}

/** @param path  no part of `metadata`, where the annotations of the wire are */
export function selectionOf(path: readonly [string, ...string[]], keys: readonly string[]): Selection {
  return { path, keys, wanted: wantedAt(path, wantedKeys(keys)) }
}
