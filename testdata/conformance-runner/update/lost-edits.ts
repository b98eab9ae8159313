import { equalJson, isRecord, type JsonValue, memberOf } from '../../../src/json.ts'
import { ORDER } from './keyed-view.ts'
import { meaningOf } from './meaning.ts'
import type { Texts, UpdateVector } from './vector.ts'

/** A value that the downstream had of its own, where the result has upstream's. */
export interface LostEdit {
  readonly path: string
  /** The map keys on the way; entries of lists by what they are called. */
  readonly field: readonly string[]
  readonly value: JsonValue
}

interface Sides {
  readonly original: JsonValue | undefined
  readonly updated: JsonValue | undefined
  readonly local: JsonValue | undefined
  readonly result: JsonValue | undefined
}

/** The edits that gave way to upstream's. */
export function lostEdits({ original, updated, local }: UpdateVector['input'], result: Texts): readonly LostEdit[] {
  return Object.keys(local).flatMap((path) => {
    const [o, u, l, r] = [original, updated, local, result].map((files) => meaningOf(path, files[path]))
    return isRecord(l) && isRecord(r) ? lostIn({ original: o, updated: u, local: l, result: r }, []).map((lost) => ({ path, ...lost })) : []
  })
}

function lostIn(sides: Sides, field: readonly string[]): readonly Omit<LostEdit, 'path'>[] {
  const { original, updated, local, result } = sides
  if (local === undefined || equalJson(local, result) || equalJson(local, original)) return []
  if (!isRecord(local)) return equalJson(result, updated) ? [{ field, value: local }] : []
  const keys = Object.keys(local).filter((key) => key !== ORDER)
  return keys.flatMap((key) => {
    const at = (side: JsonValue | undefined) => memberOf(side, key)
    return lostIn({ original: at(original), updated: at(updated), local: at(local), result: at(result) }, [...field, key])
  })
}
