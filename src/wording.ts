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
