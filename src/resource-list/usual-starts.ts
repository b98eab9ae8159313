/** apiVersion and kind of an item. */
export interface UsualStart {
  readonly apiVersion: string
  readonly kind: string
}

/** Matches the first two lines of an item as kpt writes them. `kind: null` does not match, because null is not a text. */
const TWO_LINES = /^- apiVersion: (?!(?:null|Null|NULL)\n)([A-Za-z0-9./-]+)\n {2}kind: (?!(?:null|Null|NULL)\n)([A-Za-z0-9]+)\n$/

/** Matches the next key of the item, or the end: a deeper line, also one after empty lines, would continue the value of `kind`. */
const NEXT_KEY = / {2}[A-Za-z]|$/y

/** A cache of the first two lines of items: a list has many items of few kinds, so each pair of lines is parsed once. */
export class UsualStarts {
  readonly #known = new Map<string, UsualStart | undefined>()

  /** Returns apiVersion and kind from the first two lines of an item if kpt would write them so, undefined for any other text. */
  of(text: string): UsualStart | undefined {
    const first = text.indexOf('\n')
    const end = text.indexOf('\n', first + 1) + 1
    NEXT_KEY.lastIndex = end
    if (!NEXT_KEY.test(text)) return undefined
    const lines = text.slice(0, end)
    const known = this.#known.get(lines)
    if (known !== undefined || this.#known.has(lines)) return known
    const start = read(lines)
    this.#known.set(lines, start)
    return start
  }
}

function read(lines: string): UsualStart | undefined {
  const [, apiVersion, kind] = TWO_LINES.exec(lines) ?? []
  return apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind }
}
