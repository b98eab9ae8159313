import type { FieldPath } from '../../../src/field-path.ts'
import { equalJson, isRecord, type JsonValue, memberOf } from '../../../src/json.ts'
import { meaningOf } from './meaning.ts'
import type { Texts, UpdateVector } from './vector.ts'

/** A value that the downstream had of its own, and that is not in the result. */
export interface LostEdit {
  readonly path: string
  readonly field: FieldPath
  readonly value: JsonValue
}

/** The edits that gave way to upstream's in an update by kpt, in files with one document. */
export function lostEdits({ original, updated, local }: UpdateVector['input'], expected: Texts): readonly LostEdit[] {
  return Object.keys(local).flatMap((path) => {
    const [before, upstream, own, after] = [original, updated, local, expected].map((files) => single(meaningOf(path, files[path])))
    return isRecord(own) && isRecord(after) ? lostIn({ before, upstream, after }, own, []).map((lost) => ({ path, ...lost })) : []
  })
}

function single(documents: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(documents) && documents.length === 1 ? documents[0] : undefined
}

interface Others {
  readonly before: JsonValue | undefined
  readonly upstream: JsonValue | undefined
  readonly after: JsonValue | undefined
}

function lostIn({ before, upstream, after }: Others, own: JsonValue, field: FieldPath): readonly Omit<LostEdit, 'path'>[] {
  if (equalJson(own, after) || equalJson(own, before)) return []
  if (!isRecord(own)) return equalJson(after, upstream) ? [{ field, value: own }] : []
  return Object.entries(own).flatMap(([key, value]) =>
    lostIn({ before: memberOf(before, key), upstream: memberOf(upstream, key), after: memberOf(after, key) }, value, [...field, key]),
  )
}
