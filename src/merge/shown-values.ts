import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../json.ts'
import { describeValue, quoteText } from '../schema/describe-value.ts'
import { cutText, nameFirst } from '../wording.ts'

/** The longest text of a value, in characters. */
const MOST_SHOWN = 200

/** The number of fields that are shown of a value. */
const NAMED_FIELDS = 3

/** The number of equal characters that are shown before the first difference. */
const SHOWN_BEFORE = 20

/** A field of one side that the other side lacks or has with another value. */
interface Difference {
  readonly field: FieldPath
  readonly value: JsonValue
  /** The other side's value; undefined if the field is missing. */
  readonly other: JsonValue | undefined
}

/**
 * Returns a value for a message that compares two values: a short value as it is, of a long one only the part that differs.
 *
 * @param source  the spelling of a scalar in its file
 */
export function showValue(value: JsonValue, other: JsonValue | undefined, source?: string): string {
  if (typeof value === 'string') return quoteText(typeof other === 'string' ? ownPart(value, other) : cut(value))
  if (typeof value !== 'object' || value === null) return describeValue(value, source)
  const text = jsonOf(value)
  if (text.length <= MOST_SHOWN) return text
  if (other === undefined || isRecord(value) !== isRecord(other) || Array.isArray(value) !== Array.isArray(other)) return cut(text)
  if (!Array.isArray(value)) return `a map${showOwn(value, other)}`
  const own = showOwn(value, other)
  const isReordered = own === '' && Array.isArray(other) && other.length === value.length
  return `a list of ${value.length}${isReordered ? ' in another order' : own}`
}

/** Returns the fields of a map or list that differ from another, with their values: ` with data.mode 'slow'`; '' if no field differs. */
export function showOwn(value: JsonValue, other: JsonValue): string {
  const own = differences(value, other, [])
  return own.length === 0 ? '' : ` with ${nameFirst(own, NAMED_FIELDS, showDifference)}`
}

function showDifference({ field, value, other }: Difference): string {
  return `${formatFieldPath(field)} ${showValue(value, other)}`
}

/** Returns the fields of a value that the other side lacks or has with another value. Fields that only the other side has are left out. */
function differences(value: JsonValue, other: JsonValue | undefined, field: FieldPath): readonly Difference[] {
  if (equalJson(value, other)) return []
  if (isRecord(value) && isRecord(other))
    return Object.entries(value).flatMap(([key, member]) => differences(member, lookup(other, key), [...field, key]))
  return Array.isArray(value) && Array.isArray(other) ? listDifferences(value, other, field) : [{ field, value, other }]
}

/**
 * Returns the entries that the other list lacks, at any position. If both lists have equally many such entries, they are compared in
 * pairs.
 */
function listDifferences(list: readonly JsonValue[], other: readonly JsonValue[], field: FieldPath): readonly Difference[] {
  const [own, others] = [ownPlaces(list, other), ownPlaces(other, list)]
  return own.flatMap((place, at): readonly Difference[] => {
    const beside = own.length === others.length ? other[others[at] ?? 0] : undefined
    return differences(list[place] ?? null, beside, [...field, place])
  })
}

function ownPlaces(list: readonly JsonValue[], other: readonly JsonValue[]): readonly number[] {
  const there = new Map<string, number>()
  for (const entry of other) there.set(jsonOf(entry), (there.get(jsonOf(entry)) ?? 0) + 1)
  return [...list.keys()].filter((place) => {
    const text = jsonOf(list[place] ?? null)
    const left = there.get(text) ?? 0
    there.set(text, left - 1)
    return left <= 0
  })
}

/** Returns the part of a long text from shortly before its first difference. */
function ownPart(text: string, other: string): string {
  if (text.length <= MOST_SHOWN) return text
  let start = 0
  while (start < other.length && text[start] === other[start]) start++
  const from = start - SHOWN_BEFORE
  return from <= 0 ? cut(text) : `…${cut(text.slice(from).replace(/^[\udc00-\udfff]/, ''))}`
}

/** Returns a text, cut to the longest that a message shows. */
export function cut(text: string): string {
  return cutText(text, MOST_SHOWN)
}

function jsonOf(value: JsonValue): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part))
}
