import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { type Block, blockAt, bodyText, commentsAbove } from '../../src/yaml/edit/block.ts'
import type { Node } from '../../src/yaml/read/node.ts'

/** One side of a merge, or its result, at some entry. */
interface Side {
  readonly text: string
  readonly node: Node
}

interface Sides {
  readonly original: Side
  readonly upstream: Side
  readonly downstream: Side
  readonly result: Side
}

const SIDES = ['original', 'upstream', 'downstream', 'result'] as const

/**
 * What a merge lost of the downstream's text: an entry that upstream left alone and that is not as it was, or a comment of the downstream's own on
 * an entry that is still there. Entries of lists are not looked into.
 */
export function lostText(texts: { readonly [side in keyof Sides]: string }): string | undefined {
  const at = (text: string): Side => ({ text, node: KrmObject.fromDocument(text).written().node })
  return lostIn({ original: at(texts.original), upstream: at(texts.upstream), downstream: at(texts.downstream), result: at(texts.result) })
}

function lostIn(sides: Sides): string | undefined {
  const { downstream } = sides
  if (downstream.node.type !== 'map') return undefined
  for (const { key } of downstream.node.entries) {
    const lost = lostAt(sides, key.text)
    if (lost !== undefined) return lost
  }
  return undefined
}

function lostAt(sides: Sides, key: string): string | undefined {
  const [original, upstream, downstream, result] = SIDES.map((side) => blockAt(sides[side].text, sides[side].node, key))
  if (downstream === undefined || result === undefined) return undefined
  const comment = ownComments(sides, { original, downstream }).find((each) => !sides.result.text.includes(each))
  if (comment !== undefined) return `${key} lost ${comment}`
  if (original === undefined || upstream === undefined) return undefined
  const bodies = { o: bodyText(sides.original.text, original), u: bodyText(sides.upstream.text, upstream) }
  if (bodies.o === bodies.u) {
    return bodyText(sides.downstream.text, downstream) === bodyText(sides.result.text, result) ? undefined : `${key} is not as it was`
  }
  const inside = (side: keyof Sides, block: Block): Side => ({ text: sides[side].text, node: block.value })
  return lostIn({
    original: inside('original', original),
    upstream: inside('upstream', upstream),
    downstream: inside('downstream', downstream),
    result: inside('result', result),
  })
}

/** Comments above an entry and behind it that the original does not have there. */
function ownComments({ original, downstream }: Sides, blocks: { original: Block | undefined; downstream: Block }): readonly string[] {
  const before = blocks.original === undefined ? '' : commentsOf(original.text, blocks.original)
  const own = commentsOf(downstream.text, blocks.downstream).split('\n')
  return own.map((line) => line.trim()).filter((line) => line !== '' && !before.includes(line))
}

function commentsOf(text: string, block: Block): string {
  return `${commentsAbove(text, block)}${block.behind === undefined ? '' : text.slice(block.behind.start, block.behind.end)}`
}
