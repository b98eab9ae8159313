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
 * @param longer  what it reads with a `z` behind the text, which shows the block scalar there
 */
export function withoutAddedBreak(value: unknown, longer: unknown, around: readonly unknown[] = []): unknown {
  if (typeof value === 'string') return value.endsWith('\n') && longer === `${value.slice(0, -1)}z\n` ? value.slice(0, -1) : value
  // An alias may stand for what it is in.
  if (typeof value !== 'object' || value === null || around.includes(value)) return value
  const inside = (member: unknown, key: string | number) =>
    withoutAddedBreak(member, Reflect.get(isObject(longer) ? longer : {}, key), [...around, value])
  if (Array.isArray(value)) return value.map(inside)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inside(member, key)]))
}

/** A text in two values that differs in the line breaks at its end alone: no function is there to change these. */
export function changedBreak(was: unknown, is: unknown, around: readonly unknown[] = []): string | undefined {
  if (typeof was === 'string' && typeof is === 'string')
    return was !== is && was.replace(/\n+$/, '') === is.replace(/\n+$/, '') ? was : undefined
  if (Array.isArray(was) || !isObject(was) || !isObject(is) || around.includes(was)) return undefined
  const members: readonly [string, unknown][] = Object.entries(was)
  return members.map(([key, member]) => changedBreak(member, Reflect.get(is, key), [...around, was])).find((found) => found !== undefined)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
