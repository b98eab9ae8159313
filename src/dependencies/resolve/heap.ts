/** Gives back the least first. */
export class Heap<Item> {
  readonly #items: Item[] = []
  readonly #compare: (a: Item, b: Item) => number

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare
  }

  peek(): Item | undefined {
    return this.#items[0]
  }

  push(item: Item): void {
    const items = this.#items
    let at = items.length
    for (let up = (at - 1) >> 1; at > 0 && this.#isLess(item, items[up]); up = (at - 1) >> 1) {
      this.#put(items[up], at)
      at = up
    }
    items[at] = item
  }

  /** Removes the least. */
  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    let at = 0
    for (let down = this.#lesserBelow(at); this.#isLess(this.#items[down], last); down = this.#lesserBelow(at)) {
      this.#put(this.#items[down], at)
      at = down
    }
    this.#items[at] = last
  }

  #lesserBelow(at: number): number {
    const left = 2 * at + 1
    return this.#isLess(this.#items[left + 1], this.#items[left]) ? left + 1 : left
  }

  #isLess(a: Item | undefined, b: Item | undefined): boolean {
    return a !== undefined && b !== undefined && this.#compare(a, b) < 0
  }

  #put(item: Item | undefined, at: number): void {
    if (item !== undefined) this.#items[at] = item
  }
}
