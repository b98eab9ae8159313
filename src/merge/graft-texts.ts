import type { JsonValue } from '../json.ts'
import { isWireAnnotation } from '../resource-list/wire-annotations.ts'
import { ownsLines, withBody, withCommentsAbove } from '../yaml/edit/block.ts'
import type { Splice } from '../yaml/edit/splice.ts'
import { nodeValue } from '../yaml/read/node-value.ts'
import { fieldRule, listRule, type MergeRule } from './merge-rule.ts'
import { pairEntries } from './pair-entries.ts'
import { placeAdded } from './place-added.ts'
import type { Sides } from './sides.ts'
import { UPSTREAM_IDENTIFIER } from './upstream-identity.ts'
import { commentsOf, isSameValue, textOf, type Written, type WrittenBlock, writtenAt } from './written-block.ts'

/**
 * What the values of a merge do not say, written into the text of its result: an entry that the downstream left as the original has it is
 * written as upstream writes it, and one that upstream adds comes with its comments to the place that it has there. Comments are merged by
 * themselves, above an entry and behind it: upstream's, where the downstream left them alone.
 */
export function graftSplices(result: Written, sides: Sides<Written>, rule: MergeRule | undefined): readonly Splice[] {
  if (result.node.type === 'map') return mapSplices(result, sides, rule)
  return result.node.type === 'sequence' ? listSplices(result, sides, rule) : []
}

function mapSplices(result: Written, sides: Sides<Written>, rule: MergeRule | undefined): readonly Splice[] {
  const keys = result.node.type === 'map' ? result.node.entries.map(({ key }) => key.text) : []
  const inside: (readonly Splice[])[] = []
  const added = new Map<string, WrittenBlock>()
  for (const key of keys) {
    if (isWireAnnotation(key) || key === UPSTREAM_IDENTIFIER) continue
    const [own, upstream, downstream] = [writtenAt(result, key), writtenAt(sides.upstream, key), writtenAt(sides.downstream, key)]
    if (own === undefined || upstream === undefined) continue
    if (downstream === undefined) added.set(key, upstream)
    else inside.push(blockSplices(own, { original: writtenAt(sides.original, key), upstream, downstream }, fieldRule(rule, key)))
  }
  return [placeAdded(result, sides.upstream, added), ...inside].flat()
}

function listSplices(result: Written, sides: Sides<Written>, rule: MergeRule | undefined): readonly Splice[] {
  const lists = { original: listOf(sides.original), upstream: listOf(sides.upstream), downstream: listOf(result) }
  const key = listRule(rule, lists)
  const entries = key && pairEntries(lists, key.key)
  const before = key && pairEntries({ original: listOf(sides.downstream), upstream: lists.downstream, downstream: undefined }, key.key)
  const inDownstream = new Map(before?.map((entry) => [entry.upstream, entry.original]))
  return (entries ?? []).flatMap((entry) => {
    const own = writtenAt(result, entry.downstream)
    const upstream = writtenAt(sides.upstream, entry.upstream)
    const downstream = writtenAt(sides.downstream, inDownstream.get(entry.downstream))
    if (own === undefined || upstream === undefined) return []
    if (downstream === undefined) return isSameValue(own, upstream) ? [...commentSplices(own, upstream), ...bodySplice(own, upstream)] : []
    return blockSplices(own, { original: writtenAt(sides.original, entry.original), upstream, downstream }, key?.entries)
  })
}

/** An entry that is there on all sides; one that both sides added stays the downstream's. */
function blockSplices(own: WrittenBlock, sides: Sides<WrittenBlock>, rule: MergeRule | undefined): readonly Splice[] {
  const { original, upstream, downstream } = sides
  if (original === undefined || upstream === undefined || downstream === undefined) return []
  const above = isTaken(commentsOf(original), commentsOf(upstream), commentsOf(downstream)) ? commentSplices(own, upstream) : []
  const bodies = { original: textOf(original), upstream: textOf(upstream), downstream: textOf(downstream) }
  if (bodies.original === bodies.upstream) return above
  if (bodies.original === bodies.downstream && isSameValue(own, upstream)) return [...above, ...bodySplice(own, upstream)]
  const inside = { original: valueIn(original), upstream: valueIn(upstream), downstream: valueIn(downstream) }
  const behind = isTaken(behindOf(original), behindOf(upstream), behindOf(downstream)) ? behindSplice(own, upstream) : []
  return [...above, ...behind, ...spellingSplice(own, upstream, downstream), ...graftSplices(valueIn(own), inside, rule)]
}

/** Whether upstream changed what the downstream left alone. */
function isTaken(original: string, upstream: string, downstream: string): boolean {
  return original === downstream && original !== upstream
}

function commentSplices(own: WrittenBlock, upstream: WrittenBlock): readonly Splice[] {
  return ownsLines(own.text, own.block) ? [withCommentsAbove(own.text, own.block, commentsOf(upstream))] : []
}

function bodySplice(own: WrittenBlock, upstream: WrittenBlock): readonly Splice[] {
  return [withBody(own.block, textOf(upstream))]
}

function behindSplice({ block }: WrittenBlock, upstream: WrittenBlock): readonly Splice[] {
  return block.behind === undefined ? [] : [{ ...block.behind, text: behindOf(upstream) }]
}

/** A number or boolean of upstream's is spelled as there: `0644`, `1.0`. */
function spellingSplice(own: WrittenBlock, upstream: WrittenBlock, downstream: WrittenBlock): readonly Splice[] {
  const [node, source] = [own.block.value, upstream.block.value]
  if (node.type !== 'scalar' || source.type !== 'scalar' || node.style !== 'plain' || source.style !== 'plain') return []
  if (node.text === source.text || !isSameValue(own, upstream) || isSameValue(own, downstream)) return []
  return [{ start: node.start, end: node.end, text: source.text }]
}

function valueIn({ text, block }: WrittenBlock): Written {
  return { text, node: block.value }
}

function listOf(side: Written | undefined): readonly JsonValue[] | undefined {
  return side?.node.type === 'sequence' ? side.node.items.map((item) => nodeValue(item.value)) : undefined
}

/** The same for every place where no comment can be, and where none is. */
function behindOf({ text, block }: WrittenBlock): string {
  return block.behind === undefined ? '' : text.slice(block.behind.start, block.behind.end).trimEnd()
}
