import { groupBy } from './group-by.ts'
import type { JsonValue } from './json.ts'
import { compareResults, formatResourceRef, type Result } from './result.ts'

/** Of one rule and object: more of them say nothing new, and a host keeps each in the Kptfile. */
const MOST = 100

/** Characters of a value in a message. */
const LONGEST = 200

/** A message is no place for more, whatever is in it. */
const LONGEST_MESSAGE = 10_000

/** A value in quotes: an apostrophe inside a word opens and closes none. */
const QUOTED = /(?<![\w'])'([^']*)'(?!\w)/g

/** The results in their order as they are told: at most `MOST` of a rule and object, long values cut. */
export function toldResults(results: readonly Result[]): readonly Result[] {
  return [...groupBy(results, groupOf).values()].flatMap(toldOf).sort(compareResults)
}

/** Those of one rule and object. */
function toldOf(group: readonly Result[]): readonly Result[] {
  const sorted = group.toSorted(compareResults)
  const told = sorted.slice(0, MOST).map(shortened)
  const untold = sorted[MOST]
  return untold === undefined ? told : [...told, more(untold, sorted.length - MOST)]
}

function groupOf({ resourceRef, file, severity, tags }: Result): string {
  const object = resourceRef === undefined ? '' : `${resourceRef.apiVersion} ${formatResourceRef(resourceRef)}`
  return [severity, tags.rule, object, file?.path ?? '', String(file?.index ?? '')].join('\n')
}

function more({ field, ...result }: Result, count: number): Result {
  return { ...result, ...(field && { field: { path: field.path } }), message: `and ${count} more of rule ${result.tags.rule}` }
}

function shortened(result: Result): Result {
  const { message, field } = result
  if (message.length <= LONGEST && !isLong(field?.currentValue)) return result
  const current = field?.currentValue
  const shown = isLong(current) ? { ...field, path: field?.path ?? [], currentValue: cut(String(current), LONGEST) } : field
  const short = cut(
    message.replace(QUOTED, (_, value: string) => `'${cut(value, LONGEST)}'`),
    LONGEST_MESSAGE,
  )
  return { ...result, ...(shown && { field: shown }), message: short }
}

function isLong(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.length > LONGEST
}

/** No character is cut in two. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
}
