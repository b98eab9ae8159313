import type { JsonRecord } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import type { NewFieldValue, ObjectEdit } from './reading/writer.ts'

// New objects are written to this file, in the folder of the object that requires them.
const FILE = 'dependencies.yaml'

/** Adds, changes and removes objects of a list as the edits say, in their order. Changes the list. */
export function applyEdits(edits: readonly ObjectEdit[], list: ResourceList): void {
  for (const edit of edits) apply(edit, list)
}

function apply(edit: ObjectEdit, list: ResourceList): void {
  if (edit.type === 'remove') list.remove(edit.object)
  else if (edit.type === 'set') for (const field of edit.fields) setField(edit.object, field)
  else add(edit.object, edit.near, list)
}

function setField(object: KrmObject, { path, value }: NewFieldValue): void {
  if (value === undefined) object.delete(path)
  else object.set(path, value)
}

function add(object: JsonRecord, near: KrmObject | undefined, list: ResourceList): void {
  list.upsert(object, `${folderOf(near?.file?.path)}${FILE}`, near)
}

function folderOf(path = ''): string {
  return path.replace(/[^/]*$/, '')
}
