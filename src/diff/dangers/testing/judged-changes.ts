import type { JsonRecord } from '../../../json.ts'
import { fieldChanges } from '../../field-changes.ts'
import type { DangerousChange } from '../danger-rule.ts'
import { dangersOf } from '../dangers.ts'

/**
 * Returns an object of a kind, GROUP/VERSION KIND or VERSION KIND, with further fields. The name is `a` unless the metadata has another.
 */
export function judgedObject(kind: string, fields: JsonRecord = {}, metadata: JsonRecord = {}): JsonRecord {
  const [apiVersion = '', name = ''] = kind.split(' ')
  return { apiVersion, kind: name, metadata: { name: 'a', ...metadata }, ...fields }
}

/** Returns a change of one object into another one, beside other objects that do not change. */
export function judgedChange(before: JsonRecord, after: JsonRecord, ...beside: readonly JsonRecord[]): DangerousChange {
  const objects = () => ({ before: [before, ...beside], after: [after, ...beside] })
  return { op: 'change', before, after, fields: fieldChanges(before, after), objects }
}

/** Returns the deletion of an object, beside other objects that stay. */
export function deletionOf(before: JsonRecord, ...beside: readonly JsonRecord[]): DangerousChange {
  return { op: 'delete', before, fields: [], objects: () => ({ before: [before, ...beside], after: beside }) }
}

/** Returns the paths of a danger in a change; '' for the object as a whole. */
export function dangerPaths(rule: string, change: DangerousChange): readonly string[] {
  return dangersOf(change).flatMap((danger) => (danger.rule === rule ? [danger.path ?? ''] : []))
}
