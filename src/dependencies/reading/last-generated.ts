import type { FieldPath } from '../../field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, parseJson } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { LAST_GENERATED_ANNOTATION } from '../../well-known.ts'

/** `spec` as an object was last generated: absent where no annotation records it, unreadable where a person changed the annotation. */
export type LastGenerated = { readonly type: 'recorded'; readonly spec: JsonRecord } | { readonly type: 'absent' | 'unreadable' }

/** Reads the annotation of a generated object with its `spec` as it was generated: `{"spec": {…}}`. */
export function readLastGenerated({ annotations }: KrmObject): LastGenerated {
  const text = annotations.get(LAST_GENERATED_ANNOTATION)
  if (text === undefined) return { type: 'absent' }
  const spec = memberOf(parseJson(text), 'spec')
  return isRecord(spec) && !isDeeper(spec, DEEPEST) ? { type: 'recorded', spec } : { type: 'unreadable' }
}

// No `spec` is generated this deep: a person wrote the annotation, and printing it again could overflow the stack.
const DEEPEST = 50

function isDeeper(value: JsonValue, levels: number): boolean {
  const members = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return members.length > 0 && (levels === 0 || members.some((each) => isDeeper(each, levels - 1)))
}

/** Returns the text of the annotation for a generated `spec`. */
export function lastGenerated(spec: JsonRecord): string {
  return JSON.stringify({ spec })
}

/** A field that a person changed in a generated object; undefined for an absent value. */
export interface EditedField {
  readonly path: FieldPath
  readonly generated: JsonValue | undefined
  readonly current: JsonValue | undefined
}

/**
 * Returns the fields in which a value differs from the generated one, in the order of the generated fields. Maps are compared key by key,
 * lists item by item.
 *
 * Example: generated `{a: 1, b: [x]}`, now `{a: 2, b: [x, y]}`: `a` and `b[1]`.
 */
export function editedFields(generated: JsonValue | undefined, current: JsonValue | undefined, path: FieldPath): EditedField[] {
  if (isRecord(generated) && isRecord(current)) {
    const keys = [...new Set([...Object.keys(generated), ...Object.keys(current)])]
    return keys.flatMap((key) => editedFields(lookup(generated, key), lookup(current, key), [...path, key]))
  }
  if (Array.isArray(generated) && Array.isArray(current)) {
    const longer = generated.length > current.length ? generated : current
    return longer.flatMap((_, i) => editedFields(generated[i], current[i], [...path, i]))
  }
  return equalJson(generated, current) ? [] : [{ path, generated, current }]
}
