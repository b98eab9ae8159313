import { fanOut } from '../../../functions/fan-out/fan-out.ts'
import { compareText } from '../../../src/field-path.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { evaluate } from '../../../src/run.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { differByField } from '../difference.ts'
import { itemsIn, resultsOf } from '../resource-list.ts'
import { casesOfList } from '../run-tree.ts'
import { printResourceList } from '../wire.ts'
import { compareFaults } from './faults.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { type FanOutVector, readVector } from './vector.ts'

/** The vectors of Porch's PackageVariantSet controller, each run as kpt would run fan-out. */
export const PORCH_FAN_OUT: Adapter = {
  folder: 'porch/fan-out',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)),
}

/** The options under which fan-out does what the controller does (spec of fan-out, The vectors). */
const FUNCTION_CONFIG = {
  apiVersion: 'fn.krm-variants.dev/v1alpha1',
  kind: 'FanOut',
  metadata: { name: 'fan-out' },
  spec: { lookups: 'required', allowEmpty: true, maxDeletions: '100%', status: true },
}

function compare({ input, expected }: FanOutVector): readonly Difference[] {
  const objects = input.objects.map((object, index) => ({ object, path: 'objects.yaml', index }))
  const text = printResourceList([...objects, { object: input.set, path: 'set.yaml', index: 0 }], FUNCTION_CONFIG)
  const { stdout, stderr, exitCode } = evaluate(fanOut, text)
  if (stdout === '') throw new Error(`the input was not taken for a ResourceList: ${stderr}`)
  if (exitCode === 0 && expected.stage === 'ok') return compareSuccess(stdout, { input, expected })
  const results = resultsOf(stdout)
  const faults = compareFaults(results, expected)
  if (exitCode === 0) {
    const ofStage = faults.length > 0 ? faults : [{ what: 'stage', expected: expected.stage, actual: 'ok' }]
    return [...ofStage, ...compareVariants(variantsOf(stdout), expected.variants)]
  }
  if (expected.stage === 'ok') return [...faults, ...compareUntouched(stdout, input)]
  return [
    ...faults,
    ...compareReasons(results, expected.conditions),
    ...(expected.stage === 'ensure' ? [] : compareVariants(variantsOf(stdout), expected.variants)),
  ]
}

/** The reasons of the controller's conditions, in the order in which it finds them: a run ends with the first. */
const REASONS = ['ValidationError', 'UpstreamNotFound', 'NoMatchingTargets', 'UnexpectedError']

/** A refusal writes no conditions: the results say by which reason the controller would have refused. Its other conditions stay. */
function compareReasons(results: readonly JsonRecord[], conditions: readonly JsonRecord[]): readonly Difference[] {
  const found = results.map(({ severity, tags }) => (severity === 'error' ? (asRecord(tags).reason ?? 'ValidationError') : undefined))
  const reason = REASONS.find((each) => found.includes(each)) ?? null
  const ours = [
    { type: 'Ready', status: 'False', reason },
    { type: 'Stalled', status: 'True', reason },
  ]
  const theirs = ours.map(({ type }) => conditions.find((condition) => condition.type === type) ?? {})
  return compareConditions(ours, theirs, ['type', 'status', 'reason'])
}

function compareSuccess(stdout: string, { input, expected }: FanOutVector): readonly Difference[] {
  const { variants, nondeterministic = [] } = expected
  const found = itemsIn(stdout).find(({ kind }) => kind === 'PackageVariantSet')
  const { status = {}, ...set } = withoutEmptyAnnotations(found?.value ?? {})
  const { status: _, ...written } = input.set
  return [
    ...(nondeterministic.includes('variants') ? [] : compareVariants(variantsOf(stdout), variants)),
    ...(nondeterministic.includes('conditions')
      ? []
      : compareConditions(isRecord(status) ? status.conditions : undefined, expected.conditions, ['type', 'status', 'reason', 'message'])),
    ...differByField('the set', set, written as unknown as JsonRecord),
    ...(evaluate(fanOut, stdout).stdout === stdout ? [] : [{ what: 'a second run must change nothing' }]),
  ]
}

/** A refusal leaves every variant of the input as it is. */
function compareUntouched(stdout: string, { objects }: FanOutVector['input']): readonly Difference[] {
  const written = objects.filter(({ kind }) => kind === 'PackageVariant')
  return compareVariants(variantsOf(stdout), written).map((difference) => ({ ...difference, what: `after a refusal, ${difference.what}` }))
}

function variantsOf(stdout: string): readonly JsonRecord[] {
  return itemsIn(stdout).flatMap(({ kind, value }) => (kind === 'PackageVariant' ? [withoutEmptyAnnotations(value)] : []))
}

/** Annotations that were those of the wire alone are none. */
function withoutEmptyAnnotations(object: JsonRecord): JsonRecord {
  const { annotations, ...others } = asRecord(object.metadata)
  const isEmpty = Object.keys(asRecord(annotations)).length === 0
  return object.metadata === undefined || !isEmpty ? object : { ...object, metadata: others }
}

function compareVariants(ours: readonly JsonRecord[], theirs: readonly object[]): readonly Difference[] {
  const mine = byIdentity(ours)
  const wanted = byIdentity(theirs)
  const identities = [...new Set([...mine.keys(), ...wanted.keys()])].sort(compareText)
  return identities.flatMap((identity) => differByField(`variant ${identity}`, mine.get(identity), wanted.get(identity)))
}

function byIdentity(variants: readonly object[]): ReadonlyMap<string, JsonRecord> {
  return new Map(
    (variants as readonly JsonRecord[]).map((variant) => {
      const metadata = isRecord(variant.metadata) ? variant.metadata : {}
      return [`${metadata.namespace ?? 'default'}/${metadata.name}`, variant]
    }),
  )
}

/** Compares conditions by some of their fields; messages of failures are ours. */
function compareConditions(ours: JsonValue | undefined, theirs: readonly JsonRecord[], fields: readonly string[]): readonly Difference[] {
  const pick = (condition: JsonValue): JsonRecord =>
    isRecord(condition) ? Object.fromEntries(fields.map((field) => [field, condition[field] ?? null])) : {}
  return differByField('conditions', (Array.isArray(ours) ? ours : []).map(pick), theirs.map(pick))
}
