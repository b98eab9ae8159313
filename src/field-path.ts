import { equalJson, isRecord, type JsonValue, memberOf } from './json.ts'

/** The place of a value in an object: map keys as strings, list positions as numbers. */
export type FieldPath = readonly (string | number)[]

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** Returns a path in the form that users read: `spec.targets[0].template`, `metadata.annotations["kpt.dev/a"]`. The empty path is `.`. */
export function formatFieldPath(path: FieldPath): string {
  let text = ''
  for (const step of path) text += formatStep(step)
  if (text === '') return '.'
  return text.startsWith('.') ? text.slice(1) : text
}

/** Returns the last plain field of a path with the steps below that field in brackets: `labelExprs[0]`, `labels["a b"]`. */
export function formatLastField(path: FieldPath): string {
  const last = path.findLastIndex((step) => typeof step === 'string' && PLAIN_KEY.test(step))
  return formatFieldPath(path.slice(Math.max(0, last)))
}

function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`
  return PLAIN_KEY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
}

/** Returns a text that identifies a path, as a key of maps and sets. */
export function pathKey(path: FieldPath): string {
  return JSON.stringify(path)
}

/** Returns true for the path of a field, and for one below the field. */
export function isAtOrBelow(path: FieldPath, field: FieldPath): boolean {
  return pathKey(path.slice(0, field.length)) === pathKey(field)
}

/** Compares paths step by step: list positions as numbers, a shorter path before the paths below it. */
export function compareFieldPaths(a: FieldPath, b: FieldPath): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareSteps(a[i] ?? '', b[i] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareSteps(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareText(String(a), String(b))
}

/** Compares strings by UTF-16 code unit, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the paths at which two values differ, the deepest ones. For lists of different length, the path is that of the list. */
export function differing(one: JsonValue | undefined, other: JsonValue | undefined, path: FieldPath): readonly FieldPath[] {
  if (equalJson(one, other)) return []
  if (isRecord(one) && isRecord(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return keys.flatMap((key) => differing(memberOf(one, key), memberOf(other, key), [...path, key]))
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((value, i) => differing(value, other[i], [...path, i]))
  return [path]
}
