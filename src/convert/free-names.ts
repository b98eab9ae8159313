/** Returns a text as a DNS label; another one for a text without a letter or digit. */
export function slugOf(text: string, otherwise: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name.slice(0, 50).replace(/-+$/, '') || otherwise
}

/** Returns a name that is not taken, with a number behind it from the second on, and adds it to the taken ones. */
export function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`
  taken.add(free)
  return free
}
