import { inspect, isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../src/json.ts'
import { type Cut, cutList } from '../../src/resource-list/cut.ts'
import { cutUnusual } from '../../src/resource-list/cut-unusual.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { withoutWire } from '../../src/resource-list/wire-annotations.ts'
import { WireError } from '../../src/resource-list/wire-error.ts'
import { FunctionError } from '../../src/result.ts'
import { AliasError, linkAliases } from '../../src/yaml/read/alias-targets.ts'
import { findEntry, type Node } from '../../src/yaml/read/node.ts'
import { nodeValue } from '../../src/yaml/read/node-value.ts'
import { YamlError } from '../../src/yaml/read/yaml-error.ts'
import { readYaml } from '../../src/yaml/read/yaml-reader.ts'
import { mutate } from './mutate.ts'
import { type Random, randomFrom } from './random.ts'
import { fragment, realDocuments, realLists } from './real-texts.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/** A list is cut where a full parse sees its items, comes back byte for byte, and its items are those of the full parse. */
export const slicer: FuzzTarget = {
  name: 'slicer',
  count: 100_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const documents = realDocuments()
    const lists = realLists()
    let accepted = 0
    const outcome = runCases(count, (index) => {
      const text = lists[index] ?? randomList(random, documents)
      if (cutList(text) !== undefined) accepted++
      return difference(text) === undefined ? [] : [describe(text)]
    })
    return { ...outcome, note: `${lists.length} lists as kpt emits them, the others random; ${accepted} cut without a full parse` }
  },
}

function randomList(random: Random, documents: readonly string[]): string {
  const column = random.oneIn(5) ? '  ' : ''
  const items = Array.from({ length: random.below(4) }, () => randomItem(random, documents, column))
  const config = `functionConfig:\n${indent(fragment(random, random.pick(documents)), '  ')}`
  const blocks = [
    'apiVersion: config.kubernetes.io/v1\n',
    'kind: ResourceList\n',
    items.length === 0 ? random.pick(['items: []\n', 'items:\n']) : `items:${random.oneIn(20) ? ' # c' : ''}\n${items.join('')}`,
    ...(random.oneIn(3) ? [config] : []),
    ...(random.oneIn(9) ? ['results:\n- message: m\n  severity: info\n'] : []),
  ]
  const first = random.oneIn(9) ? blocks.splice(2, 1) : []
  const text = [random.oneIn(20) ? '---\n' : '', ...first, ...blocks].join('')
  return random.oneIn(2) ? text : mutate(random, text)
}

function randomItem(random: Random, documents: readonly string[], column: string): string {
  const document = fragment(random, random.pick(documents))
  const text = random.oneIn(3) ? mutate(random, document) : document
  const between = random.oneIn(6) ? random.pick(['# between\n', '\n', '  # between\n', '    # between\n', '   \n']) : ''
  return `${between}${column}- ${indent(text, `${column}  `).trimStart()}`
}

function indent(text: string, by: string): string {
  const lines = text.endsWith('\n') ? text : `${text}\n`
  return lines.replace(/^(?=[^\n])/gm, by)
}

function describe(text: string): string {
  const least = shrinkText(text, (part) => difference(part) !== undefined)
  return `${JSON.stringify(least)}\n    ${difference(least)}`
}

/** Where the ways differ, or that one of them broke. */
function difference(text: string): string | undefined {
  try {
    const root = readRoot(text)
    return cutDifference(text, root) ?? listDifference(text, root)
  } catch (error) {
    return String(error)
  }
}

/** The cut against the full parse. Invalid text may be cut, when a slice shows the fault by itself or no caller takes the cut. */
function cutDifference(text: string, root: Node | undefined): string | undefined {
  const cut = cutList(text)
  if (cut === undefined) return undefined
  if (joined(cut) !== text) return `the pieces do not join to the text: ${inspect(cut)}`
  if (root === undefined) return hidesFault(text, cut) ? `taken, though no YAML: ${inspect(cut)}` : undefined
  const full = cutFully(text)
  if (full === undefined) return undefined
  const [a, b] = [cut, full].map(comparable)
  return isDeepStrictEqual(a, b) ? undefined : `cut ${inspect(cut)}\n    full ${inspect(full)}`
}

/** Without items it is one whether they would be bare. */
function comparable(cut: Cut): Cut {
  return cut.slices.length === 0 ? { ...cut, bareItems: false } : cut
}

function hidesFault(text: string, { slices }: Cut): boolean {
  return slices.every((slice) => readRoot(slice) !== undefined) && parseList(text) !== undefined
}

function cutFully(text: string): Cut | undefined {
  try {
    return cutUnusual(text, 'strict')
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

function joined({ pieces, slices }: Cut): string {
  return pieces.map(({ key, text }) => (key === 'items' ? text + slices.join('') : text)).join('')
}

function readRoot(text: string): Node | undefined {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return undefined
    throw error
  }
}

function listDifference(text: string, root: Node | undefined): string | undefined {
  const list = parseList(text)
  if (list === undefined) return undefined
  const printed = list.toString()
  if (printed !== text && !hasResults(text, root)) return `another text comes out: ${JSON.stringify(printed)}`
  const items = root?.type === 'map' ? findEntry(root, 'items')?.value : undefined
  const expected = items?.type === 'sequence' ? items.items.map(({ value }) => fullValue(value)) : []
  const seen = list.items.map(seenValue)
  return root === undefined || isDeepStrictEqual(seen, expected) ? undefined : `items ${inspect(seen)}\n    full ${inspect(expected)}`
}

/** The results of the run before give way to those of this one. */
function hasResults(text: string, root: Node | undefined): boolean {
  return root?.type === 'map' ? findEntry(root, 'results') !== undefined : /^results:/m.test(text)
}

/** Returns what a function sees of an item; 'refused' when that is not known, such as below an alias. */
function seenValue(item: KrmObject): JsonValue | undefined {
  try {
    return item.get([])
  } catch (error) {
    if (error instanceof FunctionError || error instanceof WireError) return 'refused'
    throw error
  }
}

function fullValue(item: Node): JsonValue | undefined {
  try {
    linkAliases(item)
    return withoutWire([], nodeValue(item))
  } catch (error) {
    if (error instanceof AliasError) return 'refused'
    throw error
  }
}

function parseList(text: string): ResourceList | undefined {
  try {
    return ResourceList.parse(text)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}
