import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../src/json.ts'
import type { Adapter, Difference, KnownDifference } from './adapter.ts'

/** A difference, and the rule that explains it. */
export interface Judged {
  readonly difference: Difference
  readonly known: KnownDifference | undefined
}

/** The outcome of a case: equal without differences, known when each of them is explained. */
export interface Verdict {
  /** The name of the case, or `#index`. */
  readonly name: string
  readonly outcome: 'equal' | 'known' | 'different'
  readonly judged: readonly Judged[]
}

/** Runs a case. Whatever is wrong with it, or throws, fails this case alone. */
export async function judge(adapter: Adapter, vector: JsonValue, index: number): Promise<Verdict> {
  const judged = isRecord(vector) ? await judgeCase(adapter, vector) : [unexplained({ what: 'a case', expected: 'a map', actual: vector })]
  const isKnown = judged.every(({ known }) => known !== undefined)
  return { name: nameOf(vector, index), outcome: judged.length === 0 ? 'equal' : isKnown ? 'known' : 'different', judged }
}

function nameOf(vector: JsonValue, index: number): string {
  const name = isRecord(vector) ? lookup(vector, 'name') : undefined
  return typeof name === 'string' && name !== '' ? name : `#${index}`
}

async function judgeCase(adapter: Adapter, vector: JsonRecord): Promise<readonly Judged[]> {
  try {
    const differences = await adapter.run(vector)
    const judged = differences.flatMap((difference) => explain(adapter.known, vector, difference))
    return [...judged, ...missing(adapter.known, vector, judged)]
  } catch (error) {
    return [unexplained(thrown('the case', error))]
  }
}

function explain(rules: readonly KnownDifference[], vector: JsonRecord, difference: Difference): readonly Judged[] {
  try {
    return [{ difference, known: rules.find((rule) => rule.holds?.(vector) !== false && rule.explains(difference, vector)) }]
  } catch (error) {
    return [unexplained(difference), unexplained(thrown('a rule', error))]
  }
}

/** The differences that rules demand and the answer does not have; an answer that one rule makes a refusal has none of the others. */
function missing(rules: readonly KnownDifference[], vector: JsonRecord, judged: readonly Judged[]): readonly Judged[] {
  if (judged.some(({ difference, known }) => known && difference.what === 'fault' && difference.actual !== undefined)) return []
  const silent = rules.filter((rule) => rule.always && rule.holds?.(vector) && !judged.some(({ known }) => known === rule))
  return silent.map(({ row, reason }) => unexplained({ what: `the difference of ${row}`, expected: reason }))
}

function unexplained(difference: Difference): Judged {
  return { difference, known: undefined }
}

/** Returns what threw, as a difference. */
export function thrown(what: string, error: unknown): Difference {
  return { what: `${what} threw`, actual: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
