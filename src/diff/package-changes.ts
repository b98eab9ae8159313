import type { JsonRecord } from '../json.ts'
import type { PackageFiles } from '../merge/package-files.ts'
import { withoutSecretValues } from '../secret-values.ts'
import { dangersOf } from './dangers/dangers.ts'
import { operationOf } from './diff-fleets.ts'
import { fieldChanges } from './field-changes.ts'
import { comparedContent, nameOfObject, type ObjectPair, PackageComparison } from './package-objects.ts'
import type { ChangedField, ChangedObject, Danger, ObjectOperation } from './report.ts'

/** The change of one object between two revisions of a package. Values of Secrets are hidden. */
export interface RevisionChange {
  readonly op: ObjectOperation
  readonly objects: readonly [ChangedObject]
  readonly fields: readonly ChangedField[]
  readonly dangers: readonly Danger[]
}

/** Compares two revisions of a package, the dangerous changes first. */
export function revisionChanges(before: PackageFiles, after: PackageFiles): readonly RevisionChange[] {
  const { pairs } = new PackageComparison({ withComments: false }).compare(before, after)
  return pairs.map(changeOf).toSorted((a, b) => Math.sign(b.dangers.length) - Math.sign(a.dangers.length))
}

function changeOf(pair: ObjectPair): RevisionChange {
  const { before, after } = pair
  const [was, is] = [before && comparedContent(before), after && comparedContent(after)]
  const op = operationOf(pair)
  const dangers = dangersOf({ op, fields: fieldsOf(was, is), ...(was && { before: was }), ...(is && { after: is }) })
  const shown = fieldsOf(was && withoutSecretValues(was), is && withoutSecretValues(is, was))
  return { op, objects: [changedObject(op, pair)], fields: shown, dangers }
}

function changedObject(op: ObjectOperation, { before, after }: ObjectPair): ChangedObject {
  const was = before && nameOfObject(before)
  const name = after === undefined ? was : nameOfObject(after)
  return { apiVersion: '', kind: '', name: '', ...name, ...(op === 'rename' && was && { was }) }
}

function fieldsOf(was: JsonRecord | undefined, is: JsonRecord | undefined): readonly ChangedField[] {
  return was === undefined || is === undefined ? [] : fieldChanges(was, is)
}
