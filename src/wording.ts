/** The first of many names, and how many more there are: `a, b, c and 4 more`. */
export function nameFirst<Named = string>(named: readonly Named[], count: number, nameOf: (one: Named) => string = String): string {
  const names = named.slice(0, count).map(nameOf).join(', ')
  const more = named.length - count
  return more > 0 ? `${names} and ${more} more` : names
}

/** `1 target`, `12 targets`, `7 Repositories`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  if (/(ss|x|ch|sh)$/.test(noun)) return `${noun}es`
  return noun.endsWith('s') ? noun : `${noun}s`
}

/** Characters of a name in a message. */
const LONGEST = 200

/** What should be a name, as part of a line, whatever it is. */
export function inLine(name: string): string {
  const line = name.replaceAll(/\n\s*/g, ' ')
  return cutText(line, LONGEST)
}

/** As much of a text as a message shows. No character is cut in two. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}
