/** The first of many names, and how many more there are: `a, b, c and 4 more`. */
export function nameFirst(names: readonly string[], count: number): string {
  const more = names.length - count
  return more > 0 ? `${names.slice(0, count).join(', ')} and ${more} more` : names.join(', ')
}

/** `1 target`, `12 targets`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
