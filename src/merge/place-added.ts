import { type Block, blockLines, ownsLines, withBody, withCommentsAbove } from '../yaml/edit/block.ts'
import type { Splice } from '../yaml/edit/splice.ts'
import { lineEnd, lineStart } from '../yaml/read/lines.ts'
import { commentsOf, isSameValue, textOf, type Written, type WrittenBlock, writtenAt } from './written-block.ts'

/**
 * Writes the entries that upstream adds to a map as upstream writes them, each behind the entry that it follows there.
 *
 * @param result  where they stand somewhere, with their values
 * @param added   upstream's, by their keys
 */
export function placeAdded(result: Written, upstream: Written | undefined, added: ReadonlyMap<string, WrittenBlock>): readonly Splice[] {
  if (added.size === 0 || upstream?.node.type !== 'map' || result.node.type !== 'map') return []
  const keys = result.node.entries.map(({ key }) => key.text)
  const before = new Map(keys.map((key, index) => [key, keys[index - 1]]))
  const first = writtenAt(
    result,
    keys.find((key) => !added.has(key)),
  )?.block
  const splices: Splice[] = []
  let [anchor, previous, hasMoved]: [Block | undefined, string | undefined, boolean] = [undefined, undefined, false]
  for (const { key } of upstream.node.entries) {
    const [own, source] = [writtenAt(result, key.text), added.get(key.text)]
    if (own === undefined) continue
    const moves: boolean = source !== undefined && (hasMoved || before.get(key.text) !== previous)
    if (source !== undefined && isSameValue(own, source))
      splices.push(...(moves ? moved(own, source, anchor, first) : written(own, source)))
    if (!moves) anchor = own.block
    previous = key.text
    hasMoved = moves
  }
  return splices
}

/** In the place where it is. */
function written({ text, block }: WrittenBlock, source: WrittenBlock): readonly Splice[] {
  const body = withBody(block, textOf(source))
  return ownsLines(text, block) ? [withCommentsAbove(text, block, commentsOf(source)), body] : [body]
}

/** Behind the anchor; without one, in front of the first entry that stays. */
function moved(
  { text, block }: WrittenBlock,
  source: WrittenBlock,
  anchor: Block | undefined,
  first: Block | undefined,
): readonly Splice[] {
  const from = lineStart(text, block.start)
  const near = anchor ?? first
  if (near === undefined || from === 0 || !ownsLines(text, block)) return []
  const lines = blockLines(commentsOf(source), textOf(source), block.column)
  const inFront = anchor === undefined && ownsLines(text, near)
  const at = inFront ? lineStart(text, near.start) : near.end
  return [
    { start: at, end: at, text: inFront ? `${lines}\n` : `\n${lines}` },
    { start: lineEnd(text, lineStart(text, from - 1)), end: block.end, text: '' },
  ]
}
