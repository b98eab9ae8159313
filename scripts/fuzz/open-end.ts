import type { Random } from './random.ts'

/** The text with its last value as a block scalar whose last line does not end, where it ends in `key: value`. */
export function withOpenEnd(random: Random, text: string): string {
  return text.replace(/( *)(- )?([\w.-]+): ([^\s'"|>&*!#[\]{}][^\n]*)\s*$/, (_, indent: string, dash: string | undefined, key, value) => {
    const deeper = `${indent}${dash === undefined ? '' : '  '}  `
    return `${indent}${dash ?? ''}${key}: ${random.pick(['|', '|+', '>', '>-'])}\n${deeper}${value}`
  })
}

/**
 * A value that js-yaml read in a text whose last line does not end, without the line break that it sees there: go-yaml v3 sees none.
 *
 * @param longer  what it reads with a `z` behind the text, which tells the block scalar there
 */
export function withoutAddedBreak(value: unknown, longer: unknown): unknown {
  if (typeof value === 'string') return value.endsWith('\n') && longer === `${value.slice(0, -1)}z\n` ? value.slice(0, -1) : value
  if (Array.isArray(value)) return value.map((item, at) => withoutAddedBreak(item, Array.isArray(longer) ? longer[at] : undefined))
  if (!isMap(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [key, withoutAddedBreak(member, isMap(longer) ? longer[key] : undefined)])
  return Object.fromEntries(entries)
}

/** A text in two values that differs in the line breaks at its end alone: no function is there to change these. */
export function changedBreak(was: unknown, is: unknown): string | undefined {
  if (typeof was === 'string' && typeof is === 'string')
    return was !== is && was.replace(/\n+$/, '') === is.replace(/\n+$/, '') ? was : undefined
  if (typeof was !== 'object' || was === null || !isMap(is)) return undefined
  const members: readonly [string, unknown][] = Object.entries(was)
  return members.map(([key, member]) => changedBreak(member, is[key])).find((found) => found !== undefined)
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
