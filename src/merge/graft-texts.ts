import type { JsonValue } from '../json.ts'
import { isWireAnnotation } from '../resource-list/wire-annotations.ts'
import { type Block, blockLines, ownsLines, withBody, withCommentsAbove, withLinesAbove } from '../yaml/edit/block.ts'
import type { Splice } from '../yaml/edit/splice.ts'
import { lineEnd, lineStart } from '../yaml/read/lines.ts'
import { nodeValue } from '../yaml/read/node-value.ts'
import { fieldRule, listRule, type MergeRule } from './merge-rule.ts'
import { pairListEntries } from './pair-entries.ts'
import type { ThreeWay } from './three-way.ts'
import { UPSTREAM_IDENTIFIER } from './upstream-identity.ts'
import { commentsOf, isSameValue, linesOf, type NodeInText, textOfBlock, type WrittenBlock, writtenAt } from './written-block.ts'

/**
 * Returns the splices that give the result of a merge upstream's text. An entry that the downstream did not change gets upstream's
 * spelling. An entry that upstream added gets upstream's comments and place. Comments above and behind an entry are merged separately:
 * upstream's, if the downstream did not change them.
 */
export function graftSplices(result: NodeInText, sides: ThreeWay<NodeInText>, rule: MergeRule | undefined): readonly Splice[] {
  if (result.node.type === 'map') return mapSplices(result, sides, rule)
  return result.node.type === 'sequence' ? listSplices(result, sides, rule) : []
}

function mapSplices(result: NodeInText, sides: ThreeWay<NodeInText>, rule: MergeRule | undefined): readonly Splice[] {
  const keys = keysOf(result)
  const [inOriginal, inUpstream] = [keysBefore(sides.original), keysBefore(sides.upstream)]
  const inside: (readonly Splice[])[] = []
  const added = new Map<string, WrittenBlock>()
  for (const key of keys) {
    if (isWireAnnotation(key) || key === UPSTREAM_IDENTIFIER) continue
    const [own, upstream, downstream] = [writtenAt(result, key), writtenAt(sides.upstream, key), writtenAt(sides.downstream, key)]
    if (own === undefined || upstream === undefined) continue
    if (downstream === undefined) added.set(key, upstream)
    else {
      const isMoved = inOriginal.get(key) !== inUpstream.get(key)
      const blocks = { original: writtenAt(sides.original, key), upstream, downstream }
      inside.push(blockSplices(own, blocks, { rule: fieldRule(rule, key), isMoved }))
    }
  }
  return [placeAdded(result, sides.upstream, added), ...inside].flat()
}

function listSplices(result: NodeInText, sides: ThreeWay<NodeInText>, rule: MergeRule | undefined): readonly Splice[] {
  const lists = { original: listOf(sides.original), upstream: listOf(sides.upstream), downstream: listOf(result) }
  const key = listRule(rule, lists)
  const entries = key && pairListEntries(lists, key.key)
  const before = key && pairListEntries({ original: listOf(sides.downstream), upstream: lists.downstream, downstream: undefined }, key.key)
  const inDownstream = new Map(before?.map((entry) => [entry.upstream, entry.original]))
  const inOriginal = new Map(entries?.map((entry) => [entry.upstream, entry.original]))
  return (entries ?? []).flatMap((entry) => {
    const own = writtenAt(result, entry.downstream)
    const upstream = writtenAt(sides.upstream, entry.upstream)
    const downstream = writtenAt(sides.downstream, inDownstream.get(entry.downstream))
    if (own === undefined || upstream === undefined) return []
    if (downstream === undefined) return isSameValue(own, upstream) ? [...commentSplices(own, upstream), ...bodySplice(own, upstream)] : []
    const before = (entry.upstream ?? 0) - 1
    const isMoved = (before < 0 ? before : inOriginal.get(before)) !== (entry.original ?? 0) - 1
    const blocks = { original: writtenAt(sides.original, entry.original), upstream, downstream }
    return blockSplices(own, blocks, { rule: key?.entries, isMoved })
  })
}

interface Place {
  readonly rule: MergeRule | undefined
  /** True if the entry follows another entry in upstream than in the original. */
  readonly isMoved: boolean
}

/** Returns the splices of an entry that all sides have. An entry that both sides added keeps the downstream's text. */
function blockSplices(own: WrittenBlock, sides: ThreeWay<WrittenBlock>, { rule, isMoved }: Place): readonly Splice[] {
  const { original, upstream, downstream } = sides
  if (original === undefined || upstream === undefined || downstream === undefined) return []
  const above = aboveSplices(own, { original, upstream, downstream }, isMoved)
  const bodies = { original: textOfBlock(original), upstream: textOfBlock(upstream), downstream: textOfBlock(downstream) }
  if (bodies.original === bodies.upstream && !bodies.upstream.includes('*')) return above
  // The result holds the value of an alias; with upstream's change, the alias is correct again.
  const isWrittenOut = bodies.downstream === bodies.upstream && textOfBlock(own) !== bodies.upstream
  if (bodies.original === bodies.upstream && isWrittenOut) return [...above, ...bodySplice(own, upstream)]
  if (bodies.original === bodies.downstream && isSameValue(own, upstream)) return [...above, ...bodySplice(own, upstream)]
  const inside = { original: valueIn(original), upstream: valueIn(upstream), downstream: valueIn(downstream) }
  const behind = isTaken(behindOf(original), behindOf(upstream), behindOf(downstream)) ? behindSplice(own, upstream) : []
  return [...above, ...behind, ...spellingSplice(own, upstream, downstream), ...graftSplices(valueIn(own), inside, rule)]
}

/** Returns true if upstream changed a text that the downstream did not change. */
function isTaken(original: string, upstream: string, downstream: string): boolean {
  return original === downstream && original !== upstream
}

/**
 * Returns the splices of comments and blank lines above an entry. A header that a blank line separates from the entry belongs to the
 * entry unless upstream has another entry between the two.
 */
function aboveSplices(
  own: WrittenBlock,
  sides: { readonly [side in keyof ThreeWay<WrittenBlock>]: WrittenBlock },
  isMoved: boolean,
): readonly Splice[] {
  const { original, upstream, downstream } = sides
  if (!ownsLines(own.text, own.block)) return []
  if (isMoved) {
    const isNew = !commentLines(linesOf(downstream)).includes(commentsOf(upstream))
    return isNew && isTaken(commentsOf(original), commentsOf(upstream), commentsOf(downstream)) ? commentSplices(own, upstream) : []
  }
  const lines = { original: linesOf(original), upstream: linesOf(upstream), downstream: linesOf(downstream) }
  const isSpacing = commentLines(lines.original) === commentLines(lines.upstream)
  const isLeftAlone = isSpacing ? lines.original === lines.downstream : commentLines(lines.original) === commentLines(lines.downstream)
  return isLeftAlone && lines.original !== lines.upstream ? [withLinesAbove(own.text, own.block, lines.upstream)] : []
}

/** Returns the lines that are not blank. */
function commentLines(lines: string): string {
  return lines.replace(/^\s*\n/gm, '')
}

function commentSplices(own: WrittenBlock, upstream: WrittenBlock): readonly Splice[] {
  return ownsLines(own.text, own.block) ? [withCommentsAbove(own.text, own.block, commentsOf(upstream))] : []
}

function bodySplice(own: WrittenBlock, upstream: WrittenBlock): readonly Splice[] {
  return [withBody(own.block, textOfBlock(upstream))]
}

function behindSplice({ block }: WrittenBlock, upstream: WrittenBlock): readonly Splice[] {
  return block.behind === undefined ? [] : [{ ...block.behind, text: behindOf(upstream) }]
}

/** Returns the splice that gives a number or boolean upstream's spelling: `0644`, `1.0`. */
function spellingSplice(own: WrittenBlock, upstream: WrittenBlock, downstream: WrittenBlock): readonly Splice[] {
  const [node, source] = [own.block.value, upstream.block.value]
  if (node.type !== 'scalar' || source.type !== 'scalar' || node.style !== 'plain' || source.style !== 'plain') return []
  if (node.text === source.text || !isSameValue(own, upstream) || isSameValue(own, downstream)) return []
  return [{ start: node.start, end: node.end, text: source.text }]
}

function keysOf({ node }: NodeInText): readonly string[] {
  return node.type === 'map' ? node.entries.map(({ key }) => key.text) : []
}

/** Returns the key before each key of a map. */
function keysBefore(map: NodeInText | undefined): ReadonlyMap<string, string | undefined> {
  const keys = map === undefined ? [] : keysOf(map)
  return new Map(keys.map((key, at) => [key, keys[at - 1]]))
}

function valueIn({ text, block }: WrittenBlock): NodeInText {
  return { text, node: block.value }
}

function listOf(side: NodeInText | undefined): readonly JsonValue[] | undefined {
  return side?.node.type === 'sequence' ? side.node.items.map((item) => nodeValue(item.value)) : undefined
}

/** Returns the comment behind an entry; '' if there is none or there can be none. */
function behindOf({ text, block }: WrittenBlock): string {
  return block.behind === undefined ? '' : text.slice(block.behind.start, block.behind.end).trimEnd()
}

/**
 * Writes entries that upstream added to a map with upstream's text, each after its predecessor in upstream.
 *
 * @param result  the map, which has the entries somewhere with their values
 * @param added   upstream's entries, by their keys
 */
function placeAdded(result: NodeInText, upstream: NodeInText | undefined, added: ReadonlyMap<string, WrittenBlock>): readonly Splice[] {
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

/** Writes upstream's text of an entry at the entry's current place. */
function written({ text, block }: WrittenBlock, source: WrittenBlock): readonly Splice[] {
  const body = withBody(block, textOfBlock(source))
  return ownsLines(text, block) ? [withCommentsAbove(text, block, commentsOf(source)), body] : [body]
}

/** Moves an entry after the anchor; without an anchor, before the first entry that stays. */
function moved(
  { text, block }: WrittenBlock,
  source: WrittenBlock,
  anchor: Block | undefined,
  first: Block | undefined,
): readonly Splice[] {
  const from = lineStart(text, block.start)
  const near = anchor ?? first
  if (near === undefined || from === 0 || !ownsLines(text, block)) return []
  const lines = blockLines(commentsOf(source), textOfBlock(source), block.column)
  const inFront = anchor === undefined && ownsLines(text, near)
  const at = inFront ? lineStart(text, near.start) : near.end
  return [
    { start: at, end: at, text: inFront ? `${lines}\n` : `\n${lines}` },
    { start: lineEnd(text, lineStart(text, from - 1)), end: block.end, text: '' },
  ]
}
