import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** Finds symbolic links among the folders above others. Each folder is checked once. */
export class Links {
  readonly #root: string
  readonly #known = new Map<string, boolean>()

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the outermost link above a folder, by its path below the root; undefined if there is none. */
  above(folder: string): string | undefined {
    for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', end + 1)) {
      const above = folder.slice(0, end)
      if (this.#isLink(above)) return above
    }
    return undefined
  }

  #isLink(folder: string): boolean {
    const known = this.#known.get(folder)
    if (known !== undefined) return known
    const isLink = lstatSync(join(this.#root, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true
    this.#known.set(folder, isLink)
    return isLink
  }
}
