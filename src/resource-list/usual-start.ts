/** apiVersion and kind of an item. */
export interface UsualStart {
  readonly apiVersion: string
  readonly kind: string
}

const TWO_LINES = /^- apiVersion: ([A-Za-z0-9./-]+)\n {2}kind: ([A-Za-z0-9]+)\n$/

/** A list has many items of few kinds: each pair of lines is read once. */
const known = new Map<string, UsualStart | undefined>()
const MAX_KNOWN = 1000

/** What the first two lines of an item say when they are those that kpt writes; undefined for any other text. */
export function usualStart(text: string): UsualStart | undefined {
  const first = text.indexOf('\n')
  const lines = text.slice(0, text.indexOf('\n', first + 1) + 1)
  if (!known.has(lines)) {
    if (known.size === MAX_KNOWN) known.clear()
    known.set(lines, read(lines))
  }
  return known.get(lines)
}

function read(lines: string): UsualStart | undefined {
  const [, apiVersion, kind] = TWO_LINES.exec(lines) ?? []
  return apiVersion === undefined || kind === undefined ? undefined : { apiVersion, kind }
}
