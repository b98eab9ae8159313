import { posix } from 'node:path'
import { readBoundedFile } from '../src/folder/bounded-file.ts'
import { readPackageFile } from '../src/folder/read-package-file.ts'
import { type JsonRecord, type JsonValue, lookup, recordsOf, scalarText } from '../src/json.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { KPTFILE, packageFinder } from '../src/resource-list/package-of.ts'
import type { ResourceList } from '../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../src/result.ts'
import { quoteText } from '../src/schema/describe-value.ts'
import { duplicateKeyResults } from '../src/schema/document-faults.ts'
import { faultToResult } from '../src/schema/fault.ts'
import type { Host } from './host.ts'
import { printJson } from './print/print-value.ts'
import { UsageError } from './usage-error.ts'

/**
 * Returns the list with the functionConfig that the folder's Kptfile names for a function, as kpt would send it. A functionConfig that the
 * list already has is kept.
 *
 * @param name   the function, by the name of its image or file
 * @param folder the prefix of the files' paths; paths of a list on stdin (`-`) have none
 */
export function withFunctionConfig(list: ResourceList, name: string, folder = '.'): ResourceList {
  const config = list.functionConfig ?? findConfig(list, name, folder === '-' ? '.' : folder)
  return config === list.functionConfig ? list : list.withConfig(config)
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
  return ['mutators', 'validators'].flatMap((stage) => recordsOf(kptfile?.get(['pipeline', stage])))
}

function configOf(entry: JsonRecord, folder: string, objectAt: ObjectAt): KrmObject | undefined {
  const configMap = lookup(entry, 'configMap')
  if (configMap !== undefined) return inlineConfig(configMap)
  const path = lookup(entry, 'configPath')
  return typeof path === 'string' ? objectAt(posix.join(folder, path)) : undefined
}

/** Returns true if a pipeline entry runs the function: an image `…/fan-out:v1`, or a command line with a file `…/fan-out.mjs`. */
function isFunction(entry: JsonRecord, name: string): boolean {
  const [image = ''] = scalarText(lookup(entry, 'image')).split('@')
  const words = scalarText(lookup(entry, 'exec')).split(/\s+/)
  const names = [posix.basename(image).split(':')[0], ...words.map((word) => posix.basename(word).replace(/\.[cm]?js$/, ''))]
  return names.includes(name)
}

/** Returns `configMap:` as the ConfigMap that kpt sends. */
export function inlineConfig(data: JsonValue): KrmObject {
  return KrmObject.fromDocument(printJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'function-input' }, data }))
}

/** Returns the kind of the options of a function: `ResolveDependencies` for resolve-dependencies. */
function kindOfOptions(name: string): string {
  return name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The kinds of options of functions that a file of options may hold beside each other. */
const OPTION_KINDS: ReadonlySet<string | undefined> = new Set(
  ['render-variants', 'check-dependencies', 'resolve-dependencies', 'generate-sync', 'fan-out'].map(kindOfOptions),
)

/**
 * Returns the options of a function in a file of options; undefined if the file has those of other functions only. A ConfigMap, which names
 * no function, is the only resource of its file.
 *
 * @throws FunctionError when the file cannot be read as YAML; UsageError when the file holds none or several for the function
 */
function configInFile(name: string, path: string, host: Host): KrmObject | undefined {
  const objects = readObjectsOfFile(path, host)
  const own = objects.filter(({ kind }) => kind === kindOfOptions(name))
  if (own.length === 0 && objects.length > 0 && objects.every(({ kind }) => OPTION_KINDS.has(kind))) return undefined
  const [object, ...others] = own.length > 0 ? own : objects
  if (object === undefined || others.length > 0) throw new UsageError(`'${path}' must hold one resource, the options of ${name}`)
  return object
}

/**
 * Returns the resources of one file.
 *
 * @throws FunctionError when the file cannot be read as YAML; WireError for a pipe, a device, a folder or a file beyond measure
 */
export function readObjectsOfFile(path: string, host: Pick<Host, 'locate'>): readonly KrmObject[] {
  return objectsOfBytes(path, readBoundedFile(host.locate(path), `'${path}'`))
}

/** Returns the resources of the bytes of a file, or of stdin. @throws FunctionError when they cannot be read as YAML */
export function objectsOfBytes(path: string, bytes: Uint8Array): readonly KrmObject[] {
  const { file, results } = readPackageFile(path, bytes)
  const objects = file?.documents.flatMap(({ object }) => object ?? []) ?? []
  const faults = [...results, ...duplicateKeyResults(objects)]
  if (faults.length > 0) throw new FunctionError(faults)
  return objects
}

/** The place of a function's options: the file that the caller names, else the one that the Kptfile of `dir` names. */
interface OptionsPlace {
  readonly config: string | undefined
  readonly dir: string
}

/** Returns the list with the functionConfig of a function, from the file of the caller or from the Kptfile. Throws as `configInFile`. */
export function withOptions(list: ResourceList, name: string, { config, dir }: OptionsPlace, host: Host): ResourceList {
  const named = config === undefined ? undefined : configInFile(name, config, host)
  return named === undefined ? withFunctionConfig(list, name, dir) : list.withConfig(named)
}

/**
 * Returns the list with the functionConfig of a function as `withOptions` finds it, else with the only object in the list whose kind is
 * that of the function's options: `ResolveDependencies` for resolve-dependencies.
 *
 * @throws FunctionError when the list holds several such objects; else as `configInFile`
 */
export function withOnlyOptions(list: ResourceList, name: string, place: OptionsPlace, host: Host): ResourceList {
  const named = withOptions(list, name, place, host)
  if (named.functionConfig !== undefined) return named
  const ofKind = list.items.filter(({ kind }) => kind === kindOfOptions(name))
  const [only, ...others] = ofKind.length < 2 ? ofKind : outsidePackages(ofKind, list, place.dir)
  if (others.length > 0) throw new FunctionError(others.map((other) => secondOptions(other, only)))
  return list.withConfig(only)
}

/** Returns the objects that are in no package below the folder: the options in a package are those of its own pipeline. */
function outsidePackages(objects: readonly KrmObject[], { items }: ResourceList, dir: string): readonly KrmObject[] {
  const packageOf = packageFinder(items)
  const top = posix.join(dir, '.')
  return objects.filter((object) => ['', '.', top].includes(packageOf(object)))
}

function secondOptions(object: KrmObject, first: KrmObject | undefined): Result {
  const message = `must not be '${object.kind}' twice unless the Kptfile or --config names the one that counts, ${quoteText(first?.file?.path ?? '')} has one too`
  return faultToResult(object, { severity: 'error', rule: 'function-config', path: ['kind'], message })
}
