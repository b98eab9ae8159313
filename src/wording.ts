/** Returns the first names of many, and the number of the others: `a, b, c and 4 more`. */
export function nameFirst<Named = string>(named: readonly Named[], count: number, nameOf: (one: Named) => string = String): string {
  const names = named.slice(0, count).map(nameOf).join(', ')
  const more = named.length - count
  return more > 0 ? `${names} and ${more} more` : names
}

/** Returns a number with its noun: `1 target`, `12 targets`, `7 Repositories`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  if (noun.endsWith('Matrix')) return noun.replace(/Matrix$/, 'Matrices')
  if (/(ss|x|ch|sh)$/.test(noun)) return `${noun}es`
  return noun.endsWith('s') ? noun : `${noun}s`
}

/** The highest number of characters of a name in a message. */
const LONGEST = 200

/** Returns a text that should be a name as part of a line: without line breaks, and cut if the text is long. */
export function inLine(name: string): string {
  const line = name.replaceAll(/\n\s*/g, ' ')
  return cutText(line, LONGEST)
}

/** Returns a text, cut after `length` characters with `…`. No character is split. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The number of equal characters that are shown before the first difference of two texts. */
const SHOWN_BEFORE = 20

/**
 * Returns two texts that differ, each cut to `length` characters around the first difference, so that what is shown differs.
 *
 * @example  two files of 100 lines that differ in line 46: `…alue_44\nsetting_45 = value_45\nsetting_4…` and `…alue_44\nsetting_45 = DANGER\n…`
 */
export function cutAround(texts: readonly [string, string], length: number): readonly [string, string] {
  const [a, b] = texts
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  const from = start < length - SHOWN_BEFORE ? 0 : start - SHOWN_BEFORE
  const part = (text: string): string =>
    from === 0 || text.length <= length ? cutText(text, length) : `…${cutText(text.slice(from).replace(/^[\udc00-\udfff]/, ''), length)}`
  return [part(a), part(b)]
}
