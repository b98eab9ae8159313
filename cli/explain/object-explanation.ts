import { pathOfSteps } from '../../src/diff/causes/object-places.ts'
import { stepsOfField, type ValueOrigins } from '../../src/diff/causes/value-origins.ts'
import { isFieldOrBelow } from '../../src/diff/dangers/danger-rule.ts'
import { fieldChanges, formatSteps } from '../../src/diff/field-changes.ts'
import type { PackageStep } from '../../src/diff/fleet-state.ts'
import { comparedContent } from '../../src/diff/package-objects.ts'
import type { CauseInput, ChangedField, FieldStep } from '../../src/diff/report.ts'
import { type FieldPath, formatFieldPath } from '../../src/field-path.ts'
import { equalJson, isRecord, type JsonValue, lookup, memberOf, scalarText } from '../../src/json.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { isSecretField } from '../../src/secret-values.ts'
import { placed } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'
import type { ExplainedField, PlacedObject, VariantExplanation } from './explanation.ts'

/** Where a rendered object and its values come from. */
export interface ObjectExplanation extends Pick<VariantExplanation, 'set' | 'target'> {
  readonly rendered: PlacedObject
  /** REPOSITORY/PACKAGE. */
  readonly package: string
  readonly cluster: string
  readonly variant: string
  /** Why the package is on the cluster. */
  readonly reason?: string
  readonly fields: readonly ExplainedValue[]
}

/** A setter that a person edited: its field in a Kptfile or in the config of a function. */
interface PlacedSetter {
  readonly path: string
  readonly place?: string
}

/** A value of the object, with everything that gives the value. */
export interface ExplainedValue {
  readonly path: string
  /** Unset for a value of a Secret. */
  readonly value?: JsonValue
  /** The line of a person's edit; `rendered` is the value without it, `setters` are the edited setters that give the value. */
  readonly edit?: { readonly place?: string; readonly rendered?: JsonValue; readonly setters?: readonly PlacedSetter[] }
  /** The fields of the variant that give the value. */
  readonly variant: readonly ExplainedField[]
  /** The functions of the upstream package that give the value. */
  readonly functions: readonly { readonly name: string; readonly path: string; readonly place?: string }[]
  /** The same field in the upstream package. */
  readonly upstream?: { readonly package: string; readonly value?: JsonValue; readonly place?: string }
}

/** Returns the asked field, or every field that the upstream package does not have so. @throws UsageError for a field that is not there */
export function askedSteps(
  shown: KrmObject,
  rendered: KrmObject,
  field: string,
  upstream: () => KrmObject | undefined,
): readonly (readonly FieldStep[])[] {
  if (field !== '') {
    const found = stepsOfField(shown.toJson(), field)
    if ('steps' in found) return [found.steps]
    const near = didYouMean(found.unknown, found.known) || (found.known.length > 0 ? `; there is ${quoteNames(found.known)}` : '')
    const where = found.above === '' ? `${shown.kind} ${shown.name}` : quoteText(found.above)
    throw new UsageError(`${where} has no field ${quoteText(found.unknown)}${near}`)
  }
  const base = upstream()
  const changes = [
    ...(base === undefined ? [] : changesOfEntries(fieldChanges(comparedContent(base), comparedContent(shown)))),
    ...changesOfEntries(fieldChanges(comparedContent(rendered), comparedContent(shown))),
  ]
  return [...new Map(changes.filter(({ after }) => after !== undefined).map(({ path, steps }) => [path, steps])).values()]
}

/**
 * Returns changes of fields with the fields of an entry in place of the entry where one of the same name went: a port that got another
 * number is the change of its `port`, although Kubernetes knows ports by their number.
 */
function changesOfEntries(changes: readonly ChangedField[]): readonly ChangedField[] {
  const removed = new Map(
    changes.flatMap((change) => (change.after === undefined ? [[entryName(change, change.before), change] as const] : [])),
  )
  return changes.flatMap((change) => {
    const name = change.before === undefined ? entryName(change, change.after) : undefined
    const before = name === undefined ? undefined : removed.get(name)?.before
    if (!isRecord(before) || !isRecord(change.after)) return [change]
    const above = [...change.steps.slice(0, -1), { name: scalarText(lookup(change.after, 'name')) }]
    return fieldChanges(before, change.after).map((each) => {
      const steps = [...above, ...each.steps]
      return { ...each, steps, path: formatSteps(steps) }
    })
  })
}

/** Returns the list and the name of an entry that has one; undefined for any other field. */
function entryName({ steps }: ChangedField, value: JsonValue | undefined): string | undefined {
  const name = scalarText(memberOf(value, 'name'))
  return typeof steps.at(-1) !== 'object' || name === '' ? undefined : `${formatSteps(steps.slice(0, -1))} ${name}`
}

/** The inputs by which the values of an object are explained. */
export interface Explaining {
  readonly step: PackageStep
  readonly object: KrmObject
  readonly own: KrmObject | undefined
  /** Returns the lines of the edited setters that give a field its value. */
  readonly setters: (object: KrmObject, path: FieldPath) => readonly CauseInput[]
  readonly origins: ValueOrigins
  /** The upstream package and its revision. */
  readonly source: string
  readonly fields: readonly ExplainedField[]
}

/** Explains a value: a person's edit, the fields of the variant, the functions and the field of upstream that give the value. */
export function explainValue(
  steps: readonly FieldStep[],
  { step, object, own, setters, origins, source, fields }: Explaining,
): ExplainedValue {
  const [rendered, present] = [valueAlong(object, steps), valueAlong(own ?? object, steps)]
  const isSecret = object.kind === 'Secret' || isSecretField(object.toJson())(pathOfSteps(object, steps))
  const shown = (key: string, value: JsonValue | undefined) => (value === undefined || isSecret ? {} : { [key]: value })
  const { fields: paths, functions, upstream } = origins.originOf(step, object, steps)
  const isEdited = own !== undefined && !equalJson(rendered ?? null, present ?? null)
  const path = own === undefined ? [] : pathOfSteps(own, steps)
  return {
    path: formatSteps(steps),
    ...shown('value', present),
    ...(isEdited && { edit: { ...placed(own, path), ...shown('rendered', rendered), ...editedBy(setters(own, path)) } }),
    variant: paths.flatMap((path) => fieldsAt(path, step.variant.object, fields)),
    functions: functions.map(({ name, kptfile, path }) => ({ name, path: formatFieldPath(path), ...placed(kptfile, path) })),
    ...(upstream && { upstream: { package: source, ...shown('value', upstream.value), ...placed(upstream.object, upstream.path) } }),
  }
}

function valueAlong(object: KrmObject, steps: readonly FieldStep[]): JsonValue | undefined {
  const path = pathOfSteps(object, steps)
  if (path.length < steps.length) return undefined
  return path.reduce<JsonValue | undefined>((value, key) => memberOf(value, key), object.toJson())
}

/** Returns the explained fields at a path of a variant; the field as the variant has it, where no set gives it. */
function fieldsAt(path: FieldPath, variant: KrmObject, fields: readonly ExplainedField[]): readonly ExplainedField[] {
  const name = formatFieldPath(path)
  const given = fields.filter((field) => isFieldOrBelow(field.path, name))
  return given.length > 0
    ? given
    : [{ path: name, value: variant.get(path) ?? null, source: 'static', from: name, ...placed(variant, path) }]
}

function editedBy(found: readonly CauseInput[]): { readonly setters?: readonly PlacedSetter[] } {
  if (found.length === 0) return {}
  return { setters: found.map(({ text, file, line }) => ({ path: text, ...(file !== undefined && { place: `${file}:${line}` }) })) }
}
