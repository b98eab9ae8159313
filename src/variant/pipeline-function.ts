import type { FieldPath } from '../field-path.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import type { PipelineFunction } from '../kinds/pipeline-schema.ts'
import { shortestPath } from '../resource-list/package-of.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { asQuestion, nearestNames } from '../schema/nearest-name.ts'
import { ownedName } from './owned-functions.ts'

const FIELDS = ['name', 'image', 'exec', 'configPath', 'configMap', 'configRef', 'tag', 'exclude', 'selectors', 'when']
const SELECTOR_FIELDS = ['name', 'namespace', 'apiVersion', 'kind', 'labels', 'annotations']

/** Returns a variant's function as written to the Kptfile, with the fields in the order in which Porch writes fields (docs/porch.md 33). */
export function ownedFunction(fn: PipelineFunction, owner: string, position: number): JsonRecord {
  const { selectors, exclude } = fn
  return inOrder(FIELDS, {
    ...fn,
    name: ownedName(owner, fn.name ?? '', position),
    ...(exclude !== undefined && { exclude: exclude.map((selector) => inOrder(SELECTOR_FIELDS, selector)) }),
    ...(selectors !== undefined && { selectors: selectors.map((selector) => inOrder(SELECTOR_FIELDS, selector)) }),
  })
}

/** Returns the fields of a record in the given order, without missing and empty ones: an empty list or map means the same as none. */
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

/** The files of a package, which the functions of the package's pipeline refer to. */
export interface ConfigFiles {
  has(path: string): boolean
  /** Returns the file that was most likely meant by a path. */
  nearest(path: string): string | undefined
}

/**
 * Returns the files of a package. `listFiles` is called when a function first refers to a file, since most functions have no configPath.
 */
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

/**
 * Returns the faults that kpt would report for a function on rendering: no image or exec, more than one functionConfig, a configPath that
 * is no file of the package.
 */
export function functionFaults(fn: PipelineFunction, path: FieldPath, files: ConfigFiles): Fault[] {
  const { image = '', exec = '', configPath = '', configMap = {}, configRef } = fn
  return [
    ...(image === '' && exec === '' ? [fault('function-program', path, "must have 'image' or 'exec'")] : []),
    ...(configPath !== '' && Object.keys(configMap).length > 0
      ? [fault('function-configs', [...path, 'configPath'], "must not be set beside 'configMap': kpt takes one functionConfig")]
      : []),
    ...(configRef !== undefined && (configPath !== '' || Object.keys(configMap).length > 0)
      ? [fault('function-configs', [...path, 'configRef'], CONFIG_REF_ALONE)]
      : []),
    ...(configPath === '' ? [] : configPathFaults(configPath, path, files)),
  ]
}

/**
 * Returns the path of the file that a `configPath` names, in its shortest form as kpt finds it; unchanged if the path is absolute.
 *
 * @example  `./d/../setters.yaml` → `setters.yaml`
 */
export function configFile(configPath: string): string {
  return configPath.startsWith('/') ? configPath : shortestPath(configPath)
}

const CONFIG_REF_ALONE = "must not be set beside 'configPath' or 'configMap': kpt takes one functionConfig"

function configPathFaults(configPath: string, path: FieldPath, files: ConfigFiles): Fault[] {
  if (files.has(configFile(configPath))) return []
  const message = `must be a file of the package, got ${quoteText(configPath)}${asQuestion(files.nearest(configPath))}`
  return [fault('function-config-path', [...path, 'configPath'], message)]
}

function fault(rule: RuleId, path: FieldPath, message: string): Fault {
  return { severity: 'error', rule, path, message }
}
