import type { Builder } from '../yaml/read/builder.ts'
import type { Entry, Node, SequenceItem } from '../yaml/read/node.ts'
import { MAX_ITEMS } from './limits.ts'
import { WireError } from './wire-error.ts'

/** Nodes of the root and of its entries and their items, all others without what is in them: what a list is cut by, of a text of any size. */
export const OUTLINE: Builder<Node, { readonly entries: Entry[]; readonly keys: Set<string> }, SequenceItem[]> = {
  scalar: (scalar) => scalar,
  openMap: () => ({ entries: [], keys: new Set() }),
  hasKey: ({ keys }, key) => keys.has(key),
  addEntry: ({ entries, keys }, key, value) => {
    keys.add(key.text)
    entries.push({ key, value: value.type === 'map' ? { ...value, entries: [] } : value })
  },
  closeMap: ({ entries }, { flow, start, end }) => ({ type: 'map', flow, entries, start, end }),
  openList: () => [],
  addItem: (items, dash, value) => {
    if (items.length === MAX_ITEMS) throw new WireError(`expected at most ${MAX_ITEMS} items, found more`)
    items.push({ dash, value: bare(value) })
  },
  closeList: (items, { flow, start, end }) => ({ type: 'sequence', flow, items, start, end }),
}

function bare(value: Node): Node {
  if (value.type === 'map') return { ...value, entries: [] }
  return value.type === 'sequence' ? { ...value, items: [] } : value
}
