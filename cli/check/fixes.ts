import { attempt } from '../../src/attempt.ts'
import { type FieldPath, isAtOrBelow } from '../../src/field-path.ts'
import { convertOlderSet } from '../../src/kinds/older-set.ts'
import { appliedObjects, placeInList } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { type FileRef, FunctionError, formatResourceRef, type Result } from '../../src/result.ts'
import { RULES } from '../../src/rules/all-rules.ts'

/** `safe`: what is proposed means what is read today, or what the field must mean; `unsafe`: it is the likeliest of several. */
export type Fix = 'safe' | 'unsafe'

/** Returns the safety of a finding's fix; undefined when only a person can fix the finding. */
export function fixOf({ field, file, proposedKey, tags }: Result): Fix | undefined {
  if ((field?.proposedValue ?? proposedKey) === undefined || file === undefined || field?.path.length === 0) return undefined
  return RULES.get(tags.rule)?.fix
}

/**
 * Writes the proposed values and keys of findings into their objects. Of two about one field, or one below the other, the first counts.
 *
 * @returns the findings that are fixed
 */
export function applyFixes(findings: readonly Result[], items: readonly KrmObject[]): readonly Result[] {
  const objects = new Map(items.map((object) => [placeKey(object), object]))
  const touched = new Map<KrmObject, FieldPath[]>()
  return findings.filter((finding) => {
    const object = objects.get(placeKey(finding))
    if (object === undefined || finding.field === undefined) return false
    const path = [...pathInList(object, finding), ...finding.field.path]
    const others = touched.get(object) ?? []
    const own = { ...finding, field: { ...finding.field, path } }
    if (others.some((other) => isAtOrBelow(path, other) || isAtOrBelow(other, path)) || !write(object, own)) return false
    touched.set(object, [...others, path])
    return true
  })
}

/** Returns the path of the entry of a List that a finding is about; an empty path if the finding is about the object itself. */
function pathInList(object: KrmObject, { resourceRef }: Result): FieldPath {
  const name = resourceRef && formatResourceRef(resourceRef)
  if (name === undefined || name === formatResourceRef(object.ref)) return []
  const entry = appliedObjects(object).find(({ ref }) => formatResourceRef(ref) === name)
  return (entry && placeInList(entry)?.path) ?? []
}

function placeKey({ file }: { readonly file?: FileRef | undefined }): string {
  return JSON.stringify([file?.path, file?.index])
}

/** Writes the proposed value or key. Returns false if the object does not allow that: an alias is in the way, or the key exists already. */
function write(object: KrmObject, { field, proposedKey, tags }: Result): boolean {
  if (field === undefined) return false
  if (tags.rule === 'older-api-version') return convertOlderSet(object)
  const draft = object.draft()
  const edit = (): boolean => {
    if (proposedKey === undefined) writeValue(draft, field)
    else if (!draft.renameKey(field.path, proposedKey)) return false
    draft.settle()
    return true
  }
  if (attempt(edit, FunctionError) !== true) return false
  object.takeText(draft.toText())
  return true
}

/** Writes the proposed value. A value with the same spelling that YAML reads as another type is spelled anew. */
function writeValue(object: KrmObject, { path, currentValue, proposedValue = null }: NonNullable<Result['field']>): void {
  if (currentValue === proposedValue) clear(object, path)
  object.set(path, proposedValue)
}

/** Empties a field and settles the object at once: setting a field to the value that it had would otherwise change nothing. */
function clear(object: KrmObject, path: FieldPath): void {
  object.set(path, '')
  object.settle()
}
