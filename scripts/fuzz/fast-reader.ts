import { inspect, isDeepStrictEqual } from 'node:util'
import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import type { JsonValue } from '../../src/json.ts'
import { cutList } from '../../src/resource-list/cut.ts'
import { IDENTITY, identityOf } from '../../src/resource-list/identity.ts'
import { NODES, TEXTS, type Texts, textsOf, VALUES } from '../../src/yaml/read/builder.ts'
import { type ObjectFrame, readFast } from '../../src/yaml/read/fast-reader.ts'
import { type Node, walk } from '../../src/yaml/read/node.ts'
import { nodeValue } from '../../src/yaml/read/node-value.ts'
import { PlaceFinder } from '../../src/yaml/read/place-finder.ts'
import { YamlError } from '../../src/yaml/read/yaml-error.ts'
import { readYaml } from '../../src/yaml/read/yaml-reader.ts'
import { mutate } from './mutate.ts'
import { randomFrom } from './random.ts'
import { fragment, realDocuments, realLists } from './real-texts.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/**
 * What the fast reader accepts, the full parser reads as the same nodes: structure, styles, texts and offsets. Values,
 * identities and places that are read without nodes are those of the nodes.
 */
export const fastReader: FuzzTarget = {
  name: 'fast-reader',
  count: 100_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const seeds = [...realDocuments(), ...realLists().flatMap((list) => cutList(list)?.slices ?? [])]
    let accepted = 0
    const outcome = runCases(count, (index) => {
      // Every other case is a real text as it is, so that a short run has texts of both sorts.
      const text = (index % 2 === 0 ? seeds[index / 2] : undefined) ?? mutate(random, fragment(random, random.pick(seeds)))
      if (readWhole(text) !== undefined) accepted++
      return difference(text) === undefined ? [] : [describe(text)]
    })
    return { ...outcome, note: `${seeds.length} real texts as they are, the others mutated; ${accepted} accepted` }
  },
}

/** Does nothing: a layout that kpt does not write is read all the same. */
function unusual(): void {}

function describe(text: string): string {
  const least = shrinkText(text, (part) => difference(part) !== undefined)
  return `${JSON.stringify(least)}\n    ${difference(least)}`
}

/**
 * Returns what the readers disagree on; undefined when they agree or the fast one refuses. A fault below other keys is no business of an
 * identity.
 */
function difference(text: string): string | undefined {
  const frame = frameOf(text)
  const read: Read = {
    nodes: readWhole(text),
    value: readFast(text, VALUES, { frame, unusual }),
    identity: readFast(text, TEXTS, { frame, wanted: IDENTITY, unusual }),
  }
  if (Object.values(read).every((part) => part === undefined)) return undefined
  const full = readFull(text)
  if (typeof full === 'string') return wronglyRead(text, read, full)
  if (read.nodes !== undefined && !isDeepStrictEqual(read.nodes, full)) return `fast ${inspect(read.nodes)}\n    full ${inspect(full)}`
  return valueDifference(text, read, objectIn(full, frame))
}

/** The answer of the fast reader for a text. */
interface Read {
  readonly nodes: Node | undefined
  readonly value: JsonValue | undefined
  readonly identity: Texts | undefined
}

/**
 * Where the full parser sees a fault. It takes lines of other keys for part of a scalar below a comment that stands further left
 * (yaml-reader.ts): what a second library reads as the fast reader does is right.
 */
function wronglyRead(text: string, { nodes, value }: Read, fault: string): string | undefined {
  if ((nodes === undefined && value === undefined) || (nodes !== undefined && isReadByAnother(text, nodes))) return undefined
  return `fast ${inspect(nodes ?? value)}\n    full ${fault}`
}

function isReadByAnother(text: string, nodes: Node): boolean {
  if (!/^ *#/m.test(text)) return false
  try {
    return isDeepStrictEqual(load(text, { schema: FAILSAFE_SCHEMA }), written(nodes))
  } catch {
    return false
  }
}

export function written(node: Node): unknown {
  if (node.type === 'sequence') return node.items.map(({ value }) => written(value))
  if (node.type === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, written(value)]))
  return node.type === 'scalar' ? node.text : undefined
}

function valueDifference(text: string, { value, identity }: Read, object: Node): string | undefined {
  if (value !== undefined && !isDeepStrictEqual(value, nodeValue(object))) return `value ${inspect(value)}`
  const misplaced =
    readFast(text, VALUES, { frame: frameOf(text) }) === undefined ? undefined : findMisplaced(new PlaceFinder(text, frameOf(text)), object)
  if (misplaced !== undefined) return `place ${misplaced}`
  const same = identity === undefined || isDeepStrictEqual(identityOf(identity), identityOf(textsOf(object)))
  return same ? undefined : `identity ${inspect(identityOf(identity))}`
}

function frameOf(text: string): ObjectFrame {
  return text.startsWith('- ') ? 'item' : 'document'
}

/** Looking at each of these is quadratic. */
const MOST_PLACES = 100

/** The path of a value that is found elsewhere than where it is. */
function findMisplaced(places: PlaceFinder, object: Node): string | undefined {
  const all = [...walk(object)].slice(0, MOST_PLACES)
  const wrong = all.find(({ path, node, key }) => {
    const found = places.find(path)
    return found !== undefined && !(found.steps === path.length && found.place.value === node.start && found.place.key === key?.start)
  })
  return wrong && JSON.stringify(wrong.path)
}

export function readWhole(text: string): Node | undefined {
  return readFast(text, NODES, { frame: 'document', unusual })
}

export function readFull(text: string): Node | string {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return error.message
    throw error
  }
}

function objectIn(node: Node, frame: ObjectFrame): Node {
  return frame === 'item' && node.type === 'sequence' ? (node.items[0]?.value ?? node) : node
}
