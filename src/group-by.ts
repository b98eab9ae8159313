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

/** Returns each item whose key an earlier item has, with the first item of the key. Items are in their order. */
export function repeatsOf<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): { readonly first: Item; readonly again: Item }[] {
  const firsts = new Map<Key, Item>()
  const repeats: { readonly first: Item; readonly again: Item }[] = []
  for (const again of items) {
    const key = keyOf(again)
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, again)
    else repeats.push({ first, again })
  }
  return repeats
}

/** Returns the entries that have a value. */
export function definedEntries<Key, Value>(entries: Iterable<readonly [Key, Value | undefined]>): Map<Key, Value> {
  const defined = new Map<Key, Value>()
  for (const [key, value] of entries) if (value !== undefined) defined.set(key, value)
  return defined
}

/** Returns the first item of each key. */
export function firstOfEach<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): ReadonlyMap<Key, Item> {
  const firsts = new Map<Key, Item>()
  for (const item of items) {
    const key = keyOf(item)
    if (!firsts.has(key)) firsts.set(key, item)
  }
  return firsts
}
