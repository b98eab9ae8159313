import { type FieldPath, formatFieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import type { JsonValue } from '../json.ts'
import { fieldPlace } from '../resource-list/finding-place.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { commentsAt, type PlacedComment, shownComment } from '../resource-list/lost-comments.ts'
import { joinPath } from '../resource-list/package-of.ts'
import { formatResourceRef, type Position, type Result } from '../result.ts'
import { describeValue, quoteText } from '../schema/describe-value.ts'
import { looksLikeSecret, mayHoldSecret, NOT_SHOWN, withoutSecretsAt, withoutSecretValues } from '../secret-values.ts'
import { countOf } from '../wording.ts'
import { identityIn, mergeComment, readMergeComment, withoutCloneMarks } from './clone-marks.ts'
import { objectsAt } from './json-resource.ts'
import type { TypeChange } from './merge-fields.ts'
import { type EditedFile, type MergeOutcome, type MergeRequest, type OutcomeSide, wholeOutcome } from './merged-package.ts'
import { objectsIn, type PackageFiles } from './package-files.ts'
import { cut, showOwn, showValue } from './shown-values.ts'
import { upstreamPlace } from './upstream-place.ts'

/** Returns a warning for each outcome in which the change of one side is lost. */
export function outcomeResults(outcomes: readonly MergeOutcome[], request: MergeRequest): readonly Result[] {
  let added: ReadonlyMap<string, AddedResource> | undefined
  const found = outcomes.flatMap((outcome) => {
    if (outcome.result === 'lost') return [editLost(outcome, request)]
    if (outcome.result !== 'kept' || !outcome.contested) return []
    const { ours, theirs, edited } = outcome
    if (edited !== undefined) return subpackageStays(outcome, edited, request)
    if (ours.exists || ours.field.length > 0 || theirs.object === undefined) return [changePassedOver(outcome, request)]
    added ??= addedResources(request)
    const { object } = theirs
    return [changePassedOver(outcome, request, added.get(identityIn(object)) ?? added.get(nameIn(object)))]
  })
  return [...found, ...removedAfterMove(request)]
}

/** Returns a warning for each resource that upstream removed, and that people moved to another file, where it stays. */
function removedAfterMove(request: MergeRequest): readonly Result[] {
  const { base, theirs, ours } = request
  const identitiesIn = (files: PackageFiles) => new Set([...files.values()].flatMap((content) => objectsIn(content).map(identityIn)))
  const there = identitiesIn(theirs)
  const gone = [...base].flatMap(([path, content]) => {
    const here = new Set(objectsIn(ours.get(path)).map(identityIn))
    return objectsIn(content).flatMap((object) => (here.has(identityIn(object)) || there.has(identityIn(object)) ? [] : [{ path, object }]))
  })
  const added = gone.length === 0 ? undefined : addedResources(request)
  return gone.flatMap(({ path, object }) => {
    const moved = added?.get(identityIn(object))
    if (moved === undefined) return []
    const sides = [
      { object: moved.object, exists: true },
      { object: undefined, exists: false },
    ] as const
    return [changePassedOver(wholeOutcome({ result: 'kept', contested: true, path }, ...sides), request, moved)]
  })
}

/** Returns the identity of a resource without its namespace, in a form that no identity has. */
function nameIn({ apiVersion = '', kind = '', name = '' }: KrmObject): string {
  return `${groupOf(apiVersion)} ${kind} ${name}`
}

/** Returns the warning about an edit of the downstream that upstream's change replaced, with both values and places. */
function editLost(outcome: MergeOutcome, { place, upstream }: MergeRequest): Result {
  const there = upstreamPlace(outcome.theirs, outcome.path, upstream)
  const message = outcome.ours.field.length === 0 ? wholeLost(outcome, there) : fieldLost(outcome, there)
  return { severity: 'warning', message, ...about(outcome, place), tags: { rule: 'edit-lost' } }
}

function fieldLost(outcome: MergeOutcome, place: string): string {
  const { ours, theirs } = shownSides(outcome)
  const here = ours.exists ? `is ${showSide(ours, theirs)} here` : 'was deleted here'
  const there = theirs.exists ? `changed it to ${showSide(theirs, ours)}` : 'removed it'
  return `${nameOf(outcome)} ${here}; upstream ${there}${place}, and that is taken`
}

/**
 * Returns the warning about an edit of a field that a function of the package replaced. The outcome's `theirs` is the field as the function
 * writes it.
 *
 * @param writer   the name of the function, with its noun
 * @param instead  the name of what the function takes its value from
 */
export function editOverwritten(outcome: MergeOutcome, writer: string, instead: string): Result {
  const { ours, theirs } = shownSides(outcome)
  const here = ours.exists ? `is ${showSide(ours, theirs)} here` : 'was deleted here'
  const there = theirs.exists ? `writes ${showSide(theirs, ours)}` : 'removes it'
  const message = `${nameOf(outcome)} ${here}; ${writer} of the package ${there}, and that is taken: change ${instead} for another value`
  return { severity: 'warning', message, ...about(outcome), tags: { rule: 'edit-lost' } }
}

function wholeLost(outcome: MergeOutcome, place: string): string {
  const { ours, theirs } = outcome
  if (!theirs.exists) return `${nameOf(outcome)} is changed here; upstream does not have it, and it is gone`
  if (!ours.exists) return `${nameOf(outcome)} was deleted here; upstream has it${place}, and that is taken`
  const [here, there] = ownFields(ours, theirs)
  return `${nameOf(outcome)} is changed here${here}; upstream has another${place}${there}, and that is taken`
}

/** Returns, for each side of a whole resource, its fields that differ from the other side. */
function ownFields({ object: a }: OutcomeSide, { object: b }: OutcomeSide): readonly [string, string] {
  if (a === undefined || b === undefined || [a, b].some(isUnreadable)) return ['', '']
  const [own, other] = [withoutCloneMarks(a.toJson()), withoutCloneMarks(b.toJson())]
  const [here, there] = [withoutSecretValues(own), withoutSecretValues(other, own)]
  return [showOwn(here, there), showOwn(there, here)]
}

/** Returns the sides of an outcome with their values as messages show them: those of Secrets are not shown. */
function shownSides({ ours, theirs }: MergeOutcome): Pick<MergeOutcome, 'ours' | 'theirs'> {
  const [here, there] = [ours.object ?? theirs.object, theirs.object ?? ours.object]
  return {
    ours: { ...ours, value: ours.value === undefined ? undefined : shownValue(ours, here) },
    theirs: { ...theirs, value: theirs.value === undefined ? undefined : shownValue(theirs, there, ours.value) },
  }
}

function shownValue({ field, value = null }: OutcomeSide, object: KrmObject | undefined, earlier?: JsonValue): JsonValue {
  const text = object?.toText() ?? ''
  if (object === undefined || !mayHoldSecret(text)) return value
  if (!isUnreadable(object)) return withoutSecretsAt(object.toJson(), field, value, earlier)
  return looksLikeSecret(text) ? NOT_SHOWN : value
}

/** Returns true for an object whose values cannot be shown: with an unknown alias. */
function isUnreadable(object: KrmObject): boolean {
  return object.toText().includes('*') && object.aliases().some(({ isReadable }) => !isReadable)
}

/**
 * Returns the warning about a change of upstream that the result lacks because the downstream changed the same value.
 *
 * @param moved  the resource, if the downstream has it in another file or namespace
 */
function changePassedOver(outcome: MergeOutcome, { place, upstream }: MergeRequest, moved?: AddedResource): Result {
  const { ours, theirs } = outcome
  const stays = moved === undefined ? `${ours.exists ? 'is changed' : 'was deleted'} here, and stays so` : movedAway(moved, theirs.object)
  const there = theirs.exists ? 'changed' : 'removed'
  const message = `${nameOf(outcome)} ${stays}; upstream ${there} it${upstreamPlace(theirs, outcome.path, upstream)}`
  return { severity: 'warning', message, ...about(outcome, place), tags: { rule: 'change-passed-over' } }
}

/** Returns the warning about a subpackage that stays because people edited files of the subpackage, at the first of these files. */
function subpackageStays(
  { path, ours, theirs }: MergeOutcome,
  [first, ...others]: readonly EditedFile[],
  { place = '' }: MergeRequest,
): Result[] {
  if (first === undefined) return []
  const { edit, object } = first
  const more = others.length === 0 ? '' : ` (and ${countOf(others.length, 'other file')})`
  const here = `\`${first.path}\` ${edit === 'changed' ? 'is' : 'was'} ${edit} here${more},`
  const stays = theirs.exists
    ? `so ${quoteText(path)} stays a package of its own; upstream made it a folder`
    : `so the subpackage ${quoteText(path)} stays; upstream removed it`
  const file = object?.file ?? (edit === 'deleted' ? ours.object?.file : undefined) ?? { path: joinPath(place, first.path), index: 0 }
  return [
    {
      severity: 'warning',
      message: `${here} ${stays}`,
      ...refOf(object),
      file,
      ...(object && { position: object.positionOf([]) }),
      tags: { rule: 'change-passed-over' },
    },
  ]
}

/** A file that is merged, and the new upstream revision as in a MergeRequest. */
interface MergedInto {
  readonly path: string
  readonly upstream?: PackageFiles | undefined
}

/**
 * Returns a warning for each entry whose comments upstream wrote and the result lacks, with the comments of both sides: the downstream
 * changed or removed the comment or its entry.
 *
 * @param comments  upstream's, with the path that the entry has in upstream
 */
export function commentsPassedOver(
  { path, upstream }: MergedInto,
  { theirs, ours }: { readonly theirs: KrmObject; readonly ours: KrmObject },
  comments: readonly PlacedComment[],
): readonly Result[] {
  return [...groupBy(comments, ({ field }) => formatFieldPath(field))].map(([name, group]): Result => {
    const field = group[0]?.field ?? []
    const there = commentsAt(theirs, field)
    const own = commentsAt(ours, field).filter((comment) => !there.includes(comment) && readMergeComment(comment) === undefined)
    const quoted = (object: KrmObject, texts: readonly string[]) =>
      texts.map((text) => quoteText(cut(shownComment(object, text)))).join(', ')
    const here = own.length === 0 ? "lacks upstream's comment" : `has the comment ${quoted(ours, own)} here, which stays; upstream wrote`
    const place = upstreamPlace({ object: theirs, field, value: undefined, exists: true }, path, upstream)
    const subject = field.length === 0 ? `\`${formatResourceRef(ours.ref)}\`` : `\`${name}\``
    return {
      severity: 'warning',
      message: `${subject} ${here} ${quoted(
        theirs,
        group.map(({ comment }) => comment),
      )}${place}`,
      ...refOf(ours),
      ...(field.length > 0 && { field: { path: field } }),
      ...(ours.file && { file: ours.file }),
      position: ours.positionOf(field),
      tags: { rule: 'change-passed-over' },
    }
  })
}

function movedAway({ path, object }: AddedResource, theirs: KrmObject | undefined): string {
  if (theirs === undefined || identityIn(theirs) === identityIn(object))
    return `was moved to ${quoteText(path)} here, and stays there as it is, since an update compares file by file`
  const { namespace = '', name = '' } = mergeComment(theirs) ?? theirs
  const inOther = `${quoteText(path)} has it in the namespace ${quoteText(object.namespace ?? '')}`
  return `is not found here: ${inOther}, where an update finds it only in the file of upstream and with the comment ${quoteText(`metadata: # kpt-merge: ${namespace}/${name}`)}`
}

/** A resource that the downstream has in a file in which the old upstream does not have it. */
interface AddedResource {
  readonly path: string
  readonly object: KrmObject
}

/** Returns the resources that people added to files or moved there, by identity, and by name for those without a merge comment. */
function addedResources(request: MergeRequest): ReadonlyMap<string, AddedResource> {
  const { base, ours } = request.whole ?? request
  const added = new Map<string, AddedResource>()
  for (const [path, content] of ours) {
    const known = new Set(objectsAt(path, base.get(path)).map(identityIn))
    for (const object of objectsAt(path, content)) {
      if (known.has(identityIn(object))) continue
      added.set(identityIn(object), { path, object })
      if (mergeComment(object) === undefined) added.set(nameIn(object), { path, object })
    }
  }
  return added
}

/** Returns the error about a field that has different kinds of values downstream and upstream. */
export function typeChanged(
  { path, upstream }: MergedInto,
  objects: { readonly ours: KrmObject; readonly theirs: KrmObject | undefined },
  change: TypeChange,
): Result {
  const side = (name: 'ours' | 'theirs'): OutcomeSide => ({
    object: objects[name],
    exists: change[name].value !== undefined,
    ...change[name],
  })
  const outcome: MergeOutcome = { result: 'kept', contested: true, path, ours: side('ours'), theirs: side('theirs') }
  const shown = shownSides(outcome)
  const found = `is ${describeSide(shown.ours)} here and ${describeSide(shown.theirs)} upstream${upstreamPlace(outcome.theirs, path, upstream)}`
  return {
    severity: 'error',
    message: `${nameOf(outcome)} must keep its type in an update, ${found}`,
    ...about(outcome),
    tags: { rule: 'type-change' },
  }
}

const SIDE_NAMES = { base: 'original', theirs: 'upstream', ours: 'downstream' } as const

/** Returns an error for each further resource of one file with the same identity. */
export function duplicates(path: string, side: keyof typeof SIDE_NAMES, objects: readonly KrmObject[]): readonly Result[] {
  const [first, ...others] = objects
  return others.map((object) => ({
    severity: 'error',
    message: `\`metadata.name\` must be unique in '${path}' ${SIDE_NAMES[side]} for it to be merged, ${formatResourceRef(object.ref)} is in line ${first?.positionOf([]).line ?? 0} as well`,
    ...fieldPlace(object, ['metadata', 'name']),
    tags: { rule: 'duplicate-in-file' },
  }))
}

/** Returns the name of an outcome's subject: `` `spec.replicas` ``, or the resource or file if it is whole. */
function nameOf(outcome: MergeOutcome): string {
  const { path, ours } = outcome
  if (ours.field.length > 0) return `\`${formatFieldPath(ours.field)}\``
  const { resourceRef } = named(outcome)
  return resourceRef === undefined ? `\`${path}\`` : `\`${formatResourceRef(resourceRef)}\``
}

/** Returns the resource of an outcome; none for an object without kind and name, such as the values of a chart. */
function named({ ours, theirs }: MergeOutcome): Pick<About, 'resourceRef'> {
  return refOf(ours.object ?? theirs.object)
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

interface About {
  readonly resourceRef?: Result['resourceRef'] & object
  readonly field?: { readonly path: FieldPath; readonly currentValue?: JsonValue; readonly proposedValue?: JsonValue }
  readonly file: { readonly path: string; readonly index: number }
  readonly position?: Position
}

function about(outcome: MergeOutcome, place = ''): About {
  const { ours, theirs } = shownSides(outcome)
  const { path } = outcome
  const { field } = ours
  return {
    ...named(outcome),
    ...(field.length > 0 && {
      field: {
        path: field,
        ...(ours.value !== undefined && { currentValue: ours.value }),
        ...(theirs.value !== undefined && { proposedValue: theirs.value }),
      },
    }),
    file: ours.object?.file ?? { path: joinPath(place, path), index: 0 },
    ...(ours.object && { position: ours.object.positionOf(field) }),
  }
}
