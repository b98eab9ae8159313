import type { FieldPath } from '../../field-path.ts'
import type { JsonScalar } from '../../json.ts'
import type { Node } from '../../yaml/read/node.ts'
import { scalarValue } from '../../yaml/read/node-value.ts'

/**
 * A value of an object, with the replacements so far. Replacements read what earlier ones wrote, and an object may have thousands of
 * them: the tree is edited beside the object, whose text is then read once and written once.
 */
export type Field = ScalarField | MapField | ListField | AliasField

export interface ScalarField {
  readonly type: 'scalar'
  readonly text: string
  readonly value: JsonScalar
}

export interface MapField {
  readonly type: 'map'
  readonly entries: Map<string, Field>
}

export interface ListField {
  readonly type: 'list'
  readonly items: Field[]
}

export interface AliasField {
  readonly type: 'alias'
}

/** A field, and its place in its object. */
export interface FieldAt {
  readonly path: FieldPath
  readonly field: Field
}

/** Returns the tree of a node. */
export function treeOfNode(node: Node): Field {
  switch (node.type) {
    case 'scalar':
      return { type: 'scalar', text: node.text, value: scalarValue(node) }
    case 'map':
      return { type: 'map', entries: new Map(node.entries.map(({ key, value }) => [key.text, treeOfNode(value)])) }
    case 'sequence':
      return { type: 'list', items: node.items.map(({ value }) => treeOfNode(value)) }
    case 'alias':
      return { type: 'alias' }
  }
}

/** Returns the scalar that a text is when nothing says which type it has: `80` is a number, '' is null. */
export function plainScalar(text: string): ScalarField {
  return { type: 'scalar', text, value: scalarValue({ style: 'plain', text }) }
}

/** Returns an independent copy. */
export function copyOf(field: Field): Field {
  if (field.type === 'map') return { type: 'map', entries: new Map(Array.from(field.entries, ([key, value]) => [key, copyOf(value)])) }
  return field.type === 'list' ? { type: 'list', items: field.items.map(copyOf) } : field
}

/** Returns the number of characters in the scalars of a field, and one for each map, list and scalar. */
export function sizeOfField(field: Field): number {
  if (field.type === 'scalar') return 1 + field.text.length
  let size = 1
  for (const member of field.type === 'map' ? field.entries.values() : field.type === 'list' ? field.items : []) size += sizeOfField(member)
  return size
}

/** Returns the member of a map or list at one step of a path. */
export function memberField(field: Field, step: string | number): Field | undefined {
  if (field.type === 'map') return field.entries.get(String(step))
  return field.type === 'list' && typeof step === 'number' ? field.items[step] : undefined
}

/** Puts a field at a path whose holder exists: replaces a member, or adds one to a map or at the end of a list. */
export function putField(root: Field, path: FieldPath, field: Field): void {
  const { holder, step } = holderOf(root, path)
  if (holder?.type === 'map') holder.entries.set(String(step), field)
  else if (holder?.type === 'list' && typeof step === 'number') holder.items[step] = field
}

/** Takes a member out of its map or list. */
export function dropField(root: Field, path: FieldPath): void {
  const { holder, step } = holderOf(root, path)
  if (holder?.type === 'map') holder.entries.delete(String(step))
  else if (holder?.type === 'list' && typeof step === 'number') holder.items.splice(step, 1)
}

function holderOf(root: Field, path: FieldPath): { readonly holder: Field | undefined; readonly step: string | number } {
  const holder = path.slice(0, -1).reduce<Field | undefined>((at, each) => at && memberField(at, each), root)
  return { holder, step: path.at(-1) ?? '' }
}

/** Returns true for null: a field without a value. */
export function isNull(field: Field): boolean {
  return field.type === 'scalar' && field.value === null
}

/** Names the kind of a field in a message. */
export function describeField(field: Field): string {
  if (field.type !== 'scalar') return field.type === 'alias' ? 'an alias' : `a ${field.type}`
  return field.value === null ? 'null' : `'${field.text}'`
}
