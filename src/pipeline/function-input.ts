import { pathFault } from '../folder/safe-path.ts'
import { asRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { itemText, ResourceList } from '../resource-list/resource-list.ts'
import { newWireAnnotations } from '../resource-list/wire-annotations.ts'
import { FunctionError, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { asQuestion, nearestName } from '../schema/nearest-name.ts'
import { configFile } from '../variant/pipeline-function.ts'
import { cutText, nameFirst } from '../wording.ts'
import { emitEntry } from '../yaml/emit/emit.ts'
import { type PackageInTree, type PipelineItem, pathBelow } from './package-tree.ts'
import type { PipelineStep, Selector } from './pipeline-steps.ts'
import { isSelected, isSelectedBy } from './select.ts'

/** An item as a function gets it. */
export interface SentItem {
  readonly item: PipelineItem
  /** The id by which the item is found in the output. */
  readonly id: string
  readonly text: string
}

/** The input of a function: the selected items and its functionConfig. */
export interface FunctionInput {
  readonly selected: readonly PipelineItem[]
  /** Returns the values of the selected items, with the annotations that the function sees, for the function's condition. */
  resources(): readonly JsonValue[]
  /** Returns the functionConfig as the functions before left it; undefined if the function has none. */
  config(): JsonValue | undefined
  /** Returns the ResourceList as a program gets it. */
  list(): SentList
  /**
   * Returns the items themselves as a list to edit in place; undefined if that could differ from the list that a program gets, since a
   * text mentions annotations of places, or a path is one that no function may get.
   */
  documents(): ResourceList | undefined
}

/** A ResourceList as text. */
export interface SentList {
  readonly text: string
  readonly sent: readonly SentItem[]
}

/**
 * Returns the input of a function: the selected items with the annotations that kpt adds, and the functionConfig as earlier functions
 * left it (docs/kpt-render R8, R21 to R24).
 *
 * @param items   the items of the package and its subpackages, in order
 * @param root    the root package as an absolute path, for the package-path annotation
 * @throws FunctionError  when the functionConfig cannot be read
 */
export function functionInput(step: PipelineStep, node: PackageInTree, items: readonly PipelineItem[], root: string): FunctionInput {
  const hasSelectors = step.selectors.length > 0 || step.exclude.length > 0
  const placed = (item: PipelineItem, position: number): PlacedItem => ({ item, wire: wireOf(item, position, root, hasSelectors) })
  const positions = selectedPositions(step, items, placed)
  const selected = positions === undefined ? items : positions.flatMap((position) => items[position] ?? [])
  const config = configOf(step, node, items)
  const placedItems = () => selected.map((item, at) => placed(item, positions?.[at] ?? at))
  const textOf = (item: PipelineItem) => listItem(item, placed(item, items.indexOf(item)).wire)
  return {
    selected,
    resources: () => placedItems().map(seenValue),
    config: () => configValue(config),
    list: () => sentList(placedItems(), config, textOf),
    documents: () => documentList(selected, config, textOf),
  }
}

interface PlacedItem {
  readonly item: PipelineItem
  /** The annotations that kpt adds. */
  readonly wire: JsonRecord
}

/** Returns the positions of the items that a function gets; undefined for all items. */
function selectedPositions(
  { selectors, exclude }: PipelineStep,
  items: readonly PipelineItem[],
  placed: (item: PipelineItem, position: number) => PlacedItem,
): readonly number[] | undefined {
  if (selectors.length === 0 && exclude.length === 0) return undefined
  const readsAnnotations = [...selectors, ...exclude].some(({ annotations }) => annotations.size > 0)
  return items.flatMap((item, position) => {
    const annotations = readsAnnotations ? seenAnnotations(placed(item, position)) : item.object.annotations
    return isSelected({ item, annotations }, selectors, exclude) ? [position] : []
  })
}

function seenAnnotations({ item, wire }: PlacedItem): ReadonlyMap<string, string> {
  return new Map([...item.object.annotations, ...Object.entries(wire).map(([key, value]) => [key, String(value)] as const)])
}

function sentList(placed: readonly PlacedItem[], config: FunctionConfig, textOf: (item: PipelineItem) => string): SentList {
  const sent = placed.map(({ item, wire }, position): SentItem => {
    const id = String(position + 1)
    return { item, id, text: listItem(item, { ...wire, ...idsOf(id) }) }
  })
  const written = configText(config, (item) => sent.find((one) => one.item === item)?.text ?? textOf(item))
  const list = sent.length === 0 ? 'items: []\n' : `items:\n${sent.map(({ text }) => text).join('')}`
  return { text: `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${list}${written}`, sent }
}

/** Matches the annotations that kpt adds, which an item on disk or a functionConfig rarely mentions. */
const MENTIONS_PLACES =
  /config\.kubernetes\.io\/(?:path|index|id\b|package-path|seqindent|annotations-migration)|config\.k8s\.io\/(?:id|kpt)/

function documentList(
  selected: readonly PipelineItem[],
  config: FunctionConfig,
  textOf: (item: PipelineItem) => string,
): ResourceList | undefined {
  const isUsual = ({ object, path }: PipelineItem) =>
    object.isDocument && object.file !== undefined && pathFault(path) === undefined && !MENTIONS_PLACES.test(object.toText())
  if (!selected.every(isUsual) || (config !== undefined && !('values' in config) && !('item' in config))) return undefined
  const written = configText(config, textOf)
  if (config !== undefined && MENTIONS_PLACES.test('item' in config ? config.item.object.toText() : written)) return undefined
  const read = written === '' ? undefined : KrmObject.of(written, 'entry')
  const objects = selected.map(({ object }) => object)
  return ResourceList.of(objects, read?.isMap() === true ? read : undefined)
}

function seenValue({ item, wire }: PlacedItem): JsonRecord {
  const value = item.object.toJson()
  const metadata = asRecord(lookup(value, 'metadata'))
  return { ...value, metadata: { ...metadata, annotations: { ...asRecord(lookup(metadata, 'annotations')), ...wire } } }
}

const ID = 'internal.config.kubernetes.io/id'
const LEGACY_ID = 'config.k8s.io/id'

/** The annotations with an item's id, the newer one first. */
export const ID_ANNOTATIONS = [ID, LEGACY_ID] as const

function idsOf(id: string): JsonRecord {
  return { [LEGACY_ID]: id, 'internal.config.kubernetes.io/annotations-migration-resource-id': String(Number(id) - 1), [ID]: id }
}

function wireOf({ object, folder, path, index }: PipelineItem, position: number, root: string, hasSelectors: boolean): JsonRecord {
  const place = newWireAnnotations({ path, index: 0 }, pathBelow(root, folder))
  const indexes = Object.keys(place).filter((key) => key.endsWith('/index'))
  return {
    ...place,
    ...Object.fromEntries(indexes.map((key) => [key, index])),
    'internal.config.kubernetes.io/seqindent': sequenceIndent(object.toText()),
    ...(hasSelectors && { 'internal.config.kubernetes.io/kpt-resource-id': String(position) }),
  }
}

/** Returns `wide` if the first list below a key is indented by two columns (kyaml DeriveSeqIndentStyle). */
function sequenceIndent(text: string): 'wide' | 'compact' {
  const [, key = '', dash = ''] = /(?:^|\n)( *)[^\s#-][^\n]*:[ \t]*\n( *)- /.exec(text) ?? []
  return dash.length === key.length + 2 ? 'wide' : 'compact'
}

function listItem({ object }: PipelineItem, wire: JsonRecord): string {
  const copy = KrmObject.made(itemText(object, 0), 'item')
  const present = Object.entries(wire).filter(([, value]) => value !== '')
  copy.setPlace(Object.fromEntries(present))
  return copy.toText()
}

/** The functionConfig of a function: an item, a resource on disk, or the values of a ConfigMap; undefined if the function has none. */
type FunctionConfig = { readonly item: PipelineItem } | { readonly onDisk: string } | { readonly values: JsonRecord } | undefined

/** @throws FunctionError  when the functionConfig is not exactly one resource */
function configOf(step: PipelineStep, node: PackageInTree, items: readonly PipelineItem[]): FunctionConfig {
  const { configMap, configPath, configRef } = step
  if (configRef !== undefined) {
    const own = items.filter(({ folder }) => folder === node.folder)
    const found = own.filter((item) => isSelectedBy({ item, annotations: item.object.annotations }, configRef))
    const [item] = found
    if (item === undefined || found.length > 1)
      throw new FunctionError([configFault(step, 'configRef', describeChoice(configRef, found, own))])
    return { item }
  }
  if (configPath !== '') {
    const current = items.find(({ folder, path }) => folder === node.folder && path === configPath)
    return current === undefined ? { onDisk: `- ${configOnDisk(step, node)}` } : { item: current }
  }
  return configMap.size === 0 ? undefined : { values: Object.fromEntries([...configMap].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

function configValue(config: FunctionConfig): JsonValue | undefined {
  if (config === undefined) return undefined
  if ('item' in config) return config.item.object.toJson()
  if ('values' in config) return { data: config.values }
  return KrmObject.fromDocument(config.onDisk.replace(/^- /, '  ')).toJson()
}

/** Returns the functionConfig as the end of a ResourceList; '' if the function has none. */
function configText(config: FunctionConfig, textOf: (item: PipelineItem) => string): string {
  if (config === undefined) return ''
  if ('item' in config) return asConfig(textOf(config.item))
  if ('onDisk' in config) return asConfig(config.onDisk)
  return `${emitEntry('functionConfig', optionsConfigMap(config.values), { column: 0, sequences: 'compact' })}\n`
}

/** Returns the ConfigMap that kpt makes of the `configMap` of a function. */
export function optionsConfigMap(data: JsonRecord): JsonRecord {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'function-input' }, data }
}

function describeChoice({ kind, name }: Selector, found: readonly PipelineItem[], own: readonly PipelineItem[]): string {
  if (found.length > 0)
    return `must name one resource of the package, names ${found.length}: ${nameFirst(found, 3, ({ path, object }) => `${path} (${object.namespace === undefined ? 'no namespace' : `namespace ${object.namespace}`})`)}`
  const names = own.flatMap(({ object }) => (object.kind === kind && object.name !== undefined ? [object.name] : []))
  return `must name one resource of the package, has no ${cutText(kind, 100)} ${quoteText(name)}${asQuestion(nearestName(name, names))}`
}

/**
 * Returns an item as the functionConfig of a list.
 *
 * @param item  the text of a list item whose dash is in the first column
 */
function asConfig(item: string): string {
  const text = item.startsWith('- ') ? `  ${item.slice(2)}` : item
  return `functionConfig:\n${text.endsWith('\n') ? text : `${text}\n`}`
}

/**
 * Returns the resource at `configPath` as read from disk, if no item is at the path: an earlier function moved or removed the resource,
 * or the path is spelled in another way than kpt spells it.
 */
function configOnDisk(step: PipelineStep, node: PackageInTree): string {
  const documents = node.files.get(configFile(step.configPath))?.documents.filter(({ isEmpty }) => !isEmpty) ?? []
  const [document] = documents
  if (document?.object === undefined)
    throw new FunctionError([configFault(step, 'configPath', `must be a file with one resource, '${step.configPath}' has 0`)])
  const read = KrmObject.fromDocument(document.text)
  return itemText(read, 0).slice(2)
}

function configFault({ kptfile, field }: PipelineStep, key: string, message: string): Result {
  const path = [...field, key]
  const tags = { rule: 'function-config-path' } as const
  return { severity: 'error', message: `\`${path.slice(-1)}\` ${message}`, ...fieldPlace(kptfile, path), tags }
}
