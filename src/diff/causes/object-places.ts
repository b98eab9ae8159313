import type { FieldPath } from '../../field-path.ts'
import { asList, type JsonValue, memberOf } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { positionOfEntry } from '../field-changes.ts'
import type { ChangeCause, FieldStep } from '../report.ts'

/** Returns the file and line of a field; of a missing field, those of the field above. */
export function lineIn(object: KrmObject, path: FieldPath): Pick<ChangeCause, 'file' | 'line'> {
  return object.file === undefined ? {} : { file: object.file.path, line: object.positionOf(path).line }
}

/**
 * Returns the file and line of a field that changes: in a block of lines, such as a file in a ConfigMap, the first line that differs.
 */
export function lineOfChange(
  object: KrmObject,
  path: FieldPath,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Pick<ChangeCause, 'file' | 'line'> {
  const place = lineIn(object, path)
  if (place.line === undefined || typeof before !== 'string' || typeof after !== 'string') return place
  if (object.scalars(path)[0]?.style !== 'literal') return place
  const [old, present] = [before.split('\n'), after.split('\n')]
  const differing = present.findIndex((line, i) => line !== old[i])
  const last = present.length - (after.endsWith('\n') ? 2 : 1)
  return { ...place, line: place.line + 1 + (differing === -1 ? last : Math.min(differing, last)) }
}

/** Returns the path of steps in an object, with the position of each entry. */
export function pathOfSteps(object: KrmObject, steps: readonly FieldStep[]): FieldPath {
  const path: (string | number)[] = []
  let value: JsonValue | undefined = object.toJson()
  for (const step of steps) {
    const key: string | number = typeof step !== 'object' ? step : positionOfEntry(asList(value), step)
    if (key === -1) break
    path.push(key)
    value = memberOf(value, key)
  }
  return path
}
