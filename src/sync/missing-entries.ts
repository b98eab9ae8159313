import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { isJsonList, type JsonRecord, type JsonValue, memberOf, recordsOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { countOf, nameFirst } from '../wording.ts'

/** A list whose entries have names, what it means that an entry is missing, and what to do where that is meant. */
interface NamedList {
  readonly field: FieldPath
  readonly fate: string
  readonly meant: string
}

const LISTS: readonly NamedList[] = [
  {
    field: ['spec', 'generators', 0, 'list', 'elements'],
    fate: 'what is missing is not deployed',
    meant: 'take the target out of its set if that is meant',
  },
  { field: ['spec', 'dependsOn'], fate: 'the object does not wait for what is missing', meant: 'leave it so if that is meant' },
]

/** An object of the list, as the fleet wants it and as it will be. */
export interface ReconciledObject {
  readonly object: KrmObject
  readonly wanted: JsonRecord
  readonly value: JsonRecord
}

/**
 * Returns a warning about the entries of lists that the fleet wants and that are not in an object, at the first of the objects: a person
 * took an entry out, or a merge in git put the list of one branch beside the annotation of another, which looks the same.
 */
export function missingEntries(merged: readonly ReconciledObject[]): readonly Result[] {
  const found = LISTS.flatMap((list) =>
    merged.flatMap(({ object, wanted, value }) => {
      const present = valueAt(value, list.field)
      // Another generator of a person makes the Applications.
      const isReplaced = present === undefined && valueAt(value, list.field.slice(0, -1)) === undefined
      const known = new Set(namesIn(present))
      const all = isReplaced || !isJsonList(present ?? []) ? [] : namesIn(valueAt(wanted, list.field))
      const names = all.filter((name) => !known.has(name))
      return names.length === 0 ? [] : [{ list, object, names }]
    }),
  )
  return [...groupBy(found, ({ list }) => list)].map(([{ field, fate, meant }, [{ object, names }, ...others]]) => {
    const also = others.length === 0 ? '' : `, and ${countOf(others.length, 'other object')} an entry`
    const message = `lacks ${nameFirst(names, MOST_NAMES, quoteText)}${also}, which the fleet wants: ${fate}; a person or a merge in git took it out; write it into ${quoteText(formatFieldPath(field))} again, or ${meant}`
    return faultToResult(object, { severity: 'warning', rule: 'sync-entry-missing', path: field, message })
  })
}

/** The most names in a message. */
const MOST_NAMES = 5

function namesIn(list: JsonValue | undefined): readonly string[] {
  return recordsOf(list).map(({ name }) => scalarText(name))
}

function valueAt(value: JsonRecord, path: FieldPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(memberOf, value)
}
