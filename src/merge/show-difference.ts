import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup } from '../json.ts'
import { describeValue, quoteText } from '../schema/describe-value.ts'
import { cutText, nameFirst } from '../wording.ts'

/** Characters of a value. */
const MOST_SHOWN = 200

/** Fields of a value. */
const NAMED_FIELDS = 3

/** Of a text that is too long, the characters before those that differ. */
const SHOWN_BEFORE = 20

/** A field that one side has otherwise than another, or alone. */
interface Difference {
  readonly field: FieldPath
  readonly value: JsonValue
  /** What the other side has there; undefined for nothing. */
  readonly other: JsonValue | undefined
}

/**
 * A value in a message about two of them: as it is where it is short, else what of it the other one has not.
 *
 * @param source  how a scalar is written
 */
export function showValue(value: JsonValue, other: JsonValue | undefined, source?: string): string {
  if (typeof value === 'string') return quoteText(typeof other === 'string' ? ownPart(value, other) : cut(value))
  if (typeof value !== 'object' || value === null) return describeValue(value, source)
  const text = jsonOf(value)
  if (text.length <= MOST_SHOWN) return text
  if (other === undefined) return cut(text)
  if (!Array.isArray(value)) return `a map${showOwn(value, other)}`
  const own = showOwn(value, other)
  const isReordered = own === '' && Array.isArray(other) && other.length === value.length
  return `a list of ${value.length}${isReordered ? ' in another order' : own}`
}

/** The fields in which a map or list differs from another, with what it has there: ` with data.mode 'slow'`; '' where it has nothing. */
export function showOwn(value: JsonValue, other: JsonValue): string {
  const own = differences(value, other, [])
  return own.length === 0 ? '' : ` with ${nameFirst(own, NAMED_FIELDS, showDifference)}`
}

function showDifference({ field, value, other }: Difference): string {
  return `${formatFieldPath(field)} ${showValue(value, other)}`
}

/** Fields that are not there are no part of it: the other side has them. */
function differences(value: JsonValue, other: JsonValue | undefined, field: FieldPath): readonly Difference[] {
  if (equalJson(value, other)) return []
  if (isRecord(value) && isRecord(other))
    return Object.entries(value).flatMap(([key, member]) => differences(member, lookup(other, key), [...field, key]))
  return Array.isArray(value) && Array.isArray(other) ? listDifferences(value, other, field) : [{ field, value, other }]
}

/** Entries that the other list has not, wherever they stand; where it has as many of its own, one beside the other. */
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

/** A text that is too long from shortly before where it differs from another. */
function ownPart(text: string, other: string): string {
  if (text.length <= MOST_SHOWN) return text
  let start = 0
  while (start < other.length && text[start] === other[start]) start++
  const from = start - SHOWN_BEFORE
  return from <= 0 ? cut(text) : `…${cut(text.slice(from).replace(/^[\udc00-\udfff]/, ''))}`
}

function cut(text: string): string {
  return cutText(text, MOST_SHOWN)
}

function jsonOf(value: JsonValue): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part))
}
