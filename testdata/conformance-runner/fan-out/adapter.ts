import { fanOut, planAsConfigured } from '../../../functions/fan-out/fan-out.ts'
import { compareText, formatFieldPath } from '../../../src/field-path.ts'
import { mergeConditions } from '../../../src/fleet/conditions.ts'
import { equalJson, isRecord, type JsonRecord, type JsonValue } from '../../../src/json.ts'
import { ResourceList } from '../../../src/resource-list/resource-list.ts'
import type { Result } from '../../../src/result.ts'
import { evaluate } from '../../../src/run.ts'
import type { Adapter } from '../adapter.ts'
import { casesOfList } from '../run-tree.ts'
import { printResourceList } from '../wire.ts'
import { compareFaultyFields, REPOSITORY } from './faulty-fields.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'
import { type FanOutVector, readVector } from './vector.ts'

/** The vectors of Porch's PackageVariantSet controller, each run as kpt would run fan-out. */
export const PORCH_FAN_OUT: Adapter = {
  folder: 'porch/fan-out',
  cases: casesOfList,
  known: KNOWN_DIFFERENCES,
  run: (vector) => compare(readVector(vector)).map((what) => ({ what })),
}

/** The options under which fan-out does what the controller does (spec of fan-out, The vectors). */
const FUNCTION_CONFIG = {
  apiVersion: 'fn.krm-variants.dev/v1alpha1',
  kind: 'FanOut',
  metadata: { name: 'fan-out' },
  spec: { lookups: 'required', allowEmpty: true, maxDeletions: '100%', status: true },
}

function compare({ input, expected }: FanOutVector): readonly string[] {
  const objects = input.objects.map((object, index) => ({ object, path: 'objects.yaml', index }))
  const text = printResourceList([...objects, { object: input.set, path: 'set.yaml', index: 0 }], FUNCTION_CONFIG)
  return expected.stage === 'ok' ? compareSuccess(text, expected) : compareFailure(text, input, expected)
}

function compareSuccess(text: string, { variants, conditions, nondeterministic = [] }: FanOutVector['expected']): readonly string[] {
  const outcome = evaluate(fanOut, text)
  if (outcome.exitCode !== 0) return [`must succeed, but fails: ${outcome.stderr}`]
  const items = ResourceList.parse(outcome.stdout).items.map((item) => item.toJson())
  const ours = items.filter(({ kind }) => kind === 'PackageVariant')
  const set = items.find(({ kind }) => kind === 'PackageVariantSet')
  return [
    ...(nondeterministic.includes('variants') ? [] : compareVariants(ours, variants)),
    ...(nondeterministic.includes('conditions')
      ? []
      : compareConditions(conditionsIn(set), conditions, ['type', 'status', 'reason', 'message'])),
    ...(evaluate(fanOut, outcome.stdout).stdout === outcome.stdout ? [] : ['a second run must change nothing']),
  ]
}

function compareVariants(ours: readonly JsonRecord[], theirs: readonly object[]): readonly string[] {
  const mine = byIdentity(ours)
  const wanted = byIdentity(theirs)
  const identities = [...new Set([...mine.keys(), ...wanted.keys()])].sort(compareText)
  return identities.flatMap((identity) => {
    const [a, b] = [mine.get(identity), wanted.get(identity)]
    return equalJson(a, b) ? [] : [`variant ${identity} must be ${JSON.stringify(b)}, is ${JSON.stringify(a)}`]
  })
}

function byIdentity(variants: readonly object[]): ReadonlyMap<string, JsonRecord> {
  return new Map(
    (variants as readonly JsonRecord[]).map((variant) => {
      const metadata = isRecord(variant.metadata) ? variant.metadata : {}
      return [`${metadata.namespace ?? 'default'}/${metadata.name}`, variant]
    }),
  )
}

function compareFailure(text: string, input: FanOutVector['input'], expected: FanOutVector['expected']): readonly string[] {
  const outcome = evaluate(fanOut, text)
  if (outcome.exitCode === 0) return [`must fail (${expected.stage}: ${expected.errors.join('; ')}), but succeeds`]
  const { sets, results } = planAsConfigured(ResourceList.parse(text))
  const ours = mergeConditions(input.set.status?.conditions, sets[0]?.conditions ?? [])
  const rules = ` [${[...new Set(results.map(({ tags }) => tags.rule))].join(', ')}]`
  return [
    ...compareConditions(ours, expected.conditions, ['type', 'status', 'reason']),
    ...compareFaultyFields(faultyFields(results), expected),
  ].map((difference) => `${difference}${rules}`)
}

function conditionsIn(set: JsonRecord | undefined): readonly JsonValue[] {
  const conditions = isRecord(set?.status) ? set.status.conditions : undefined
  return Array.isArray(conditions) ? conditions : []
}

/** Compares conditions by some of their fields; messages of failures are ours. */
function compareConditions(ours: readonly JsonValue[], theirs: readonly JsonRecord[], fields: readonly string[]): readonly string[] {
  const pick = (condition: JsonValue): JsonRecord =>
    isRecord(condition) ? Object.fromEntries(fields.map((field) => [field, condition[field] ?? null])) : {}
  const [a, b] = [ours.map(pick), theirs.map(pick)]
  return equalJson(a, b) ? [] : [`conditions must be ${JSON.stringify(b)}, are ${JSON.stringify(a)}`]
}

/** The fields with errors, without those about what the controller lets through. */
function faultyFields(results: readonly Result[]): readonly string[] {
  const errors = results.filter(({ severity, tags }) => severity === 'error' && !OWN_RULES.includes(tags.rule))
  return errors.map(({ field, tags }) => (REPOSITORY_RULES.includes(tags.rule) ? REPOSITORY : formatFieldPath(field?.path ?? [])))
}

const OWN_RULES = ['target-collision', 'name-taken', 'variant-name', 'package-path']
const REPOSITORY_RULES = ['repository-not-found', 'empty-downstream']
