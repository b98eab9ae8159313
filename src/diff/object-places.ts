import type { FieldPath } from '../field-path.ts'
import { type JsonValue, memberOf } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { positionOfEntry } from './field-changes.ts'
import type { ChangeCause, FieldStep } from './report.ts'

/** Returns the file and line of a field; of a missing field, those of the field above. */
export function lineIn(object: KrmObject, path: FieldPath): Pick<ChangeCause, 'file' | 'line'> {
  return object.file === undefined ? {} : { file: object.file.path, line: object.positionOf(path).line }
}

/** Returns the path of steps in an object, with the position of each entry. */
export function pathOfSteps(object: KrmObject, steps: readonly FieldStep[]): FieldPath {
  const path: (string | number)[] = []
  let value: JsonValue | undefined = object.toJson()
  for (const step of steps) {
    const key: string | number = typeof step !== 'object' ? step : positionOfEntry(Array.isArray(value) ? value : [], step)
    if (key === -1) break
    path.push(key)
    value = memberOf(value, key)
  }
  return path
}
