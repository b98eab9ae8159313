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
 * Returns two texts that differ, each cut to `length` characters around the first difference, so that what is shown differs. Of long texts
 * with many lines, those that differ are shown.
 *
 * @example  two files of 100 lines that differ in line 46: `…setting_45 = value_45…` and `…setting_45 = DANGER…`
 */
export function cutAround(texts: readonly [string, string], length: number): readonly [string, string] {
  const [a, b] = texts.some((text) => text.length > length) ? changedLines(texts) : texts
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  const from = start < length - SHOWN_BEFORE ? 0 : start - SHOWN_BEFORE
  const part = (text: string): string =>
    from === 0 || text.length <= length ? cutText(text, length) : `…${cutText(text.slice(from).replace(/^[\udc00-\udfff]/, ''), length)}`
  return [part(a), part(b)]
}

/** Returns the lines of two texts from the first that differs to the last. The lines of a text in JSON end in `\\n`. */
function changedLines([a, b]: readonly [string, string]): readonly [string, string] {
  const end = a.includes('\n') ? '\n' : '\\n'
  const [old, present] = [a.split(end), b.split(end)]
  const shorter = Math.min(old.length, present.length)
  let first = 0
  while (first < shorter && old[first] === present[first]) first++
  let last = 0
  while (last < shorter - first && old.at(-1 - last) === present.at(-1 - last)) last++
  // A line that is only added or removed is shown after the line before it.
  const from = first + last === shorter ? Math.max(0, first - 1) : first
  const part = (lines: readonly string[]) =>
    `${from > 0 ? '…' : ''}${lines.slice(from, lines.length - last).join(end)}${last > 0 ? '…' : ''}`
  return [part(old), part(present)]
}
