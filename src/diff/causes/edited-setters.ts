import { setterNames } from '../../catalog/setter-pattern.ts'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import type { WholeFolder } from '../../folder/whole-folder.ts'
import { asList, asRecord, equalJson, lookup, scalarText } from '../../json.ts'
import { objectsIn } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, isKptfile, joinPath } from '../../resource-list/package-of.ts'
import { packageContentOf } from '../package-objects.ts'
import type { CauseInput } from '../report.ts'
import { lineIn } from './object-places.ts'
import { nameOfFunction, setterAt } from './upstream-lines.ts'

/** The objects of a package by the path of their file in it. */
export interface PackageText {
  readonly paths: readonly string[]
  objectsAt(path: string): readonly KrmObject[]
}

/** A package in both states, and its folder in TO. */
export interface EditedPackage {
  readonly before: PackageText
  readonly after: PackageText
  readonly place: string
}

/** Returns the text of a folder, with lines as in the folder `place`. */
export function textOfFolder({ files }: Pick<WholeFolder, 'files'>, place: string): PackageText {
  const objectsAt = (path: string) => {
    const bytes = files.get(path)?.read()
    return bytes === undefined ? [] : objectsIn(packageContentOf(bytes, `${place}/${path}`))
  }
  return { paths: [...files.keys()], objectsAt }
}

/**
 * Returns the lines of the setters that people changed and that give a field its value. The functions of the package wrote the field, or
 * those of the subpackage that holds the object.
 *
 * @example  `replicas: 5 # kpt-set: ${n}`, and `n: "5"` in the file that `configPath` of apply-setters names → `data.n  setters.yaml:7`
 */
export function editedSetters(object: KrmObject, field: FieldPath, { before, after, place }: EditedPackage): readonly CauseInput[] {
  const names = setterNames(setterAt(object, field) ?? '')
  if (names.length === 0) return []
  const { path: file = '' } = object.file ?? {}
  const path = file.startsWith(`${place}/`) ? file.slice(place.length + 1) : file
  const former = new Map(setterConfigs(before, path).map((each) => [each.call, each]))
  return setterConfigs(after, path).flatMap(({ config, above, call }) =>
    names.flatMap((name) => {
      const [key, was] = [[...above, name], former.get(call)]
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
  /** The Kptfile of the call, and the number of calls before it there: other functions may come between the calls. */
  readonly call: string
}

/** Returns the values of each call of apply-setters for a file: of the package, and of the subpackages that hold the file. */
function setterConfigs({ paths, objectsAt }: PackageText, of: string): readonly SetterConfig[] {
  const kptfiles = paths.filter((path) => isKptfile(path) && (folderOf(path) === '' || of.startsWith(`${folderOf(path)}/`)))
  return kptfiles.flatMap((place) => {
    const kptfile = objectsAt(place)[0]
    const mutators = asList(kptfile?.get(['pipeline', 'mutators'])).map(asRecord)
    const calls = [...mutators.entries()].filter(([, mutator]) => nameOfFunction(mutator) === 'apply-setters')
    return calls.flatMap(([at, mutator], number) => {
      const path = scalarText(lookup(mutator, 'configPath')).replace(/^\.\//, '')
      const config = path === '' ? kptfile : objectsAt(joinPath(folderOf(place), path))[0]
      const above = path === '' ? ['pipeline', 'mutators', at, 'configMap'] : ['data']
      return config === undefined ? [] : [{ config, above, call: `${place} ${number}` }]
    })
  })
}
