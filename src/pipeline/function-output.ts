import { splitDocuments } from '../folder/split-documents.ts'
import { equalJson } from '../json.ts'
import { allAnnotations, itemDocument, objectValue } from '../resource-list/item-document.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { shortestPath } from '../resource-list/package-of.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { PACKAGE_PATH_ANNOTATION } from '../resource-list/wire-annotations.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { withoutQuotedSecrets } from '../secret-values.ts'
import { ID_ANNOTATIONS, type SentItem, type SentList } from './function-input.ts'
import { missingField, type PipelineItem, pathBelow } from './package-tree.ts'

/** A function's output that cannot be used; the message follows the function's name. */
export class OutputError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'OutputError'
  }
}

/** The package that a function runs in. */
export interface Place {
  /** The folder of the package. */
  readonly folder: string
  /** The root package as an absolute path. */
  readonly root: string
  /** The folders of all packages in the tree. */
  readonly folders: ReadonlySet<string>
  /** True for a validator: its items are written nowhere, so that kpt takes odd places which it refuses of a mutator. */
  readonly isDropped: boolean
}

/**
 * Returns the items of a function's output: a sent item with its new path, or a new item. No object is changed yet.
 *
 * @throws OutputError  for output that is no list of resources, or that puts resources at impossible places; WireError for what is no YAML
 */
export function readOutput(stdout: string, input: SentList, place: Place): readonly Returned[] {
  if (stdout === input.text) return input.sent.map(({ item }) => ({ item }))
  if (stdout.trim() === '') throw new OutputError('printed nothing: a function that changes nothing must print the list that it got')
  const sent = new Map(input.sent.map((one) => [one.id, one]))
  return outputObjects(stdout, sent.size === 0).map((output) => {
    const annotations = allAnnotations(output)
    const id = ID_ANNOTATIONS.map((key) => annotations.get(key)).find((text) => text !== undefined) ?? ''
    const known = sent.get(id)
    sent.delete(id)
    if (known !== undefined && output.toText() === known.text) return { item: known.item }
    const item = placedItem(output, annotations, known, place)
    return { item, output }
  })
}

/** An item of the output, and the returned object if it may differ from the item's. */
export interface Returned {
  readonly item: PipelineItem
  readonly output?: KrmObject
}

/** Writes the values of an output to the objects of its items. Lines with an unchanged value keep every byte. */
export function applyOutput(returned: readonly Returned[]): readonly PipelineItem[] {
  return returned.map(({ item, output }) => {
    if (output === undefined || item.object === output) return item
    const now = objectValue(output)
    if (!equalJson(item.object.toJson(), now)) item.object.set([], now)
    return item
  })
}

/**
 * Checks that path and index are unique in each package.
 *
 * @throws OutputError  with the first two resources at one place
 */
export function checkPlaces(items: readonly PipelineItem[]): void {
  const places = new Set<string>()
  for (const { folder, path, index } of items) {
    const place = JSON.stringify([folder, path, index])
    if (places.has(place)) throw new OutputError(`puts two resources at path '${pathBelow(folder, path)}' and index '${index}'`)
    places.add(place)
  }
}

/** @param isEmptyInput  true for a function that got no items: functions of the Go SDK then print no `items` */
function outputObjects(stdout: string, isEmptyInput: boolean): readonly KrmObject[] {
  try {
    const list = ResourceList.parse(stdout)
    if (!isEmptyInput && !/^(?:items|["']items["'])[ \t]*:|[{,]\s*["']?items["']?\s*:/m.test(stdout))
      throw new OutputError('printed a ResourceList without `items`')
    return list.items
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    return WRAPPED.test(stdout) ? wrappedObjects(stdout) : bareObjects(stdout, error)
  }
}

/** Matches a `List`, and a ResourceList of any version, which kpt reads as it reads its own. */
const WRAPPED = /^\s*(?:[{,]\s*)?["']?kind["']?\s*:\s*["']?(?:Resource)?List\b/m

function wrappedObjects(stdout: string): readonly KrmObject[] {
  try {
    return ResourceList.parse(stdout, 'any').items
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw new OutputError(`printed what is no ResourceList: ${withoutQuotedSecrets(error.message, stdout)}`)
  }
}

/** Returns the resources of an output without a list, which kpt accepts. */
function bareObjects(stdout: string, wrapped: WireError): readonly KrmObject[] {
  try {
    const { chunks } = splitDocuments(stdout)
    const objects = chunks.filter(({ isEmpty }) => !isEmpty).map(({ text }) => KrmObject.fromDocument(text))
    if (objects.length > 0 && objects.every((object) => object.isMap())) return objects
  } catch (error) {
    if (!(error instanceof WireError)) throw error
  }
  throw new OutputError(`printed what is no ResourceList: ${withoutQuotedSecrets(wrapped.message, stdout)}`)
}

function placedItem(output: KrmObject, annotations: ReadonlyMap<string, string>, known: SentItem | undefined, place: Place): PipelineItem {
  const before = known?.item
  const folder = folderIn(annotations.get(PACKAGE_PATH_ANNOTATION), place)
  const written = changed(annotations, 'path', before?.path, place)
  const path = written === '' && before !== undefined && hasPath(annotations) ? before.path : cleanPath(written, output)
  const index = changed(annotations, 'index', before?.index, place)
  if (!place.isDropped && !/^(?:[-+]?\d+)?$/.test(index))
    throw new OutputError(`gives '${path}' the index '${index}', which must be a whole number`)
  checkFields(output, path)
  return { object: before === undefined ? itemDocument(output) : before.object, folder, path, index }
}

/** @throws OutputError  for an object that is no resource */
export function checkFields(object: KrmObject, path: string): void {
  const missing = missingField(object, path)
  if (missing !== undefined) throw new OutputError(`printed a resource without ${missing}, for '${path}'`)
}

function hasPath(annotations: ReadonlyMap<string, string>): boolean {
  return annotations.has('internal.config.kubernetes.io/path') || annotations.has('config.kubernetes.io/path')
}

function folderIn(packagePath: string | undefined, { folder, root, folders, isDropped }: Place): string {
  if (packagePath === undefined || packagePath === '') return folder
  const named = packagePath === root ? '' : packagePath.slice(root.length + 1)
  if ((packagePath === root || packagePath.startsWith(`${root}/`)) && folders.has(named)) return named
  if (isDropped) return packagePath
  throw new OutputError(`puts a resource into '${packagePath}', which is no package below the one that runs`)
}

/** Returns the value of an annotation with two spellings: that of the spelling which the function changed. */
function changed(
  annotations: ReadonlyMap<string, string>,
  key: 'path' | 'index',
  before: string | undefined,
  { isDropped }: Place,
): string {
  const [now = '', legacy = ''] = [annotations.get(`internal.config.kubernetes.io/${key}`), annotations.get(`config.kubernetes.io/${key}`)]
  if (isDropped && now !== '') return now
  if (now === legacy || legacy === '' || legacy === before) return now === '' && before === undefined ? legacy : now
  if (now === '' || now === before) return legacy
  throw new OutputError(`gives one resource two places: ${key} '${now}' and '${legacy}'`)
}

/** Returns the path that an item is written to, below the package. An item without a path gets `NAMESPACE/KIND_NAME.yaml`. */
function cleanPath(written: string, { kind = '', name = '', namespace }: KrmObject): string {
  if (written === '') return `${namespace === undefined ? '' : `${namespace}/`}${kind.toLowerCase()}_${name}.yaml`
  const path = shortestPath(written)
  if (path.split('/').some((part) => part.includes('..')))
    throw new OutputError(`puts a resource to '${written}', which must not contain '..'`)
  return path
}
