import type { FieldPath } from '../../../src/field-path.ts'
import type { JsonValue } from '../../../src/json.ts'
import type { Result } from '../../../src/result.ts'
import { same } from './same.ts'

/** The results of a merge about one resource, or about one file. */
export interface Reports {
  /** Returns true if a warning names the field, or something that holds the field, and shows the values that the sides have there. */
  covers(field: FieldPath, values: { readonly d: JsonValue | undefined; readonly u: JsonValue | undefined }): boolean
  /** Returns true if a warning names the comment. */
  coversComment(text: string): boolean
}

/** The rules by which a merge says that one side's change is not in the result. */
const LOSSES = ['edit-lost', 'change-passed-over']

/**
 * Returns what the warnings say about a resource of a file: those about another resource, another file or another folder say nothing.
 *
 * @param about  kind and name of the resource; undefined for the whole file
 */
export function reportsOn(
  results: readonly Result[],
  path: string,
  about: { readonly kind: string; readonly name: string } | undefined,
): Reports {
  const own = results.filter(({ severity, file, resourceRef }) => {
    if (severity !== 'warning' || file === undefined || !isAbove(file.path, path)) return false
    if (about === undefined || resourceRef === undefined || file.path !== path) return true
    return resourceRef.kind === about.kind && resourceRef.name === about.name
  })
  const losses = own.filter(({ tags }) => LOSSES.includes(tags.rule))
  return {
    covers: (field, values) => losses.some((loss) => fieldCovers(loss.field, field, values)),
    coversComment: (text) => own.some(({ tags, message }) => tags.rule === 'comment-lost' && message.includes(text.slice(0, 40))),
  }
}

/** Returns true for the file itself and for the Kptfile or the name of a folder above the file. */
function isAbove(reported: string, path: string): boolean {
  const folder = reported.replace(/(^|\/)Kptfile$/, '')
  return reported === path || (folder !== '' && path.startsWith(`${folder}/`))
}

function fieldCovers(field: Result['field'], path: FieldPath, { d, u }: { d: JsonValue | undefined; u: JsonValue | undefined }): boolean {
  const reported = field?.path ?? []
  if (reported.length > path.length || !reported.every((step, at) => step === path[at])) return false
  if (reported.length < path.length) return true
  return field === undefined || (same(field.currentValue, d) && same(field.proposedValue, u))
}
