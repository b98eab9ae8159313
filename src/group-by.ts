/** Returns the items without those that JSON writes as an earlier one. */
export function distinctItems<Item>(items: Iterable<Item>): readonly Item[] {
  return [...new Map(Array.from(items, (item) => [JSON.stringify(item), item])).values()]
}

/** Returns the items by key. Keys are in the order of their first items. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
