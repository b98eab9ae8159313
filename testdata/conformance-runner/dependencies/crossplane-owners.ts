import { establish, release } from '../../../src/dependencies/crossplane/ownership.ts'
import type { ObjectOwner, OwnerReference } from '../../../src/dependencies/reading/object-metadata.ts'
import { isRecord, type JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { differ, record, records, text } from './vectors.ts'

/** The owners of one object after a revision came or turned Inactive. */
export function judgeEstablish(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const before = Array.isArray(vector.before) ? records(vector, 'before').map(ownerReference) : null
  const revision = owner(record(vector, 'revision'))
  const rules = { uidsMayDiffer: false }
  if (text(vector, 'op') === 'release') {
    const after = before && release(before, revision, rules)
    return [
      ...differ('after', after?.map(shown) ?? null, expected.after),
      ...(expected.update === undefined ? [] : differ('update', after !== before, expected.update)),
    ]
  }
  const parent = isRecord(vector.package) ? owner(vector.package) : undefined
  const object = text(vector, 'object') || 'object'
  const made = establish(object, before, { revision, package: parent, control: vector.control === true, ...rules })
  if (expected.error !== undefined) return differ('error', 'error' in made ? made.error : undefined, expected.error)
  return differ('after', 'owners' in made ? (made.owners?.map(shown) ?? null) : made, expected.after)
}

function owner(each: JsonRecord): ObjectOwner {
  return { apiVersion: 'pkg.crossplane.io/v1', kind: text(each, 'kind'), name: text(each, 'name'), uid: text(each, 'uid') }
}

function ownerReference(each: JsonRecord): OwnerReference {
  return { ...owner(each), controller: each.controller === true }
}

function shown({ kind, name, uid, controller }: OwnerReference): JsonRecord {
  return { kind, name, uid, controller }
}
