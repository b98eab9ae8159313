import { markedFields } from '../../catalog/setter-comments.ts'
import { setterNames } from '../../catalog/setter-pattern.ts'
import { type FieldPath, formatFieldPath, pathKey } from '../../field-path.ts'
import type { WholeFolder } from '../../folder/whole-folder.ts'
import { equalJson, type JsonRecord, lookup, recordsOf, scalarText } from '../../json.ts'
import { objectsIn } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { packageContentOf } from '../package-objects.ts'
import type { CauseInput } from '../report.ts'
import { lineIn } from './object-places.ts'

/** A committed package in both states, and its folder in TO for the lines of causes. */
export interface EditedPackage {
  readonly before: WholeFolder
  readonly after: WholeFolder
  readonly place: string
}

/**
 * Returns the lines of the setters that people changed and that give a field its value. The functions of the package wrote the field.
 *
 * @example  `replicas: 5 # kpt-set: ${n}`, and `n: "5"` in the file that `configPath` of apply-setters names → `data.n  setters.yaml:7`
 */
export function editedSetters(object: KrmObject, field: FieldPath, { before, after, place }: EditedPackage): readonly CauseInput[] {
  const ways = [field, field.slice(0, -1)].map(pathKey)
  const names = setterNames(markedFields(object).find(({ path }) => ways.includes(pathKey(path)))?.pattern ?? '')
  if (names.length === 0) return []
  const read = (folder: WholeFolder, path: string): KrmObject | undefined => {
    const bytes = folder.files.get(path)?.read()
    return bytes && objectsIn(packageContentOf(bytes, `${place}/${path}`))[0]
  }
  const mutators = recordsOf(read(after, KPTFILE)?.get(['pipeline', 'mutators']))
  return mutators.flatMap((mutator, at) => {
    const [path, above] = configOf(mutator, at)
    const [was, is] = [read(before, path), read(after, path)]
    return names.flatMap((name) => {
      const key = [...above, name]
      const value = is?.get(key)
      return is === undefined || value === undefined || equalJson(was?.get(key), value)
        ? []
        : [{ text: formatFieldPath(key), ...lineIn(is, key) }]
    })
  })
}

/** Returns the file and the field that hold the values for a function. */
function configOf(mutator: JsonRecord, at: number): readonly [path: string, above: FieldPath] {
  const configPath = scalarText(lookup(mutator, 'configPath')).replace(/^\.\//, '')
  return configPath === '' ? [KPTFILE, ['pipeline', 'mutators', at, 'configMap']] : [configPath, ['data']]
}
