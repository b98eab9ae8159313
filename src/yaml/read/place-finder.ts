import type { FieldPath } from '../../field-path.ts'
import { isKey, readKey } from './fast-plain.ts'
import type { ObjectFrame } from './fast-reader.ts'
import { findEntry, type Node, nodesAlong } from './node.ts'
import { TextCursor } from './text-cursor.ts'

/** A member of a block map or sequence: its key, and its column. */
interface Member {
  readonly key: number | undefined
  /** The offset after the colon or dash. */
  readonly behind: number
  readonly column: number
}

/**
 * Finds the offsets of values in a text that the fast reader accepts, without reading their neighbours: the lines of other members are
 * skipped by their indentation. Nodes for a catalog of 70 MB with a thousand findings would take a gigabyte.
 */
export class PlaceFinder {
  readonly #at: TextCursor
  readonly #root: NodePlace
  /** The members of the maps and lists visited so far, by the offset of the first member. */
  readonly #members = new Map<number, ReadonlyMap<string | number, Member>>()

  constructor(text: string, frame: ObjectFrame) {
    this.#at = new TextCursor(text)
    const column = this.#at.nextContent()
    if (frame === 'document') this.#root = { key: undefined, value: this.#at.offset, type: this.#typeHere({ mayBeBlock: true }) }
    else this.#root = { ...this.#open(frame === 'item' ? this.#item(column) : this.#entry(column)), key: undefined }
  }

  /** Returns the place at a path, or of its nearest ancestor; undefined when the path leads into a flow collection, which needs nodes. */
  find(path: FieldPath): FoundPlace | undefined {
    let place = this.#root
    for (const [steps, step] of path.entries()) {
      if (place.type === 'flow') return undefined
      const members = this.#membersOf(place)
      const member = members.get(step) ?? members.get(String(step))
      if (member === undefined) return { place, steps }
      place = this.#open(member)
    }
    return { place, steps: path.length }
  }

  #membersOf({ value, type }: NodePlace): ReadonlyMap<string | number, Member> {
    const known = this.#members.get(value)
    if (known !== undefined) return known
    const members = type === 'scalar' ? new Map() : this.#scan(value)
    this.#members.set(value, members)
    return members
  }

  #scan(offset: number): ReadonlyMap<string | number, Member> {
    const column = this.#at.moveTo(offset)
    return this.#at.isDash() ? this.#items(column) : this.#entries(column)
  }

  #items(column: number): ReadonlyMap<number, Member> {
    const items = new Map<number, Member>()
    do {
      items.set(items.size, this.#item(column))
      this.#at.skipDeeper(column)
    } while (this.#at.nextContent() === column && this.#at.isDash())
    return items
  }

  #entries(column: number): ReadonlyMap<string, Member> {
    const entries = new Map<string, Member>()
    do {
      const entry = this.#entry(column)
      entries.set(entry.name, entry)
      this.#at.skipValue(column)
    } while (this.#at.nextContent() === column)
    return entries
  }

  #item(column: number): Member {
    this.#at.offset++
    return { key: undefined, behind: this.#at.offset, column }
  }

  #entry(column: number): Member & { readonly name: string } {
    const { start, text } = readKey(this.#at)
    return { key: start, behind: this.#at.offset, column, name: text }
  }

  /** Returns the place of a member's value: on its line, or on the next lines if these are deeper. */
  #open({ key, behind, column }: Member): NodePlace {
    this.#at.moveTo(behind)
    this.#at.skipSpaces()
    if (!this.#at.isLineEnd()) return { key, value: this.#at.offset, type: this.#typeHere({ mayBeBlock: key === undefined }) }
    const next = this.#at.nextContent()
    const isBelow = next > column || (key !== undefined && next === column && this.#at.isDash())
    return isBelow ? { key, value: this.#at.offset, type: this.#typeHere({ mayBeBlock: true }) } : { key, value: behind, type: 'scalar' }
  }

  /** @param options.mayBeBlock  false for a value on the line of its key, where no map or list can begin */
  #typeHere({ mayBeBlock }: { readonly mayBeBlock: boolean }): NodePlace['type'] {
    if (mayBeBlock && (this.#at.isDash() || isKey(this.#at))) return 'block'
    const char = this.#at.char()
    return char === '{' || char === '[' ? 'flow' : 'scalar'
  }
}

/** The offset of a value in its text, and that of its key if it has one. */
interface NodePlace {
  readonly key: number | undefined
  readonly value: number
  readonly type: 'scalar' | 'block' | 'flow' | 'alias'
}

/** The place at a path, or of its nearest existing ancestor, and the number of steps of the path that lead there. */
export interface FoundPlace {
  readonly place: NodePlace
  readonly steps: number
}

/** Finds the place at a path among nodes. */
export function placeInTree(root: Node, path: FieldPath): FoundPlace {
  const nodes = nodesAlong(root, path)
  const steps = nodes.length - 1
  const [parent, node = root] = [nodes.at(-2), nodes.at(-1)]
  const key = parent?.type === 'map' ? findEntry(parent, String(path[steps - 1]))?.key.start : undefined
  return { place: { key, value: node.start, type: typeOf(node) }, steps }
}

function typeOf(node: Node): NodePlace['type'] {
  if (node.type === 'map' || node.type === 'sequence') return node.flow ? 'flow' : 'block'
  return node.type
}
