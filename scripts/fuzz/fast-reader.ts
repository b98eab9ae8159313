import { isDeepStrictEqual } from 'node:util'
import { cutList } from '../../src/resource-list/cut.ts'
import { readFast } from '../../src/resource-list/fast-reader.ts'
import { IDENTITY_KEYS, identityOf } from '../../src/resource-list/identity.ts'
import type { Node } from '../../src/resource-list/node.ts'
import { readYaml, YamlError } from '../../src/resource-list/yaml-reader.ts'
import { mutate } from './mutate.ts'
import { randomFrom } from './random.ts'
import { fragment, realDocuments, realLists } from './real-texts.ts'
import { shrinkText } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/** What the fast reader accepts, the full parser reads as the same nodes: structure, styles, texts and offsets. */
export const fastReader: FuzzTarget = {
  name: 'fast-reader',
  count: 100_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const seeds = [...realDocuments(), ...realLists().flatMap((list) => cutList(list)?.slices ?? [])]
    let accepted = 0
    const outcome = runCases(count, (index) => {
      const text = seeds[index] ?? mutate(random, fragment(random, random.pick(seeds)))
      if (readFast(text) !== undefined) accepted++
      return difference(text) === undefined ? [] : [describe(text)]
    })
    return { ...outcome, note: `${seeds.length} real texts as they are, the others mutated; ${accepted} accepted` }
  },
}

function describe(text: string): string {
  const least = shrinkText(text, (part) => difference(part) !== undefined)
  return `${JSON.stringify(least)}\n    ${difference(least)}`
}

/** What the two readers disagree on; undefined when they agree or the fast one refuses. A fault below other keys is no business of the head. */
function difference(text: string): string | undefined {
  const fast = readFast(text)
  const head = readFast(text, IDENTITY_KEYS)
  if (fast === undefined && head === undefined) return undefined
  const full = readFull(text)
  if (fast !== undefined && !isDeepStrictEqual(fast, full)) return `fast ${JSON.stringify(fast)}\n    full ${JSON.stringify(full)}`
  const differs = head !== undefined && typeof full !== 'string' && !sameIdentity(head, full)
  return differs ? `head ${JSON.stringify(head)}\n    full ${JSON.stringify(full)}` : undefined
}

function readFull(text: string): Node | string {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return error.message
    throw error
  }
}

/** What is read of an item that nobody asks about must be what the whole item says. */
function sameIdentity(head: Node, whole: Node): boolean {
  return isDeepStrictEqual(identityOf(objectIn(head)), identityOf(objectIn(whole)))
}

function objectIn(node: Node): Node {
  return node.type === 'sequence' ? (node.items[0]?.value ?? node) : node
}
