import { type ContentRecord, Copied, type EmittedValue, isContentList, isContentRecord } from '../emit/content.ts'
import { copied, copiedEntries, copiedItems } from '../emit/copied.ts'
import { targetOf } from '../read/alias-targets.ts'
import { type AliasNode, findEntry, type Node, type ScalarNode } from '../read/node.ts'
import type { EditedMap } from './edited-map.ts'

/** What is to become of a node: it stays as it is, something is written in its place, or its members change. */
export type EditTree = Node | EmittedNode | EditedMap | EditedList

interface Edited {
  /** The node in whose place it stands; undefined for what is new. */
  readonly was: Node | undefined
}

export interface EmittedNode extends Edited {
  readonly type: 'written'
  readonly content: EmittedValue
  /** Of what is copied: its key as it is spelled there. */
  readonly key?: ScalarNode | undefined
}

/** The items in their order: those that were there, and new ones. */
export interface EditedList extends Edited {
  readonly type: 'edited-list'
  readonly items: EditTree[]
}

/** The node in whose place a draft stands. */
export function nodeOf(draft: EditTree): Node | undefined {
  return isNode(draft) ? draft : draft.was
}

export function isNode(draft: EditTree): draft is Node {
  return draft.type !== 'written' && draft.type !== 'edited-map' && draft.type !== 'edited-list'
}

/** The entries of a draft that is a map. Of a key that stands twice the last counts. */
export function draftEntries(draft: EditTree): ReadonlyMap<string, EditTree> | undefined {
  if (draft.type === 'map') return new Map(draft.entries.map(({ key, value }) => [key.text, value]))
  if (draft.type === 'written') return newEntries(draft.content)
  return draft.type === 'edited-map' ? draft.entries() : undefined
}

export function newEntries(content: EmittedValue): Map<string, EditTree> | undefined {
  const entries = contentEntries(content)
  return entries && new Map(entries.map(({ name, key, value }) => [name, { type: 'written', was: undefined, content: value, key }]))
}

/** The items of a draft that is a list. */
export function draftItems(draft: EditTree): EditTree[] | undefined {
  if (draft.type === 'sequence') return draft.items.map(({ value }) => value)
  if (draft.type === 'edited-list') return draft.items
  if (draft.type !== 'written') return undefined
  return contentItems(draft.content)?.map((content): EditTree => ({ type: 'written', was: undefined, content }))
}

/** What one step of a path leads to. */
export function draftChild(draft: EditTree, step: string | number): EditTree | undefined {
  switch (draft.type) {
    case 'map':
      return findEntry(draft, String(step))?.value
    case 'sequence':
      return typeof step === 'number' ? draft.items[step]?.value : undefined
    case 'edited-map':
      return draft.get(String(step))
    case 'edited-list':
      return typeof step === 'number' ? draft.items[step] : undefined
    case 'written':
      return childOfContent(draft.content, step)
    case 'alias':
      return childOfAlias(draft, step)
    default:
      return undefined
  }
}

function childOfAlias(alias: AliasNode, step: string | number): EditTree | undefined {
  const target = targetOf(alias)
  return target === undefined ? undefined : draftChild(target, step)
}

function childOfContent(content: EmittedValue, step: string | number): EditTree | undefined {
  const node = content instanceof Copied ? draftChild(content.node, step) : undefined
  if (node !== undefined && isNode(node)) return { type: 'written', was: undefined, content: copied(node) }
  const child = isContentList(content) && typeof step === 'number' ? content[step] : ownEntry(content, String(step))
  return child === undefined ? undefined : { type: 'written', was: undefined, content: child }
}

function ownEntry(content: EmittedValue, key: string): EmittedValue | undefined {
  return isContentRecord(content) && Object.hasOwn(content, key) ? content[key] : undefined
}

/** An entry to be written. */
export interface ContentEntry {
  readonly name: string
  readonly key?: ScalarNode
  readonly value: EmittedValue
}

/** The entries of content that is a map. */
export function contentEntries(content: EmittedValue): readonly ContentEntry[] | undefined {
  if (isContentRecord(content)) return Object.entries(content).map(([name, value]) => ({ name, value }))
  if (!(content instanceof Copied) || content.node.type !== 'map') return undefined
  return copiedEntries(content.node).map(({ key, value }) => ({ name: key.text, key, value }))
}

/** The items of content that is a list. */
export function contentItems(content: EmittedValue): readonly EmittedValue[] | undefined {
  if (isContentList(content)) return content
  return content instanceof Copied && content.node.type === 'sequence' ? copiedItems(content.node) : undefined
}

/** A draft as it would be written anew. Throws AliasError for an alias. */
export function contentOf(draft: EditTree): EmittedValue {
  if (draft.type === 'written') return draft.content
  if (draft.type === 'edited-list') return draft.items.map(contentOf)
  if (draft.type !== 'edited-map') return copied(draft)
  const record: { [key: string]: EmittedValue } = Object.create(null)
  for (const [key, value] of draft.entries()) record[key] = contentOf(value)
  return record satisfies ContentRecord
}
