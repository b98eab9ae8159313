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
  for (const group of groupBy(acrossClusters(results), groupOf).values()) {
    group.sort(compareResults)
    for (const result of group.slice(0, MOST)) reported.push(shortened(result))
    const omitted = group[MOST]
    if (omitted !== undefined) reported.push(more(omitted, group.length - MOST))
  }
  return reported.sort(compareResults)
}

/** Returns the end of a message about a cluster. */
export function clusterSuffix(cluster: string): string {
  return ` (cluster ${cluster})`
}

/** The most clusters that a message names. */
const MOST_CLUSTERS = 3

/** Returns the results with those that are equal on several clusters as one, at the place of the first, with the number of clusters. */
export function acrossClusters(results: readonly Result[]): readonly Result[] {
  if (!results.some(({ tags }) => tags.cluster !== undefined)) return results
  return [
    ...groupBy(results, (result) => (result.tags.cluster === undefined ? result : keyInCluster(result, result.tags.cluster))).values(),
  ].map((group) => {
    const [first] = group
    const names = [...new Set(group.map(({ tags }) => tags.cluster ?? ''))]
    if (names.length < 2) return first
    const shown = [...names.slice(0, MOST_CLUSTERS), ...(names.length > MOST_CLUSTERS ? [`${names.length - MOST_CLUSTERS} more`] : [])]
    const message = first.message.slice(0, -clusterSuffix(names[0] ?? '').length)
    return { ...first, message: `${message} (${names.length} clusters: ${shown.join(', ')})` }
  })
}

/** Returns a key that is equal for results of several clusters which differ by the cluster only. */
function keyInCluster({ resourceRef, file, field, severity, tags, message }: Result, cluster: string): string {
  const anywhere = (text: string) => text.replaceAll(`/${cluster}/`, '/*/')
  const said = anywhere(message.slice(0, -clusterSuffix(cluster).length))
  const ref = resourceRef && formatResourceRef(resourceRef)
  return JSON.stringify([severity, tags.rule, ref, field?.path, anywhere(`/${file?.path ?? ''}`), said])
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
