import { groupBy, repeatsOf } from '../../../group-by.ts'
import { formatResourceRef } from '../../../result.ts'
import { describeValue } from '../../../schema/describe-value.ts'
import { type Finding, formatPlace, shorten } from '../../finding.ts'
import { fieldAt, type ObjectField, placeIn, placeOfField, textAt } from '../../reading/field.ts'
import { keyOfPackage } from '../objects.ts'
import { packageFinding } from '../package-finding.ts'
import { numberOf, type ReconciledPackage, type RevisionObject } from '../revisions.ts'

/** Returns the faults of revisions, and warnings of what the next reconcile does to them. */
export function checkRevisionObjects(revisions: readonly RevisionObject[], reconciled: readonly ReconciledPackage[]): Finding[] {
  const ofPackages = reconciled.flatMap((each) => [...checkLimit(each), ...checkNoneActive(each), ...checkCollected(each)])
  return [...checkActive(revisions), ...checkFields(revisions), ...checkNumbers(revisions), ...ofPackages]
}

/** Returns the faults that make the next steps of the package manager unknown. */
export function checkObserved(revisions: readonly RevisionObject[], reconciled: readonly ReconciledPackage[]): Finding[] {
  const unpredictable = reconciled.filter((each) => !isPredictable(each)).flatMap((each) => checkActive(each.revisions))
  return [...unpredictable, ...checkFields(revisions), ...checkNumbers(revisions), ...reconciled.flatMap((each) => checkLimit(each))]
}

// A user who activates a second revision leaves the one that is current.
function isPredictable({ revisions, observed }: ReconciledPackage): boolean {
  const active = revisions.filter(isActive).map(({ revision }) => revision.name)
  const known = active.some((name) => name === observed?.current || name === observed?.wanted)
  return active.length < 2 || (active.length === 2 && known)
}

/** Reports packages with more than one Active revision (seed 003: at most one). */
function checkActive(revisions: readonly RevisionObject[]): Finding[] {
  return [...groupBy(revisions.filter(isActive), ({ packageKey }) => packageKey)].flatMap(([key, [first, second]]) => {
    if (key === '' || first === undefined || second === undefined) return []
    const other = formatPlace(placeIn(first.object, ['spec', 'desiredState']))
    const owner = nameOf(key)
    const message = `${formatResourceRef(first.object.ref)} (${other}) and ${formatResourceRef(second.object.ref)} are both Active; at most one revision of ${owner} must be`
    return [packageFinding('revision-many-active', message, placeIn(second.object, ['spec', 'desiredState'], 'Active'), owner)]
  })
}

function isActive({ revision }: RevisionObject): boolean {
  return revision.state === 'Active'
}

function checkFields(revisions: readonly RevisionObject[]): Finding[] {
  return revisions.flatMap(({ object, packageKey, revision }) => {
    const state = fieldAt(object, ['spec', 'desiredState'])
    const number = fieldAt(object, ['spec', 'revision'])
    const isOther = revision.state === undefined && state.value !== undefined
    const isNumber = (numberOf(number) ?? -1) >= 0
    const got = number.value === undefined ? 'nothing' : describeValue(number.value)
    return [
      ...(isOther ? [invalid(state, `must be one of 'Active', 'Inactive', got ${describeValue(state.value)}`, packageKey)] : []),
      ...(isNumber ? [] : [invalid(number, `must be a whole number, 0 or more, got ${got}`, packageKey)]),
    ]
  })
}

function checkNumbers(revisions: readonly RevisionObject[]): Finding[] {
  const ofPackages = revisions.filter(({ packageKey, revision }) => packageKey !== '' && revision.number > 0)
  const repeats = repeatsOf(ofPackages, ({ packageKey, revision }) => `${packageKey} ${revision.number}`)
  return repeats.map(({ first, again: { object, packageKey, revision } }) => {
    const other = `${first.revision.name} has (${formatPlace(placeIn(first.object, ['spec', 'revision']))})`
    const message = `must be the number of one revision of ${packageKey}, got ${revision.number}, as ${other}`
    return invalid(fieldAt(object, ['spec', 'revision']), message, packageKey)
  })
}

function checkLimit({ package: each }: ReconciledPackage): Finding[] {
  const field = fieldAt(each.object, ['spec', 'revisionHistoryLimit'])
  const isFine = field.value === undefined || (numberOf(field) ?? -1) >= 0
  return isFine ? [] : [invalid(field, `must be a whole number, 0 or more, got ${describeValue(field.value)}`, keyOfPackage(each))]
}

// Under Manual a changed image sets the old revision Inactive, and the new revision waits for a user to activate it.
function checkNoneActive({ package: { object, name }, revisions }: ReconciledPackage): Finding[] {
  const field = fieldAt(object, ['spec', 'revisionActivationPolicy'])
  if (field.value !== 'Manual' || revisions.length === 0 || revisions.some(isActive)) return []
  const message = `${formatResourceRef(object.ref)} has no Active revision, and \`spec.revisionActivationPolicy\` is Manual: nothing runs until a user sets one of its ${revisions.length} revisions Active`
  return [packageFinding('revision-manual-none-active', message, placeOfField(field), name)]
}

function checkCollected({ package: { object, name }, revisions, reconcile }: ReconciledPackage): Finding[] {
  const gone = (reconcile?.steps ?? []).filter(({ op }) => op === 'delete')
  return gone.flatMap(({ revision, why }) => {
    const found = revisions.find((each) => each.revision.name === revision.name)
    if (found === undefined) return []
    const message = `${formatResourceRef(found.object.ref)} (revision ${revision.number}) is deleted next: ${why} of ${formatResourceRef(object.ref)} (${formatPlace(placeIn(object, ['spec', 'revisionHistoryLimit']))})`
    const place = placeIn(found.object, ['spec', 'revision'], textAt(found.object, 'spec', 'revision') || revision.number)
    return [packageFinding('revision-gc', message, place, name)]
  })
}

function nameOf(packageKey: string): string {
  return packageKey.split(' ')[1] ?? packageKey
}

function invalid(field: ObjectField, message: string, packageKey: string): Finding {
  const place = placeOfField(field)
  const of = `\`${place.path.join('.')}\` of ${shorten(field.object.name ?? '').replaceAll('"', '')}`
  return packageFinding('revision-invalid', `${of} ${message}`, place, nameOf(packageKey))
}
