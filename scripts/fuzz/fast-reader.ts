import { isDeepStrictEqual } from 'node:util'
import { cutList } from '../../src/resource-list/cut.ts'
import { IDENTITY, identityOf } from '../../src/resource-list/identity.ts'
import { NODES, TEXTS, textsOf, VALUES } from '../../src/yaml/read/builder.ts'
import { type Frame, readFast } from '../../src/yaml/read/fast-reader.ts'
import { type Node, walk } from '../../src/yaml/read/node.ts'
import { nodeValue } from '../../src/yaml/read/node-value.ts'
import { PlaceFinder } from '../../src/yaml/read/place-finder.ts'
import { readYaml, YamlError } from '../../src/yaml/read/yaml-reader.ts'
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
      const text = seeds[index] ?? mutate(random, fragment(random, random.pick(seeds)))
      if (readWhole(text) !== undefined) accepted++
      return difference(text) === undefined ? [] : [describe(text)]
    })
    return { ...outcome, note: `${seeds.length} real texts as they are, the others mutated; ${accepted} accepted` }
  },
}

function describe(text: string): string {
  const least = shrinkText(text, (part) => difference(part) !== undefined)
  return `${JSON.stringify(least)}\n    ${difference(least)}`
}

/** What the readers disagree on; undefined when they agree or the fast one refuses. A fault below other keys is no business of an identity. */
function difference(text: string): string | undefined {
  const frame: Frame = text.startsWith('- ') ? 'item' : 'document'
  const fast = readWhole(text)
  const value = readFast(text, VALUES, { frame })
  const identity = readFast(text, TEXTS, { frame, wanted: IDENTITY })
  if (fast === undefined && value === undefined && identity === undefined) return undefined
  const full = readFull(text)
  if (fast !== undefined && !isDeepStrictEqual(fast, full)) return `fast ${JSON.stringify(fast)}\n    full ${JSON.stringify(full)}`
  if (typeof full === 'string') return value === undefined ? undefined : `value ${JSON.stringify(value)}\n    full ${full}`
  const object = objectIn(full, frame)
  if (value !== undefined && !isDeepStrictEqual(value, nodeValue(object))) return `value ${JSON.stringify(value)}`
  const misplaced = value === undefined ? undefined : findMisplaced(new PlaceFinder(text, frame), object)
  if (misplaced !== undefined) return `place ${misplaced}`
  const same = identity === undefined || isDeepStrictEqual(identityOf(identity), identityOf(textsOf(object)))
  return same ? undefined : `identity ${JSON.stringify(identityOf(identity))}`
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

function readWhole(text: string): Node | undefined {
  return readFast(text, NODES, { frame: 'document' })
}

function readFull(text: string): Node | string {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return error.message
    throw error
  }
}

function objectIn(node: Node, frame: Frame): Node {
  return frame === 'item' && node.type === 'sequence' ? (node.items[0]?.value ?? node) : node
}
