import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** The symbolic links among the folders above others, each looked at once. */
export class Links {
  readonly #root: string
  readonly #known = new Map<string, boolean>()

  constructor(root: string) {
    this.#root = root
  }

  /** The outermost link that a folder below the root is reached through, by its path from there. */
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
