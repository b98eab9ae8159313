import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { JsonValue } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Position, Result } from '../result.ts'
import { formatResourceRef } from '../result.ts'
import { describeValue, quoteText } from '../schema/describe-value.ts'
import { withoutCloneMarks } from './clone-marks.ts'
import type { PlacedComment } from './lost-comments.ts'
import type { TypeChange } from './merge-fields.ts'
import type { MergeOutcome, OutcomeSide } from './merge-outcome.ts'
import type { MergeRequest } from './merged-package.ts'
import { showOwn, showValue } from './show-difference.ts'

/** Returns a warning for each outcome in which the change of one side is lost. */
export function outcomeResults(outcomes: readonly MergeOutcome[], { place }: Pick<MergeRequest, 'place'>): readonly Result[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.result === 'lost') return [editLost(outcome, place)]
    return outcome.result === 'kept' && outcome.contested ? [changePassedOver(outcome, place)] : []
  })
}

/** Returns the warning about an edit of the downstream that upstream's change replaced, with both values and places. */
function editLost(outcome: MergeOutcome, place: string | undefined): Result {
  const message = outcome.downstream.field.length === 0 ? wholeLost(outcome) : fieldLost(outcome)
  return { severity: 'warning', message, ...about(outcome, place), tags: { rule: 'edit-lost' } }
}

function fieldLost(outcome: MergeOutcome): string {
  const { downstream, upstream } = outcome
  const here = downstream.exists ? `is ${showSide(downstream, upstream)} here` : 'was deleted here'
  const there = upstream.exists ? `changed it to ${showSide(upstream, downstream)}` : 'removed it'
  return `${nameOf(outcome)} ${here}; upstream ${there}${placeOf(upstream, outcome)}, and that is taken`
}

function wholeLost(outcome: MergeOutcome): string {
  const { downstream, upstream } = outcome
  if (!upstream.exists) return `${nameOf(outcome)} is changed here; upstream does not have it, and it is gone`
  if (!downstream.exists) return `${nameOf(outcome)} was deleted here; upstream has it${placeOf(upstream, outcome)}, and that is taken`
  const [here, there] = ownFields(downstream, upstream)
  return `${nameOf(outcome)} is changed here${here}; upstream has another${placeOf(upstream, outcome)}${there}, and that is taken`
}

/** Returns, for each side of a whole resource, its fields that differ from the other side. */
function ownFields({ object: a }: OutcomeSide, { object: b }: OutcomeSide): readonly [string, string] {
  if (a === undefined || b === undefined || [a, b].some(isUnreadable)) return ['', '']
  const [here, there] = [withoutCloneMarks(a.toJson()), withoutCloneMarks(b.toJson())]
  return [showOwn(here, there), showOwn(there, here)]
}

/** Returns true for an object whose values cannot be shown: with a merge key or an unknown alias. */
function isUnreadable(object: KrmObject): boolean {
  return object.toText().includes('*') && object.aliases().some(({ isReadable }) => !isReadable)
}

/** Returns the warning about a change of upstream that the result lacks because the downstream changed the same value. */
function changePassedOver(outcome: MergeOutcome, place: string | undefined): Result {
  const { downstream, upstream } = outcome
  const here = downstream.exists ? 'is changed here' : 'was deleted here'
  const there = upstream.exists ? 'changed' : 'removed'
  const message = `${nameOf(outcome)} ${here}, and stays so; upstream ${there} it${placeOf(upstream, outcome)}`
  return { severity: 'warning', message, ...about(outcome, place), tags: { rule: 'change-passed-over' } }
}

/** Returns the error about a field that has different kinds of values downstream and upstream. */
export function typeChanged(
  path: string,
  objects: { readonly downstream: KrmObject; readonly upstream: KrmObject | undefined },
  change: TypeChange,
): Result {
  const side = (name: 'downstream' | 'upstream'): OutcomeSide => ({
    object: objects[name],
    exists: change[name].value !== undefined,
    ...change[name],
  })
  const outcome: MergeOutcome = { result: 'kept', contested: true, path, downstream: side('downstream'), upstream: side('upstream') }
  const found = `is ${describeSide(outcome.downstream)} here and ${describeSide(outcome.upstream)} upstream${placeOf(outcome.upstream, outcome)}`
  return {
    severity: 'error',
    message: `${nameOf(outcome)} must keep its type in an update, ${found}`,
    ...about(outcome),
    tags: { rule: 'type-change' },
  }
}

/** Returns the warning about a comment that is lost with its entry. */
export function commentLost(downstream: KrmObject, { field, comment }: PlacedComment): Result {
  const name = field.length > 0 ? formatFieldPath(field) : (downstream.name ?? downstream.file?.path ?? '')
  const message = `\`${name}\` has the comment ${quoteText(comment)} here, which is gone: what it stands on was removed or replaced`
  return {
    severity: 'warning',
    message,
    ...refOf(downstream),
    ...(field.length > 0 && { field: { path: field } }),
    ...(downstream.file && { file: downstream.file }),
    position: downstream.positionOf(field),
    tags: { rule: 'comment-lost' },
  }
}

/** Returns an error for each further resource of one file with the same identity. */
export function duplicates(path: string, side: string, objects: readonly KrmObject[]): readonly Result[] {
  const [first, ...others] = objects
  return others.map((object) => ({
    severity: 'error',
    message: `\`metadata.name\` must be unique in '${path}' ${side} for it to be merged, ${formatResourceRef(object.ref)} is there in line ${first?.positionOf([]).line ?? 0} as well`,
    resourceRef: object.ref,
    field: { path: ['metadata', 'name'] },
    ...(object.file && { file: object.file }),
    position: object.positionOf(['metadata', 'name']),
    tags: { rule: 'duplicate-in-file' },
  }))
}

/** Returns the name of an outcome's subject: `` `spec.replicas` ``, or the resource or file if it is whole. */
function nameOf(outcome: MergeOutcome): string {
  const { path, downstream } = outcome
  if (downstream.field.length > 0) return `\`${formatFieldPath(downstream.field)}\``
  const { resourceRef } = named(outcome)
  return resourceRef === undefined ? `\`${path}\`` : `\`${formatResourceRef(resourceRef)}\``
}

/** Returns the resource of an outcome; none for an object without kind and name, such as the values of a chart. */
function named({ downstream, upstream }: MergeOutcome): Pick<About, 'resourceRef'> {
  return refOf(downstream.object ?? upstream.object)
}

function refOf(object: KrmObject | undefined): Pick<About, 'resourceRef'> {
  return object === undefined || (object.ref.kind === '' && object.ref.name === '') ? {} : { resourceRef: object.ref }
}

/** Returns the value of a side for a message, compared with the other side's. */
function showSide(side: OutcomeSide, other: OutcomeSide): string {
  const { object, field, value } = side
  return value === undefined ? 'nothing' : showValue(value, other.value, object?.scalars(field)[0]?.text)
}

function describeSide({ object, field, value }: OutcomeSide): string {
  if (value === undefined) return 'nothing'
  return describeValue(value, object?.scalars(field)[0]?.text)
}

/** Returns the place of a side's value: ` (catalog/web/deploy.yaml:8:13)`. */
function placeOf({ object, field }: OutcomeSide, { path }: MergeOutcome): string {
  if (object === undefined) return ''
  const { line, column } = object.positionOf(field)
  return ` (${object.file?.path ?? path}:${line}:${column})`
}

interface About {
  readonly resourceRef?: Result['resourceRef'] & object
  readonly field?: { readonly path: FieldPath; readonly currentValue?: JsonValue; readonly proposedValue?: JsonValue }
  readonly file: { readonly path: string; readonly index: number }
  readonly position?: Position
}

function about(outcome: MergeOutcome, place = ''): About {
  const { path, downstream, upstream } = outcome
  const { field } = downstream
  return {
    ...named(outcome),
    ...(field.length > 0 && {
      field: {
        path: field,
        ...(downstream.value !== undefined && { currentValue: downstream.value }),
        ...(upstream.value !== undefined && { proposedValue: upstream.value }),
      },
    }),
    file: downstream.object?.file ?? { path: place === '' ? path : `${place}/${path}`, index: 0 },
    ...(downstream.object && { position: downstream.object.positionOf(field) }),
  }
}
