import { setterNames } from '../../catalog/setter-pattern.ts'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { WholeFolder } from '../../folder/whole-folder.ts'
import { asList, equalJson, isRecord, lookup, scalarText } from '../../json.ts'
import { objectsIn } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { packageContentOf } from '../package-objects.ts'
import type { CauseInput } from '../report.ts'
import { lineIn } from './object-places.ts'
import { nameOfFunction, setterAt } from './upstream-lines.ts'

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
  const names = setterNames(setterAt(object, field) ?? '')
  if (names.length === 0) return []
  const former = setterConfigs(before, place)
  return setterConfigs(after, place).flatMap(({ config, above }, call) =>
    names.flatMap((name) => {
      const [key, was] = [[...above, name], former[call]]
      const value = config.get(key)
      const isEdited = value !== undefined && !equalJson(was?.config.get([...was.above, name]), value)
      return isEdited ? [{ text: formatFieldPath(key), ...lineIn(config, key) }] : []
    }),
  )
}

/** The object with the values of a call of apply-setters, and the field that holds them. */
interface SetterConfig {
  readonly config: KrmObject
  readonly above: FieldPath
}

/** Returns the values of each call of apply-setters in a package, in their order: other functions may come between the calls. */
function setterConfigs({ files }: WholeFolder, place: string): readonly SetterConfig[] {
  const read = (path: string): KrmObject | undefined => {
    const bytes = files.get(path)?.read()
    return bytes && objectsIn(packageContentOf(bytes, `${place}/${path}`))[0]
  }
  const kptfile = read(KPTFILE)
  return asList(kptfile?.get(['pipeline', 'mutators'])).flatMap((mutator, at) => {
    if (!isRecord(mutator) || nameOfFunction(mutator) !== 'apply-setters') return []
    const path = scalarText(lookup(mutator, 'configPath')).replace(/^\.\//, '')
    const config = path === '' ? kptfile : read(path)
    return config === undefined ? [] : [{ config, above: path === '' ? ['pipeline', 'mutators', at, 'configMap'] : ['data'] }]
  })
}
