import { formatFieldPath } from '../field-path.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError, type Position, type Result } from '../result.ts'
import { cutText } from '../wording.ts'
import type { FunctionAnswer } from './match.ts'
import type { PackageInTree } from './package-tree.ts'
import type { PipelineStep } from './pipeline-steps.ts'
import { withTexts } from './secret-hider.ts'

/** The outcome of one function. */
export interface StepRun {
  readonly step: PipelineStep
  /** The package whose pipeline has the function. */
  readonly node: PackageInTree
  /** True if the condition of the function did not hold, so that the function was not called. */
  readonly isSkipped: boolean
  /** The number of resources that the function got, or would have got. */
  readonly received: number
  /** Undefined for a function that was skipped or could not be called. */
  readonly answer: FunctionAnswer | undefined
  /** The results in the output, as the function wrote them. */
  readonly reported: readonly JsonRecord[]
  /** The reason of a failure other than the exit code: the output, the functionConfig or the condition cannot be used. */
  readonly error?: string
}

/** Returns the name of a function for messages: its own name, else its image or program. */
export function functionName({ name, image, exec }: PipelineStep): string {
  return name === '' ? image || exec : name
}

/** Returns the error for a function that failed. */
export function failure(step: PipelineStep, reason: string): Result {
  const { kptfile, field } = step
  return {
    severity: 'error',
    message: `\`${formatFieldPath(field)}\` '${cutText(functionName(step), 200)}' ${reason}`,
    ...fieldPlace(kptfile, field),
    tags: { rule: 'function-failed' },
  }
}

const LINES = 4

/** Returns why a function failed that ended with an exit code other than 0: the exit code and the first lines of stderr. */
export function describeEnd({ exitCode, stderr }: FunctionAnswer): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const shown = lines.slice(0, LINES).map((line) => cutText(line.trim(), 300))
  const words = lines.length > LINES ? [...shown, `and ${lines.length - LINES} more lines`] : shown
  if (exitCode === undefined) return words.join('; ')
  return `failed with exit code ${exitCode}${words.length === 0 ? '' : `: ${words.join('; ')}`}`
}

/** The results in a function's output. */
interface Reported {
  /** The results as the function wrote them. */
  readonly reported: readonly JsonRecord[]
  /** The reason why kpt does not read the results, so that the function fails. */
  readonly fault?: string
}

/**
 * Returns the results in a function's output; none if the output cannot be read.
 *
 * @param hide  takes secret values out of a text
 */
export function reportedIn({ stdout }: FunctionAnswer, hide: (text: string) => string): Reported {
  if (!/["']?results["']?\s*:/.test(stdout)) return { reported: [] }
  try {
    const results = KrmObject.fromDocument(stdout).get(['results']) ?? null
    // Functions of older SDKs print `results: {name: …, items: […]}`.
    const isOfOlderSdk = isRecord(results) && Object.keys(results).length > 0
    const list = isOfOlderSdk ? (lookup(results, 'items') ?? null) : results
    const reported = Array.isArray(list) ? list.filter(isRecord).map((result) => withTexts(result, hide)) : []
    const fault = Array.isArray(list) ? faultOfList(list) : isOfOlderSdk || isScalar(list) ? '`results` must be a list' : undefined
    return { reported, ...(fault !== undefined && { fault: `printed results that cannot be read: ${fault}` }) }
  } catch (error) {
    if (error instanceof WireError || error instanceof FunctionError) return { reported: [] }
    throw error
  }
}

function isScalar(value: JsonValue): boolean {
  return value !== null && typeof value !== 'object'
}

/** The tests of a result's fields; null is a missing field. A number or boolean may stand for a text. */
const FIELD_TESTS: readonly (readonly [path: readonly string[], must: string, fits: (value: JsonValue) => boolean])[] = [
  [['message'], 'a text', isScalar],
  [['severity'], 'a text', isScalar],
  [['resourceRef'], 'a map', isRecord],
  [['field'], 'a map', isRecord],
  [['file'], 'a map', isRecord],
  [['file', 'index'], 'a whole number', (value) => typeof value === 'bigint' || Number.isInteger(value)],
  [['tags'], 'a map of texts', (value) => isRecord(value) && Object.values(value).every((text) => text === null || isScalar(text))],
]

/** Returns the fault of the first result that kpt cannot read (kyaml fn/framework Result). */
function faultOfList(list: readonly JsonValue[]): string | undefined {
  for (const [index, result] of list.entries()) {
    if (!isRecord(result)) return `\`results[${index}]\` must be a map`
    for (const [path, must, fits] of FIELD_TESTS) {
      const value = path.reduce<JsonValue>((at, key) => lookup(asRecord(at), key) ?? null, result)
      if (value !== null && !fits(value)) return `\`results[${index}].${path.join('.')}\` must be ${must}`
    }
  }
  return undefined
}

/**
 * Returns the results of a function as findings of ours, prefixed with the function's name.
 *
 * @param end  why the function failed, which its errors need not repeat
 */
export function resultsOfStep(reported: readonly JsonRecord[], step: PipelineStep, end = ''): readonly Result[] {
  const news = reported.filter((result) => !isRepeated(result, end))
  const position = news.length === 0 ? undefined : step.kptfile.positionOf(step.field)
  return position === undefined ? [] : news.map((result) => resultOf(result, step, position))
}

/**
 * Returns true for an error that a text has already. The message of a result has the last part of its field alone: `labels` for
 * `spec.labels`.
 */
function isRepeated(result: JsonRecord, text: string): boolean {
  const message = scalarText(lookup(result, 'message')).replace(/^`/, '')
  return lookup(result, 'severity') === 'error' && message !== '' && text.includes(message)
}

function resultOf(result: JsonRecord, step: PipelineStep, position: Position): Result {
  const severity = lookup(result, 'severity')
  const object = textsIn(lookup(result, 'resourceRef'))
  const field = scalarText(textsIn(lookup(result, 'field')).path)
  const subject = [object.kind, object.name].filter((text) => text !== undefined && text !== '').join(' ')
  const about = [subject, field === '' ? '' : `\`${field}\``].filter((text) => text !== '').join(' ')
  return {
    severity: severity === 'error' || severity === 'warning' ? severity : 'info',
    message: `'${functionName(step)}'${about === '' ? '' : ` on ${about}`}: ${cutText(scalarText(lookup(result, 'message')), 2000)}`,
    field: { path: step.field },
    ...(step.kptfile.file && { file: step.kptfile.file }),
    position,
    tags: { rule: 'function-result' },
  }
}

function textsIn(value: JsonValue | undefined): Readonly<Record<string, string | undefined>> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, scalarText(member)]))
}
