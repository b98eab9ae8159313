import { isRecord, type JsonRecord, type JsonValue, newRecord } from '../json.ts'
import { mergedEntry, mergeOf } from '../yaml/read/merge-keys.ts'
import { findEntry, type MapNode, type Node, type SequenceNode } from '../yaml/read/node.ts'
import { nodeValue } from '../yaml/read/node-value.ts'
import { fieldRule, listRule, type MergeRule } from './merge-rule.ts'
import { SIDES, type ThreeWay } from './package-files.ts'
import { pairListEntries } from './pair-list-entries.ts'

type Nodes = ThreeWay<Node>

/** A node that all sides have. */
type OnAllSides<T> = { readonly [side in keyof ThreeWay<T>]: T }

/**
 * Returns upstream's value without the changes that a person has overridden beside a merge key: with `<<: *l` on all sides, and `a: mine`
 * below it downstream, upstream changed what `l` stands for and not this `a`. Without this, the person's `a` would be in conflict with
 * every change of the anchor, and lost.
 *
 * @param theirs  upstream's value; it is not changed
 * @param nodes   the three sides as written
 */
export function withoutOverridden(theirs: JsonValue, nodes: Nodes, rule: MergeRule | undefined): JsonValue {
  const { base, theirs: upstream, ours } = nodes
  if (isMap(base) && isMap(upstream) && isMap(ours) && isRecord(theirs))
    return overriddenInMap(theirs, { base, theirs: upstream, ours }, rule)
  if (isList(base) && isList(upstream) && isList(ours) && Array.isArray(theirs))
    return overriddenInList(theirs, { base, theirs: upstream, ours }, rule)
  return theirs
}

function overriddenInMap(theirs: JsonRecord, sides: OnAllSides<MapNode>, rule: MergeRule | undefined): JsonValue {
  const { base, theirs: upstream, ours } = sides
  const value = Object.assign(newRecord(), theirs)
  const isMerging = SIDES.every((side) => mergeOf(sides[side]) !== undefined)
  for (const { key } of ours.entries) {
    const [inBase, inTheirs, inOurs] = [base, upstream, ours].map((map) => findEntry(map, key.text)?.value)
    const inherited = mergedEntry(base, key.text)?.value
    if (isMerging && inBase === undefined && inTheirs === undefined && inherited !== undefined) value[key.text] = nodeValue(inherited)
    else if (value[key.text] !== undefined)
      value[key.text] = withoutOverridden(
        value[key.text] ?? null,
        { base: inBase, theirs: inTheirs, ours: inOurs },
        fieldRule(rule, key.text),
      )
  }
  return value
}

function overriddenInList(theirs: readonly JsonValue[], sides: OnAllSides<SequenceNode>, rule: MergeRule | undefined): JsonValue {
  const values = (side: keyof typeof sides) => sides[side].items.map((item) => nodeValue(item.value))
  const lists = { base: values('base'), theirs: values('theirs'), ours: values('ours') }
  const key = listRule(rule, lists)
  const entries = key && pairListEntries(lists, key.key)
  const value = [...theirs]
  for (const at of entries ?? []) {
    const node = (side: keyof typeof sides) => sides[side].items[at[side] ?? -1]?.value
    const entry = at.theirs === undefined ? undefined : value[at.theirs]
    if (at.theirs !== undefined && entry !== undefined)
      value[at.theirs] = withoutOverridden(entry, { base: node('base'), theirs: node('theirs'), ours: node('ours') }, key?.entries)
  }
  return value
}

function isMap(node: Node | undefined): node is MapNode {
  return node?.type === 'map'
}

function isList(node: Node | undefined): node is SequenceNode {
  return node?.type === 'sequence'
}
