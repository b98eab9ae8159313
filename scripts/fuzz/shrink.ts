import { isRecord, type JsonValue } from '../../src/json.ts'

/** The smallest value on the way down from `value` for which `fails` still holds: parts are left out as long as it does. */
export function shrink(value: JsonValue, fails: (value: JsonValue) => boolean): JsonValue {
  const smaller = smallerValues(value).find(fails)
  return smaller === undefined ? value : shrink(smaller, fails)
}

function smallerValues(value: JsonValue): readonly JsonValue[] {
  if (typeof value === 'string') return smallerTexts(value)
  if (Array.isArray(value)) return smallerLists(value)
  return isRecord(value) ? smallerRecords(Object.entries(value)) : []
}

/** Halves first, then all with one character less. */
function smallerTexts(text: string): readonly string[] {
  const half = Math.floor(text.length / 2)
  const halves = half > 2 ? [text.slice(0, half), text.slice(half)] : []
  const length = Math.min(text.length, 200)
  return [...halves, ...Array.from({ length }, (_, i) => text.slice(0, i) + text.slice(i + 1))]
}

function smallerLists(list: readonly JsonValue[]): readonly JsonValue[] {
  return [
    ...list,
    ...list.map((_, i) => list.toSpliced(i, 1)),
    ...list.flatMap((item, i) => smallerValues(item).map((smaller) => list.with(i, smaller))),
  ]
}

function smallerRecords(entries: readonly (readonly [string, JsonValue])[]): readonly JsonValue[] {
  return [
    ...entries.map(([, value]) => value),
    ...entries.map((_, i) => Object.fromEntries(entries.toSpliced(i, 1))),
    ...entries.flatMap(([key, value], i) => smallerTexts(key).map((text) => Object.fromEntries(entries.with(i, [text, value])))),
    ...entries.flatMap(([key, value], i) => smallerValues(value).map((smaller) => Object.fromEntries(entries.with(i, [key, smaller])))),
  ]
}

/** The same for a text: lines are left out, then indentation, then characters. */
export function shrinkText(text: string, fails: (text: string) => boolean): string {
  const smaller = [...withoutLines(text), ...withoutIndent(text), ...(text.length < 200 ? smallerTexts(text) : [])].find(fails)
  return smaller === undefined ? text : shrinkText(smaller, fails)
}

function withoutLines(text: string): readonly string[] {
  const lines = text.split(/(?<=\n)/)
  const sizes = [Math.ceil(lines.length / 2), Math.ceil(lines.length / 4), Math.ceil(lines.length / 8), 1]
  return sizes.flatMap((size) =>
    Array.from({ length: Math.ceil(lines.length / size) }, (_, i) => lines.toSpliced(i * size, size).join('')).filter(
      (part) => part !== text,
    ),
  )
}

function withoutIndent(text: string): readonly string[] {
  const moved = text.replaceAll(/^ /gm, '')
  return moved === text ? [] : [moved]
}
