import { injectConfig } from '../../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../../functions/prepend-pipeline/prepend-pipeline.ts'
import { setContext } from '../../../functions/set-context/set-context.ts'
import { compareText } from '../../../src/field-path.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { KrmObject } from '../../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import { evaluate, type KrmFunction } from '../../../src/run.ts'
import type { Adapter } from '../adapter.ts'
import { casesOfList } from '../run-tree.ts'
import { lostLines } from './kept-lines.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { printVector } from './package-wire.ts'
import { faultyFields, REASONS } from './reasons.ts'
import { type MutationVector, readVector } from './vector.ts'

/** The vectors of Porch's PackageVariant controller, each run as kpt would run the functions of its steps. */
export const PORCH_MUTATIONS: Adapter = {
  folder: 'porch/mutations',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)),
}

const STEPS: Readonly<Record<MutationVector['step'], readonly KrmFunction[]>> = {
  context: [setContext],
  pipeline: [prependPipeline],
  injection: [injectConfig],
  all: [setContext, prependPipeline, injectConfig],
}

interface Run {
  readonly text: string
  /** `rule field` of each error, of the function that failed. */
  readonly errors: readonly JsonRecord[]
}

function compare(vector: MutationVector): readonly string[] {
  const { step, expected } = vector
  const text = printVector(vector)
  const run = runSteps(STEPS[step], text)
  const { validationErrors, error } = expected
  if (validationErrors?.length) return compareFields(run, validationErrors)
  if (error) return compareReason(run, error)
  if (run.errors.length > 0) return [`must succeed, but fails: ${JSON.stringify(run.errors)}`]
  return [
    ...compareObjects(itemsOf(run.text), expected.expectedObjects ?? {}),
    ...compareLines(text, run.text),
    ...(runSteps(STEPS[step], run.text).text === run.text ? [] : ['a second run must change nothing']),
  ]
}

/** The functions one after the other, as a pipeline runs them, up to the first that fails. */
function runSteps(steps: readonly KrmFunction[], input: string): Run {
  let text = input
  for (const step of steps) {
    const { stdout, exitCode } = evaluate(step, text)
    if (exitCode !== 0) return { text, errors: errorsIn(stdout) }
    text = withoutResults(stdout)
  }
  return { text, errors: [] }
}

/** An orchestrator keeps results to itself: the next function does not see them. */
function withoutResults(text: string): string {
  return text.replace(/^results:\n[\s\S]*/m, '')
}

function errorsIn(stdout: string): readonly JsonRecord[] {
  const [results] = ResourceList.parse(
    `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- kind: Results\n  ${resultsOf(stdout)}`,
  ).items
  const list = results?.get(['results'])
  return (Array.isArray(list) ? list : []).filter(isRecord).filter(({ severity }) => severity === 'error')
}

function resultsOf(stdout: string): string {
  return stdout.slice(stdout.search(/^results:\n/m)).replaceAll('\n', '\n  ')
}

function compareFields({ errors }: Run, validationErrors: readonly string[]): readonly string[] {
  const ofController = errors.filter(({ tags }) => isRecord(tags) && tags.reason === 'ValidationError')
  const ours = [...new Set(ofController.map(({ field }) => String(isRecord(field) ? field.path : '')))].sort()
  const theirs = faultyFields(validationErrors)
  return equalJson(ours, theirs) ? [] : [`must find faults in ${theirs.join(', ')}, finds them in ${ours.join(', ')}`]
}

function compareReason({ errors }: Run, error: string): readonly string[] {
  if (errors.length === 0) return [`must fail (${error}), but succeeds`]
  const rules = errors.map(({ tags }) => String(isRecord(tags) ? tags.rule : ''))
  return rules.some((rule) => REASONS[rule]?.test(error)) ? [] : [`must fail for ${error}, fails for ${rules.join(', ')}`]
}

function itemsOf(text: string): ReadonlyMap<string, readonly KrmObject[]> {
  const items = new Map<string, KrmObject[]>()
  for (const item of ResourceList.parse(text).items) {
    const path = item.file?.path ?? ''
    if (!path.startsWith('sources/')) items.set(path, [...(items.get(path) ?? []), item])
  }
  return items
}

type Objects = Readonly<Record<string, readonly JsonRecord[]>>

function compareObjects(items: ReadonlyMap<string, readonly KrmObject[]>, expected: Objects): readonly string[] {
  const read = Object.keys(expected).filter((path) => items.has(path) || (expected[path] ?? []).length > 0)
  return [...new Set([...items.keys(), ...read])].flatMap((path) => {
    const ours = (items.get(path) ?? []).map((item) => item.toJson())
    const [a, b] = [ours.map(withSets), (expected[path] ?? []).map(withSets)]
    return equalJson(a, b) ? [] : [`${path} must be ${print(b)}, is ${print(a)}`]
  })
}

function print(value: JsonValue): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))
}

/** Gates and conditions of a Kptfile are sets by type. */
function withSets(object: JsonRecord): JsonRecord {
  if (object.kind !== 'Kptfile') return object
  return withSet(withSet(object, 'info', 'readinessGates', 'conditionType'), 'status', 'conditions', 'type')
}

function withSet(object: JsonRecord, part: string, list: string, key: string): JsonRecord {
  const holder = lookup(object, part)
  const entries = isRecord(holder) ? lookup(holder, list) : undefined
  if (!isRecord(holder) || !Array.isArray(entries)) return object
  const byType = new Map(entries.map((entry) => [String(isRecord(entry) ? entry[key] : ''), entry]))
  const sorted = [...byType].sort(([a], [b]) => compareText(a, b)).map(([, entry]) => entry)
  return { ...object, [part]: { ...holder, [list]: sorted } }
}

/** Every comment and every untouched line of every item is still there. */
function compareLines(before: string, after: string): readonly string[] {
  const items = ResourceList.parse(after).items
  return ResourceList.parse(before).items.flatMap((item, index) =>
    lostLines(item.toText(), items[index]?.toText() ?? '').map((line) => `${item.file?.path} lost ${JSON.stringify(line)}`),
  )
}
