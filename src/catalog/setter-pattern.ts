import type { Growth } from './edit-items.ts'

/** Matches a setter of a pattern: `${name}`. */
const SETTER = /\$\{([^}]*)\}/g

/** Returns the names of the setters in a pattern, in order: `${image}:${tag}` → image, tag. */
export function setterNames(pattern: string): readonly string[] {
  return [...pattern.matchAll(SETTER)].map(([, name = '']) => name)
}

/**
 * Returns the text that a pattern gives with the given values. A setter without a given value keeps its part of the current value.
 *
 * A setter inside a given value is replaced by its part of the current value, too; without such a part, the setter is missing.
 *
 * @example `${image}:${tag}` with tag 1.15, of `nginx:1.14` → text `nginx:1.15`
 * @param growth  counts the values before they are written
 * @returns the text, and the names of the setters without a value
 */
export function fillPattern(
  pattern: string,
  values: ReadonlyMap<string, string>,
  current: string,
  growth: Pick<Growth, 'take'>,
): { text: string; missing: readonly string[] } {
  const parts = currentValues(pattern, current)
  const filled = (text: string, known: ReadonlyMap<string, string>): string => {
    for (const [setter, name = ''] of text.matchAll(SETTER)) growth.take((known.get(name) ?? setter).length - setter.length)
    return text.replace(SETTER, (setter, name: string) => known.get(name) ?? setter)
  }
  const text = filled(filled(pattern, values), parts)
  return { text, missing: setterNames(text) }
}

/**
 * Returns the parts of the current value that the setters of a pattern match; none if the value does not match the pattern or a part is
 * empty. Each part is as long as possible, the first before all others, like `(.*)` in a regular expression; computed from the end, in
 * one pass.
 *
 * @example  `${image}:${tag}` and `host:80/nginx:1` → image `host:80/nginx`, tag `1`
 */
function currentValues(pattern: string, current: string): ReadonlyMap<string, string> {
  const names = setterNames(pattern)
  const between = pattern.split(/\$\{[^}]*\}/)
  const [head = ''] = between
  const tail = between.at(-1) ?? ''
  const none = new Map<string, string>()
  if (!current.startsWith(head) || !current.endsWith(tail)) return none
  const found: [string, string][] = []
  let end = current.length - tail.length
  for (let index = names.length - 1; index >= 0; index--) {
    const before = between[index] ?? ''
    const at = index === 0 ? 0 : end - before.length < head.length ? -1 : current.lastIndexOf(before, end - before.length)
    if (at === -1 || at + before.length >= end) return none
    found.push([names[index] ?? '', current.slice(at + before.length, end)])
    end = at
  }
  return new Map(found.reverse())
}

/**
 * Returns the values of the setters that a part of a text shows, by name; none if no part matches the pattern or a value is empty. As
 * the regular expression that has `(.*)` for each setter: the first part that matches, and each value as long as possible.
 *
 * @example  `nginx:${tag}` and `docker.io/nginx:1.14` → tag `1.14`
 */
export function settersOfValue(pattern: string, text: string): ReadonlyMap<string, string> {
  const names = setterNames(pattern)
  const between = pattern.split(/\$\{[^}]*\}/)
  for (const line of text.split('\n')) {
    const values = valuesInLine(between, line)
    if (values !== undefined) return values.includes('') ? new Map() : new Map(names.map((name, index) => [name, values[index] ?? '']))
  }
  return new Map()
}

/** Finds the texts between the setters from the last one on, each as far to the right as possible, and the first one to the left. */
function valuesInLine(between: readonly string[], line: string): readonly string[] | undefined {
  const values: string[] = []
  let end = line.length
  for (let index = between.length - 1; index > 0; index--) {
    const literal = between[index] ?? ''
    const at = end < literal.length ? -1 : line.lastIndexOf(literal, end - literal.length)
    if (at === -1) return undefined
    if (index < between.length - 1) values.push(line.slice(at + literal.length, end))
    end = at
  }
  const [head = ''] = between
  const start = line.indexOf(head)
  if (start === -1 || start + head.length > end) return undefined
  return [...values, line.slice(start + head.length, end)].reverse()
}
