import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import type { PipelineFunction } from '../kinds/pipeline-schema.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { asQuestion, nearestNames } from '../schema/nearest-name.ts'
import { ownedName } from './owned-functions.ts'

const FIELDS = ['name', 'image', 'exec', 'configPath', 'configMap', 'configRef', 'tag', 'exclude', 'selectors', 'when']
const SELECTOR_FIELDS = ['name', 'namespace', 'apiVersion', 'kind', 'labels', 'annotations']

/** A variant's function as it stands in the Kptfile, its fields in the order that Porch writes them (docs/porch.md 33). */
export function ownedFunction(fn: PipelineFunction, owner: string, position: number): JsonRecord {
  const { selectors, exclude } = fn
  return inOrder(FIELDS, {
    ...fn,
    name: ownedName(owner, fn.name ?? '', position),
    ...(exclude !== undefined && { exclude: exclude.map((selector) => inOrder(SELECTOR_FIELDS, selector)) }),
    ...(selectors !== undefined && { selectors: selectors.map((selector) => inOrder(SELECTOR_FIELDS, selector)) }),
  })
}

/** The fields that are there and not empty: an empty list or map says nothing. */
function inOrder(fields: readonly string[], record: Readonly<Record<string, JsonValue | undefined>>): JsonRecord {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = record[field]
      return value === undefined || isEmpty(value) ? [] : [[field, value] as const]
    }),
  )
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0)
}

/** The files of a package, as the functions of its pipeline name them. */
export interface ConfigFiles {
  has(path: string): boolean
  /** The file that was most likely meant. */
  nearest(path: string): string | undefined
}

/** Lists the files when a function first names one: most have no configPath. */
export function configFiles(listFiles: () => readonly string[]): ConfigFiles {
  const among = nearestNames()
  const read = () => {
    const files = listFiles()
    return { files: new Set(files), nearest: among(files) }
  }
  let known: ReturnType<typeof read> | undefined
  const files = () => {
    known ??= read()
    return known
  }
  return { has: (path) => files().files.has(path), nearest: (path) => files().nearest(path) }
}

/** What kpt would refuse in a function when it renders: no program, two configurations, a configuration that is no file of the package. */
export function functionFaults(fn: PipelineFunction, path: FieldPath, files: ConfigFiles): Fault[] {
  const { image = '', exec = '', configPath = '', configMap = {}, configRef } = fn
  return [
    ...(image === '' && exec === '' ? [fault('function-program', path, "must have 'image' or 'exec'")] : []),
    ...(configPath !== '' && Object.keys(configMap).length > 0
      ? [fault('function-configs', [...path, 'configPath'], "must not stand beside 'configMap': kpt takes one functionConfig")]
      : []),
    ...(configRef !== undefined && (configPath !== '' || Object.keys(configMap).length > 0)
      ? [fault('function-configs', [...path, 'configRef'], CONFIG_REF_ALONE)]
      : []),
    ...(configPath === '' ? [] : configPathFaults(configPath, path, files)),
  ]
}

const CONFIG_REF_ALONE = "must not stand beside 'configPath' or 'configMap': kpt takes one functionConfig"

function configPathFaults(configPath: string, path: FieldPath, files: ConfigFiles): Fault[] {
  if (files.has(configPath.replace(/^\.\//, ''))) return []
  const message = `must be a file of the package, got ${quoteText(configPath)}${asQuestion(files.nearest(configPath))}`
  return [fault('function-config-path', [...path, 'configPath'], message)]
}

function fault(rule: string, path: FieldPath, message: string): Fault {
  return { severity: 'error', rule, path, message }
}
