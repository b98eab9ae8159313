import type { Builder } from '../yaml/read/builder.ts'
import { readFast } from '../yaml/read/fast-reader.ts'
import { lineStart, positionAt } from '../yaml/read/lines.ts'
import { findEntry, type KeyedNode, type MapNode, type Node, type SequenceItem } from '../yaml/read/node.ts'
import { YamlError } from '../yaml/read/yaml-error.ts'
import { readYaml } from '../yaml/read/yaml-reader.ts'
import { type Cut, type Piece, ROOT_KEYS } from './cut.ts'
import { MAX_ITEMS } from './limits.ts'
import { WireError } from './wire-error.ts'

/**
 * Builds nodes for the root, the values of its keys and the items of its lists. Deeper maps and lists stay empty, so that the
 * outline of a text of any size is small.
 */
const OUTLINE: Builder<Node, { readonly entries: KeyedNode[]; readonly keys: Set<string> }, SequenceItem[]> = {
  scalar: (scalar) => scalar,
  openMap: () => ({ entries: [], keys: new Set() }),
  hasKey: ({ keys }, key) => keys.has(key),
  addEntry: ({ entries, keys }, key, value) => {
    keys.add(key.text)
    entries.push({ key, value: value.type === 'map' ? { ...value, entries: [] } : value })
  },
  closeMap: ({ entries }, { flow, start, end }) => ({ type: 'map', flow, entries, start, end }),
  openList: () => [],
  addItem: (items, dash, value) => {
    if (items.length === MAX_ITEMS) throw new WireError(`expected at most ${MAX_ITEMS} items, found more`)
    items.push({ dash, value: bare(value) })
  },
  closeList: (items, { flow, start, end }) => ({ type: 'sequence', flow, items, start, end }),
}

const API_VERSION = /^config\.kubernetes\.io\/v1(beta1|alpha1)?$/

/**
 * The wrappers of a list that a reader accepts: `strict` only the fields of a ResourceList, `extended` other fields too, `any` also an
 * object of another kind and version. Fields that are not known stay as they are written.
 */
export type WrapperRule = 'strict' | 'extended' | 'any'

/**
 * Cuts a ResourceList of any layout by parsing all of it: JSON, directives, odd indentation, quoted keys, anchors across items.
 *
 * @throws WireError  with what was expected, what was found, and its line and column
 */
export function cutUnusual(text: string, wrapper: WrapperRule): Cut {
  const root = readRoot(text, wrapper)
  return root.flow ? cutFlowRoot(text, root) : cutBlockRoot(text, root)
}

function readRoot(text: string, wrapper: WrapperRule): MapNode {
  if (text.trim() === '') throw new WireError('expected a ResourceList, found nothing')
  const root = readAll(text)
  if (root.type !== 'map') throw new WireError(`expected a ResourceList, found ${describe(root)}`, positionAt(text, root.start))
  if (wrapper !== 'any') refuseOtherKinds(text, root)
  refuseOtherFields(text, root, wrapper)
  const items = findEntry(root, 'items')?.value
  if (items !== undefined && items.type !== 'sequence' && !isEmpty(items)) {
    throw new WireError(`expected \`items\` to be a list, found ${describe(items)}`, positionAt(text, items.start))
  }
  const config = findEntry(root, 'functionConfig')?.value
  if (config !== undefined && config.type !== 'map' && !isNull(config)) {
    throw new WireError(`expected \`functionConfig\` to be a map, found ${describe(config)}`, positionAt(text, config.start))
  }
  return root
}

function readAll(text: string): Node {
  try {
    return readFast(text, OUTLINE, { frame: 'document' }) ?? readYaml(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    throw new WireError(`expected one YAML document with a ResourceList, found a fault: ${error.message}`, positionAt(text, error.offset))
  }
}

function refuseOtherKinds(text: string, root: MapNode): void {
  const kind = findEntry(root, 'kind')
  if (kind?.value.type !== 'scalar' || kind.value.text !== 'ResourceList') {
    const found = kind === undefined ? 'no `kind`' : describe(kind.value)
    throw new WireError(`expected \`kind: ResourceList\`, found ${found}`, positionAt(text, kind?.value.start ?? root.start))
  }
  refuseOtherVersions(text, root)
}

function refuseOtherFields(text: string, root: MapNode, wrapper: WrapperRule): void {
  for (const [index, { key }] of root.entries.entries()) {
    const twice = root.entries.findIndex((entry) => entry.key.text === key.text) !== index
    if (twice) throw new WireError(`expected \`${key.text}\` once, found it twice`, positionAt(text, key.start))
    if (wrapper === 'strict' && !ROOT_KEYS.has(key.text)) {
      throw new WireError(
        `expected only ${[...ROOT_KEYS].join(', ')} in a ResourceList, found \`${key.text}\``,
        positionAt(text, key.start),
      )
    }
  }
}

function refuseOtherVersions(text: string, root: MapNode): void {
  const version = findEntry(root, 'apiVersion')
  if (version?.value.type === 'scalar' && API_VERSION.test(version.value.text)) return
  const found = version === undefined ? 'no `apiVersion`' : describe(version.value)
  const position = positionAt(text, version?.value.start ?? root.start)
  throw new WireError(`expected \`apiVersion: config.kubernetes.io/v1\` (or v1beta1, v1alpha1), found ${found}`, position)
}

function describe(node: Node): string {
  if (node.type === 'scalar') return node.text === '' ? 'nothing' : `'${node.text.slice(0, 40)}'`
  return { map: 'a map', sequence: 'a list', alias: 'an alias' }[node.type]
}

function isEmpty(node: Node): boolean {
  return node.type === 'scalar' && node.text === ''
}

/** The words of go-yaml for null. */
const NULLS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])

function isNull(node: Node): boolean {
  return node.type === 'scalar' && NULLS.has(node.text)
}

/** Cuts whole lines: the lines of a root key end where the next root key begins. */
function cutBlockRoot(text: string, root: MapNode): Cut {
  const items = findEntry(root, 'items')?.value
  const dashes = items?.type === 'sequence' && !items.flow ? items.items.map((item) => item.dash) : []
  const starts = dashes.map((dash) => lineStart(text, dash))
  const end = (index: number) => {
    const next = root.entries[index + 1]
    return next === undefined ? text.length : lineStart(text, next.key.start)
  }
  const pieces = root.entries.map(({ key, value }, index): Piece => {
    const first = value === items ? starts[0] : undefined
    return { key: key.text, text: text.slice(lineStart(text, key.start), first ?? end(index)) }
  })
  refuseOneLine(text, [...root.entries.map(({ key }) => key.start), ...dashes])
  const last = end(root.entries.findIndex(({ value }) => value === items))
  return {
    pieces: [{ key: '', text: text.slice(0, lineStart(text, root.start)) }, ...pieces],
    slices: dashes.length > 0 ? starts.map((start, index) => text.slice(start, starts[index + 1] ?? last)) : bareSlices(text, items),
    column: (dashes[0] ?? 0) - (starts[0] ?? 0),
    bareItems: dashes.length === 0 && items?.type === 'sequence',
    bareRoot: false,
  }
}

/**
 * Throws a WireError if two starts are on one line. Lines are cut at line feeds, but YAML also ends a line at a lone carriage return,
 * so two keys or items could share a line.
 */
function refuseOneLine(text: string, starts: readonly number[]): void {
  const lines = new Set<number>()
  for (const start of starts) {
    const line = lineStart(text, start)
    if (lines.has(line)) throw new WireError('expected line feeds between lines, found a carriage return alone', positionAt(text, start))
    lines.add(line)
  }
}

function cutFlowRoot(text: string, root: MapNode): Cut {
  const pieces = root.entries.map(
    ({ key, value }): Piece => ({ key: key.text, text: key.text === 'items' ? '' : text.slice(value.start, value.end) }),
  )
  return { pieces, slices: bareSlices(text, findEntry(root, 'items')?.value), column: 0, bareItems: true, bareRoot: true }
}

function bareSlices(text: string, items: Node | undefined): readonly string[] {
  return items?.type === 'sequence' ? items.items.map(({ value }) => text.slice(value.start, value.end)) : []
}

function bare(value: Node): Node {
  if (value.type === 'map') return { ...value, entries: [] }
  return value.type === 'sequence' ? { ...value, items: [] } : value
}
