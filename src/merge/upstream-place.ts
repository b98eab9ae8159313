import type { FieldPath } from '../field-path.ts'
import { asList, isRecord, type JsonValue, lookup } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { identityIn } from './clone-marks.ts'
import type { OutcomeSide } from './merged-package.ts'
import { objectsIn, type PackageFiles } from './package-files.ts'

/**
 * Returns the place of upstream's side in the file as it lies in upstream, ` (catalog/web/deploy.yaml:8:13)`. Functions may have moved the
 * lines of the object that was merged. Only the file is named where the object or the field is not found there; nothing for a file that
 * upstream lacks.
 *
 * @param upstream  the files of the new upstream revision before functions ran; if unset, the side is as it lies in upstream
 */
export function upstreamPlace({ object, field, exists }: OutcomeSide, path: string, upstream: PackageFiles | undefined): string {
  if (object === undefined) return ''
  const file = object.file?.path ?? path
  const there = upstream === undefined ? [object] : objectsOfFile(file, path, upstream)
  if (there.length === 0) return ''
  const found = there.includes(object) ? object : sameObject(object, there)
  if (found === undefined || (found !== object && !isAtSamePlace(found, object, field, exists))) return ` (${file})`
  const { line, column } = found.positionOf(field)
  return ` (${file}:${line}:${column})`
}

/** Returns the objects of a file. A resource that upstream moved is in another file than the path of its outcome. */
function objectsOfFile(file: string, path: string, upstream: PackageFiles): readonly KrmObject[] {
  const isOfFile = (object: KrmObject): boolean => (object.file?.path ?? path) === file
  const here = objectsIn(upstream.get(path)).filter(isOfFile)
  return here.length > 0 ? here : [...upstream.values()].flatMap((content) => objectsIn(content)).filter((each) => each.file?.path === file)
}

/** Returns the object of the same identity, else the only one of the kind: functions may rename objects. */
function sameObject(object: KrmObject, there: readonly KrmObject[]): KrmObject | undefined {
  const identity = identityIn(object)
  const [only, ...others] = there.filter(({ kind }) => kind === object.kind)
  return there.find((each) => identityIn(each) === identity) ?? (others.length === 0 ? only : undefined)
}

/** Returns true if a field of the merged object has the same path in the object of upstream: functions may add fields and list entries. */
function isAtSamePlace(upstream: KrmObject, merged: KrmObject, field: FieldPath, exists: boolean): boolean {
  if (upstream.aliases().some(({ isReadable }) => !isReadable)) return false
  if (exists && upstream.get(field) === undefined) return false
  return field.every((step, at) => {
    if (typeof step !== 'number') return true
    const [there, here] = [asList(upstream.get(field.slice(0, at))), asList(merged.get(field.slice(0, at)))]
    return there.length === here.length && nameOf(there[step]) === nameOf(here[step])
  })
}

function nameOf(entry: JsonValue | undefined): JsonValue | undefined {
  return isRecord(entry) ? lookup(entry, 'name') : undefined
}
