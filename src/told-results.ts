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
  const sorted = [...results].sort(compareResults)
  const counts = new Map<string, number>()
  for (const result of sorted) counts.set(groupOf(result), (counts.get(groupOf(result)) ?? 0) + 1)
  const told = new Map<string, number>()
  return sorted.flatMap((result) => {
    const group = groupOf(result)
    const before = told.get(group) ?? 0
    told.set(group, before + 1)
    if (before < MOST) return [shortened(result)]
    return before === MOST ? [more(result, (counts.get(group) ?? 0) - MOST)] : []
  })
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
