import { groupBy } from './group-by.ts'
import { printableMessage } from './printable.ts'
import { compareResults, formatResourceRef, type Result } from './result.ts'
import { cutText } from './wording.ts'

/**
 * The highest number of results of one rule and object, or of objects of one name in a file. More results say nothing new, and an
 * orchestrator keeps each result in the Kptfile.
 */
const MOST = 100

/** The highest number of characters of a value in a message. */
const LONGEST = 200

/** The highest number of characters of a message. */
const LONGEST_MESSAGE = 10_000

/** Matches a value in quotes. An apostrophe inside a word does not open or close a value. */
const QUOTED = /(?<![\w'])'([^']*)'(?!\w)/g

/** Matches a long name in a sentence, or a long expression without a blank. */
const LONG_WORD = /[^\s'`]{200,}[^\s'`:;,]/g

/**
 * Returns the results for the user, in their order: at most `MOST` of a rule and object, with long values cut and invisible characters as
 * escapes.
 */
export function groupedResults(results: readonly Result[]): readonly Result[] {
  const reported: Result[] = []
  for (const group of groupBy(results, groupOf).values()) {
    group.sort(compareResults)
    for (const result of group.slice(0, MOST)) reported.push(shortened(result))
    const omitted = group[MOST]
    if (omitted !== undefined) reported.push(more(omitted, group.length - MOST))
  }
  return reported.sort(compareResults)
}

function groupOf({ resourceRef, file, severity, tags }: Result): string {
  const object = resourceRef === undefined ? '' : `${resourceRef.apiVersion} ${formatResourceRef(resourceRef)}`
  return [severity, tags.rule, object, file?.path ?? ''].join('\n')
}

function more({ field, ...result }: Result, count: number): Result {
  return { ...result, ...(field && { field: { path: field.path } }), message: `and ${count} more of rule ${result.tags.rule}` }
}

function shortened(result: Result): Result {
  const { field } = result
  const current = field?.currentValue
  const isLong = typeof current === 'string' && current.length > LONGEST
  const message = printableMessage(result.message, current)
  if (message.length <= LONGEST && !isLong) return message === result.message ? result : { ...result, message }
  const shown = isLong ? { ...field, path: field?.path ?? [], currentValue: cutText(current, LONGEST) } : field
  const short = cutText(
    message.replace(QUOTED, (_, value: string) => `'${cutText(value, LONGEST)}'`).replace(LONG_WORD, (word) => cutText(word, LONGEST)),
    LONGEST_MESSAGE,
  )
  return { ...result, ...(shown && { field: shown }), message: short }
}
