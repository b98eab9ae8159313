import { equalJson, type JsonValue } from '../json.ts'
import { isWireAnnotation } from '../resource-list/wire-annotations.ts'
import { UPSTREAM_IDENTIFIER } from '../well-known.ts'
import type { Splice } from '../yaml/edit/apply-splices.ts'
import {
  type Block,
  blockAt,
  blockLines,
  bodyText,
  commentsAbove,
  linesAbove,
  ownsLines,
  withBody,
  withCommentsAbove,
  withLinesAbove,
} from '../yaml/edit/block.ts'
import { columnOf, lineEnd, lineStart } from '../yaml/read/lines.ts'
import type { Node } from '../yaml/read/node.ts'
import { nodeValue } from '../yaml/read/node-value.ts'
import { fieldRule, listRule, type MergeRule } from './merge-rule.ts'
import type { ThreeWay } from './package-files.ts'
import { pairListEntries } from './pair-list-entries.ts'

/**
 * Returns the splices that give the result of a merge upstream's text. An entry that the downstream did not change gets upstream's
 * spelling. An entry that upstream added gets upstream's comments and place. Comments above and behind an entry are merged separately:
 * upstream's, if the downstream did not change them.
 */
export function graftSplices(result: NodeInText, sides: ThreeWay<NodeInText>, rule: MergeRule | undefined): readonly Splice[] {
  if (result.node.type === 'map') return mapSplices(result, sides, rule)
  return result.node.type === 'sequence' ? listSplices(result, sides, rule) : []
}

/**
 * Returns the splice that gives the result upstream's comments and blank lines below the last entry, if the downstream did not change the
 * comments there.
 */
export function footSplices(result: NodeInText, { base, theirs, ours }: ThreeWay<NodeInText>): readonly Splice[] {
  if (base === undefined || theirs === undefined || ours === undefined) return []
  if ([result, base, theirs, ours].some(({ node }) => node.type !== 'map' || node.flow)) return []
  const feet = { base: footOf(base), theirs: footOf(theirs), ours: footOf(ours) }
  const isSpacing = commentLines(feet.base) === commentLines(feet.theirs)
  const isLeftAlone = isSpacing ? feet.base === feet.ours : commentLines(feet.base) === commentLines(feet.ours)
  return isLeftAlone && feet.base !== feet.theirs ? [{ start: footStart(result), end: result.text.length, text: feet.theirs }] : []
}

function footStart({ text, node }: NodeInText): number {
  return lineEnd(text, node.end)
}

/** Returns the lines below the last entry of an object, from the end of the entry's last line on, without the indentation of an item. */
function footOf(side: NodeInText): string {
  const indent = ' '.repeat(columnOf(side.text, side.node.start))
  return side.text.slice(footStart(side)).replaceAll('\r\n', '\n').replaceAll(`\n${indent}`, '\n')
}

function mapSplices(result: NodeInText, sides: ThreeWay<NodeInText>, rule: MergeRule | undefined): readonly Splice[] {
  const keys = keysOf(result)
  const [inBase, inTheirs] = [keysBefore(sides.base), keysBefore(sides.theirs)]
  const inside: (readonly Splice[])[] = []
  const added = new Map<string, WrittenBlock>()
  for (const key of keys) {
    if (isWireAnnotation(key) || key === UPSTREAM_IDENTIFIER) continue
    const [own, theirs, ours] = [writtenAt(result, key), writtenAt(sides.theirs, key), writtenAt(sides.ours, key)]
    if (own === undefined || theirs === undefined) continue
    if (ours === undefined) added.set(key, theirs)
    else {
      const isMoved = inBase.get(key) !== inTheirs.get(key)
      const blocks = { base: writtenAt(sides.base, key), theirs, ours }
      inside.push(blockSplices(own, blocks, { rule: fieldRule(rule, key), isMoved }))
    }
  }
  return [placeAdded(result, sides.theirs, added), ...inside].flat()
}

function listSplices(result: NodeInText, sides: ThreeWay<NodeInText>, rule: MergeRule | undefined): readonly Splice[] {
  const lists = { base: listOf(sides.base), theirs: listOf(sides.theirs), ours: listOf(result) }
  const key = listRule(rule, lists)
  const entries = key && pairListEntries(lists, key.key)
  const before = key && pairListEntries({ base: listOf(sides.ours), theirs: lists.ours, ours: undefined }, key.key)
  const inOurs = new Map(before?.map((entry) => [entry.theirs, entry.base]))
  const inBase = new Map(entries?.map((entry) => [entry.theirs, entry.base]))
  return (entries ?? []).flatMap((entry) => {
    const own = writtenAt(result, entry.ours)
    const theirs = writtenAt(sides.theirs, entry.theirs)
    const ours = writtenAt(sides.ours, inOurs.get(entry.ours))
    if (own === undefined || theirs === undefined) return []
    if (ours === undefined) return isSameValue(own, theirs) ? [...commentSplices(own, theirs), ...bodySplice(own, theirs)] : []
    const before = (entry.theirs ?? 0) - 1
    const isMoved = (before < 0 ? before : inBase.get(before)) !== (entry.base ?? 0) - 1
    const blocks = { base: writtenAt(sides.base, entry.base), theirs, ours }
    return blockSplices(own, blocks, { rule: key?.entries, isMoved })
  })
}

interface Place {
  readonly rule: MergeRule | undefined
  /** True if the entry follows another entry in upstream than in base. */
  readonly isMoved: boolean
}

/** Returns the splices of an entry that all sides have. An entry that both sides added keeps the downstream's text. */
function blockSplices(own: WrittenBlock, sides: ThreeWay<WrittenBlock>, { rule, isMoved }: Place): readonly Splice[] {
  const { base, theirs, ours } = sides
  if (base === undefined || theirs === undefined || ours === undefined) return []
  const above = aboveSplices(own, { base, theirs, ours }, isMoved)
  const bodies = { base: textOfBlock(base), theirs: textOfBlock(theirs), ours: textOfBlock(ours) }
  if (bodies.base === bodies.theirs && !bodies.theirs.includes('*')) return above
  // The result holds the value of an alias; with upstream's change, the alias is correct again.
  if (bodies.base === bodies.theirs && bodies.ours === bodies.theirs) return [...above, ...bodySplice(own, theirs)]
  if (bodies.base === bodies.ours && isSameValue(own, theirs)) return [...above, ...bodySplice(own, theirs)]
  const inside = { base: valueIn(base), theirs: valueIn(theirs), ours: valueIn(ours) }
  const behind = isTaken(behindOf(base), behindOf(theirs), behindOf(ours)) ? behindSplice(own, theirs) : []
  return [...above, ...behind, ...spellingSplice(own, theirs, ours), ...graftSplices(valueIn(own), inside, rule)]
}

/** Returns true if upstream changed a text that the downstream did not change. */
function isTaken(base: string, theirs: string, ours: string): boolean {
  return base === ours && base !== theirs
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
  const { base, theirs, ours } = sides
  if (!ownsLines(own.text, own.block)) return []
  if (isMoved) {
    const isNew = !commentLines(linesOf(ours)).includes(commentsOf(theirs))
    return isNew && isTaken(commentsOf(base), commentsOf(theirs), commentsOf(ours)) ? commentSplices(own, theirs) : []
  }
  const lines = { base: linesOf(base), theirs: linesOf(theirs), ours: linesOf(ours) }
  const isSpacing = commentLines(lines.base) === commentLines(lines.theirs)
  const isLeftAlone = isSpacing ? lines.base === lines.ours : commentLines(lines.base) === commentLines(lines.ours)
  return isLeftAlone && lines.base !== lines.theirs ? [withLinesAbove(own.text, own.block, lines.theirs)] : []
}

/** Returns the lines that are not blank. */
function commentLines(lines: string): string {
  return lines.replace(/^\s*\n/gm, '')
}

function commentSplices(own: WrittenBlock, theirs: WrittenBlock): readonly Splice[] {
  return ownsLines(own.text, own.block) ? [withCommentsAbove(own.text, own.block, commentsOf(theirs))] : []
}

function bodySplice(own: WrittenBlock, theirs: WrittenBlock): readonly Splice[] {
  return [withBody(own.block, textOfBlock(theirs))]
}

function behindSplice({ block }: WrittenBlock, theirs: WrittenBlock): readonly Splice[] {
  return block.behind === undefined ? [] : [{ ...block.behind, text: behindOf(theirs) }]
}

/** Returns the splice that gives a number or boolean upstream's spelling: `0644`, `1.0`. */
function spellingSplice(own: WrittenBlock, theirs: WrittenBlock, ours: WrittenBlock): readonly Splice[] {
  const [node, source] = [own.block.value, theirs.block.value]
  if (node.type !== 'scalar' || source.type !== 'scalar' || node.style !== 'plain' || source.style !== 'plain') return []
  if (node.text === source.text || !isSameValue(own, theirs) || isSameValue(own, ours)) return []
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
function placeAdded(result: NodeInText, theirs: NodeInText | undefined, added: ReadonlyMap<string, WrittenBlock>): readonly Splice[] {
  if (added.size === 0 || theirs?.node.type !== 'map' || result.node.type !== 'map') return []
  const keys = result.node.entries.map(({ key }) => key.text)
  const before = new Map(keys.map((key, index) => [key, keys[index - 1]]))
  const first = writtenAt(
    result,
    keys.find((key) => !added.has(key)),
  )?.block
  const splices: Splice[] = []
  let [anchor, previous, hasMoved]: [Block | undefined, string | undefined, boolean] = [undefined, undefined, false]
  for (const { key } of theirs.node.entries) {
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

/** A YAML node and the text that the node was read from. */
interface NodeInText {
  readonly text: string
  readonly node: Node
}

/** An entry of a block map or list, and the text that the entry was read from. */
interface WrittenBlock {
  readonly text: string
  readonly block: Block
}

function writtenAt(parent: NodeInText | undefined, step: string | number | undefined): WrittenBlock | undefined {
  const block = parent === undefined || step === undefined ? undefined : blockAt(parent.text, parent.node, step)
  return parent && block && { text: parent.text, block }
}

function isSameValue(a: WrittenBlock, b: WrittenBlock): boolean {
  return equalJson(nodeValue(a.block.value), nodeValue(b.block.value))
}

/** Returns the comment lines above an entry, without indentation. */
function commentsOf({ text, block }: WrittenBlock): string {
  return commentsAbove(text, block)
}

/** Returns the comment lines and blank lines between an entry and the one before, without indentation. */
function linesOf({ text, block }: WrittenBlock): string {
  return linesAbove(text, block)
}

/** Returns the text of an entry from its key or dash on, without the indentation of the block. */
function textOfBlock({ text, block }: WrittenBlock): string {
  return bodyText(text, block)
}
