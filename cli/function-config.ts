import { posix } from 'node:path'
import { isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../src/json.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { KPTFILE } from '../src/resource-list/package-of.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { printJson } from './print/print-value.ts'

/**
 * Returns the list with the functionConfig that the folder's Kptfile names for a function, as kpt would send it. A functionConfig that the
 * list already has is kept.
 *
 * @param name   the function, by the name of its image or file
 * @param folder the prefix of the files' paths; paths of a list on stdin (`-`) have none
 */
export function withFunctionConfig(list: ResourceList, name: string, folder = '.'): ResourceList {
  const config = list.functionConfig ?? findConfig(list, name, folder === '-' ? '.' : folder)
  return config === list.functionConfig ? list : ResourceList.of(list.items, config)
}

function findConfig({ items }: ResourceList, name: string, folder: string): KrmObject | undefined {
  const kptfile = items.find(({ kind, file }) => kind === 'Kptfile' && file?.path === posix.join(folder, KPTFILE))
  const entry = functionsOf(kptfile).find((fn) => isFunction(fn, name))
  return entry && configOf(entry, folder, (path) => items.find(({ file }) => file?.path === path))
}

/** The first object of a file. */
type ObjectAt = (path: string) => KrmObject | undefined

/** Returns the functionConfigs that a Kptfile's pipeline gives to a function, in the pipeline's order. */
export function pipelineConfigs(kptfile: KrmObject, name: string, objectAt: ObjectAt): readonly KrmObject[] {
  const folder = posix.dirname(kptfile.file?.path ?? '')
  return functionsOf(kptfile).flatMap((entry) => (isFunction(entry, name) ? (configOf(entry, folder, objectAt) ?? []) : []))
}

function functionsOf(kptfile: KrmObject | undefined): readonly JsonRecord[] {
  return ['mutators', 'validators'].flatMap((stage) => listOf(kptfile?.get(['pipeline', stage])))
}

function configOf(entry: JsonRecord, folder: string, objectAt: ObjectAt): KrmObject | undefined {
  const configMap = lookup(entry, 'configMap')
  if (configMap !== undefined) return inlineConfig(configMap)
  const path = lookup(entry, 'configPath')
  return typeof path === 'string' ? objectAt(posix.join(folder, path)) : undefined
}

function listOf(value: JsonValue | undefined): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** Returns true if a pipeline entry runs the function: an image `…/fan-out:v1`, or a command line with a file `…/fan-out.mjs`. */
function isFunction(entry: JsonRecord, name: string): boolean {
  const [image = ''] = scalarText(lookup(entry, 'image')).split('@')
  const words = scalarText(lookup(entry, 'exec')).split(/\s+/)
  const names = [posix.basename(image).split(':')[0], ...words.map((word) => posix.basename(word).replace(/\.[cm]?js$/, ''))]
  return names.includes(name)
}

/** Returns `configMap:` as the ConfigMap that kpt sends. */
function inlineConfig(data: JsonValue): KrmObject {
  return KrmObject.fromDocument(printJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'function-input' }, data }))
}
