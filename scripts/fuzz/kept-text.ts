import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { type Block, blockAt, bodyText, commentsAbove } from '../../src/yaml/edit/block.ts'
import type { Node } from '../../src/yaml/read/node.ts'

/** One side of a merge, or its result, at some entry. */
interface Side {
  readonly text: string
  readonly node: Node
}

interface Sides {
  readonly base: Side
  readonly theirs: Side
  readonly ours: Side
  readonly result: Side
}

const SIDES = ['base', 'theirs', 'ours', 'result'] as const

/**
 * Returns the first text of the downstream that a merge lost: an entry that upstream left alone and the merge changed, or a comment of the
 * downstream's own on an entry that is still there; undefined if nothing is lost. The search passes over entries of lists.
 */
export function lostText(texts: { readonly [side in keyof Sides]: string }): string | undefined {
  const at = (text: string): Side => ({ text, node: KrmObject.fromDocument(text).written().node })
  return lostIn({ base: at(texts.base), theirs: at(texts.theirs), ours: at(texts.ours), result: at(texts.result) })
}

function lostIn(sides: Sides): string | undefined {
  const { ours } = sides
  if (ours.node.type !== 'map') return undefined
  for (const { key } of ours.node.entries) {
    const lost = lostAt(sides, key.text)
    if (lost !== undefined) return lost
  }
  return undefined
}

function lostAt(sides: Sides, key: string): string | undefined {
  const [base, theirs, ours, result] = SIDES.map((side) => blockAt(sides[side].text, sides[side].node, key))
  if (ours === undefined || result === undefined) return undefined
  const comment = ownComments(sides, { base, ours }).find((each) => !sides.result.text.includes(each))
  if (comment !== undefined) return `${key} lost ${comment}`
  if (base === undefined || theirs === undefined) return undefined
  const bodies = { o: bodyText(sides.base.text, base), u: bodyText(sides.theirs.text, theirs) }
  if (bodies.o === bodies.u) {
    return bodyText(sides.ours.text, ours) === bodyText(sides.result.text, result) ? undefined : `${key} is not as it was`
  }
  const inside = (side: keyof Sides, block: Block): Side => ({ text: sides[side].text, node: block.value })
  return lostIn({
    base: inside('base', base),
    theirs: inside('theirs', theirs),
    ours: inside('ours', ours),
    result: inside('result', result),
  })
}

/** Comments above an entry and behind it that the original does not have there. */
function ownComments({ base, ours }: Sides, blocks: { base: Block | undefined; ours: Block }): readonly string[] {
  const before = blocks.base === undefined ? '' : commentsOf(base.text, blocks.base)
  const own = commentsOf(ours.text, blocks.ours).split('\n')
  return own.map((line) => line.trim()).filter((line) => line !== '' && !before.includes(line))
}

function commentsOf(text: string, block: Block): string {
  return `${commentsAbove(text, block)}${block.behind === undefined ? '' : text.slice(block.behind.start, block.behind.end)}`
}
