/** apiVersion and kind of an item. */
export interface UsualStart {
  readonly apiVersion: string
  readonly kind: string
}

/** Not of `kind: null`, which is no text. */
const TWO_LINES = /^- apiVersion: (?!(?:null|Null|NULL)\n)([A-Za-z0-9./-]+)\n {2}kind: (?!(?:null|Null|NULL)\n)([A-Za-z0-9]+)\n$/

/** The kind would go on on a deeper line, also behind empty ones. */
const NEXT_KEY = / {2}[A-Za-z]|$/y

/** How the items of a list begin. It has many items of few kinds: each pair of lines is read once. */
export class UsualStarts {
  readonly #known = new Map<string, UsualStart | undefined>()

  /** What the first two lines of an item say when they are those that kpt writes; undefined for any other text. */
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
