/** Things that belong together, directly or through others (union-find). */
export class Ties<Thing> {
  readonly #parents = new Map<Thing, Thing>()

  tie(things: readonly Thing[]): void {
    const [first, ...others] = things
    if (first === undefined) return
    for (const other of others) {
      const from = this.rootOf(other)
      const to = this.rootOf(first)
      if (from !== to) this.#parents.set(from, to)
    }
  }

  /** The one that stands for all that belong together with a thing. */
  rootOf(thing: Thing): Thing {
    let root = thing
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) {
      // Halves the way for those who come later.
      const above = this.#parents.get(up)
      if (above !== undefined) this.#parents.set(root, above)
      root = up
    }
    return root
  }
}
