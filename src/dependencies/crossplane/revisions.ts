import { compareText } from '../../field-path.ts'
import { sha256Hex } from '../../kubernetes/truncated-name.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { fieldAt, type ObjectField, textAt } from '../reading/field.ts'
import { type ObjectOwner, ownersOf } from '../reading/object-metadata.ts'
import { type CrossplanePackage, isOfPackageManager } from './objects.ts'
import { friendlyID } from './reference.ts'

export type DesiredState = 'Active' | 'Inactive'

/** A revision of a package, as Crossplane knows it: the number rises, and is the key for collecting old ones. */
export interface CrossplaneRevision {
  readonly name: string
  readonly number: number
  /** Undefined: unset, as a new revision of a Manual package is. */
  readonly state: DesiredState | undefined
}

/** The inputs of one reconcile of a package. */
export interface ObservedCrossplanePackage {
  /** The name of the revision that `spec.package` asks for. */
  readonly wanted: string
  readonly policy: 'Automatic' | 'Manual'
  /** The number of old revisions that stay; 0 if all stay, undefined if none is collected. */
  readonly limit: number | undefined
  /** `status.currentRevision` */
  readonly current: string | undefined
  readonly revisions: readonly CrossplaneRevision[]
  /**
   * Reasons against creating a revision: missing dependencies, objects of other owners. Crossplane today creates an unhealthy revision
   * (seed 003 rule 25).
   */
  readonly obstacles: readonly string[]
}

/** A change that a reconcile makes to one revision: the revision afterwards, and the reason. */
export interface RevisionStep {
  readonly op: 'create' | 'update' | 'delete'
  readonly revision: CrossplaneRevision
  readonly why: string
}

/** The outcome of one reconcile of a package. */
export interface PackageReconcile {
  readonly steps: readonly RevisionStep[]
  /** The revision that `status.currentRevision` names afterwards. */
  readonly current: string | undefined
  /** The faults that the package reports: why no revision was created, or why the created revision is unhealthy. */
  readonly faults: readonly string[]
}

/**
 * Returns the name of a revision today: a hash of the image, since v2.4 also of the generation of the package.
 *
 * @param generation  undefined in a release without it
 */
export function currentRevisionName(packageName: string, digest: string, generation: number | undefined): string {
  const hash = digest.replace(/^sha256:/, '')
  return friendlyID(packageName, generation === undefined ? hash : sha256Hex(`${hash}|${generation}`))
}

/** Returns the name of a revision in seed 003: the hash of its image. */
export function seedRevisionName(digest: string): string {
  return digest.replace(/^sha256:/, '')
}

/**
 * Returns the outcome of a reconcile by today's package manager (internal/controller/pkg/manager/reconciler.go). Every Active revision but
 * the wanted one is set Inactive, whatever the policy. The wanted revision gets the highest number, and is made Active unless the policy is
 * Manual. If there were more than limit + 1 revisions before, the one with the lowest number is deleted.
 */
export function reconcileCurrent({ wanted, policy, limit, revisions, obstacles }: ObservedCrossplanePackage): PackageReconcile {
  const others = revisions.filter(({ name, state }) => name !== wanted && state === 'Active')
  const inactivated = others.map((each) => changed(each, { state: 'Inactive' }, 'every revision but the current one is Inactive'))
  const tooMany = limit !== undefined && limit !== 0 && revisions.length > limit + 1 ? [...revisions].sort(byNumber).slice(0, 1) : []
  const collected = tooMany.map((each) => collect(each, limit))
  return { steps: [...inactivated, ...collected, ...applyWanted(wanted, policy, revisions, collected)], current: wanted, faults: obstacles }
}

/** Makes the wanted revision, also where it has just been collected. */
function applyWanted(
  wanted: string,
  policy: ObservedCrossplanePackage['policy'],
  revisions: readonly CrossplaneRevision[],
  collected: readonly RevisionStep[],
): RevisionStep[] {
  const there = revisions.find(({ name }) => name === wanted)
  const max = maxNumber(revisions)
  const number = there === undefined || there.number < max || max === 0 ? max + 1 : there.number
  const state = policy === 'Automatic' ? 'Active' : there?.state
  const isGone = collected.some(({ revision }) => revision.name === wanted)
  if (there === undefined || isGone) return [{ op: 'create', revision: { name: wanted, number, state }, why: whyMade(policy) }]
  const revision = { name: wanted, number, state }
  if (number === there.number && state === there.state) return []
  const why = state === there.state ? 'the current revision has the highest number' : 'the policy is Automatic'
  return [{ op: 'update', revision, why }]
}

function whyMade(policy: ObservedCrossplanePackage['policy']): string {
  return `\`spec.package\` asks for it, and the policy is ${policy}`
}

/**
 * Returns the outcome of a reconcile by seed 003 (Package, PackageRevision API). Under Manual the old revision stays Active until a user
 * activates another one, which then is the current one. A revision that turns Active gets the highest number. Only Inactive revisions count
 * for the limit.
 */
export function reconcileSeed(observed: ObservedCrossplanePackage): PackageReconcile {
  const { wanted, policy, revisions, obstacles } = observed
  const isThere = revisions.some(({ name }) => name === wanted)
  const made = isThere || obstacles.length > 0 ? [] : [createSeed(observed)]
  const known = [...revisions, ...made.map(({ revision }) => revision)]
  const active = activeSeed(observed, known)
  const before = new Map(known.map((each) => [each.name, each]))
  const switched = active === undefined ? [] : switchTo(active, known, policy)
  const after = known.map((each) => switched.find(({ revision }) => revision.name === each.name)?.revision ?? each)
  const faults = isThere ? [] : obstacles
  return {
    steps: [...made, ...switched.filter(({ revision }) => before.get(revision.name) !== revision), ...collectSeed(observed, after)],
    current: active ?? (made.length > 0 || isThere ? wanted : observed.current),
    faults,
  }
}

function createSeed({ wanted, policy, revisions }: ObservedCrossplanePackage): RevisionStep {
  const state = policy === 'Automatic' ? 'Active' : 'Inactive'
  return { op: 'create', revision: { name: wanted, number: maxNumber(revisions) + 1, state }, why: whyMade(policy) }
}

/** Returns the revision that must be Active: the wanted one, or under Manual the one that a user activated last. */
function activeSeed({ wanted, policy, current }: ObservedCrossplanePackage, known: readonly CrossplaneRevision[]): string | undefined {
  if (policy === 'Automatic' && known.some(({ name }) => name === wanted)) return wanted
  const active = known.filter(({ state }) => state === 'Active').map(({ name }) => name)
  const chosen = active.filter((name) => name !== current)
  if (active.length < 2 || chosen.length === 0) return active[0]
  return chosen.includes(wanted) ? wanted : chosen[0]
}

function switchTo(active: string, known: readonly CrossplaneRevision[], policy: ObservedCrossplanePackage['policy']): RevisionStep[] {
  const others = known.filter(({ name, state }) => name !== active && state === 'Active')
  const inactivated = others.map((each) => changed(each, { state: 'Inactive' }, `${active} is Active now`))
  const own = known.find(({ name }) => name === active)
  if (own === undefined) return inactivated
  const turns = own.state !== 'Active' || others.length > 0
  const number = turns && own.number < maxNumber(known) ? maxNumber(known) + 1 : own.number
  const why = policy === 'Automatic' ? 'the policy is Automatic' : 'a user made it Active'
  const isSame = own.state === 'Active' && number === own.number
  return isSame ? inactivated : [...inactivated, changed(own, { state: 'Active', number }, why)]
}

function collectSeed({ limit }: ObservedCrossplanePackage, after: readonly CrossplaneRevision[]): RevisionStep[] {
  if (limit === undefined || limit === 0) return []
  const inactive = after.filter(({ state }) => state !== 'Active').sort(byNumber)
  return inactive.slice(0, Math.max(0, inactive.length - limit)).map((each) => collect(each, limit))
}

function collect(revision: CrossplaneRevision, limit: number | undefined): RevisionStep {
  return { op: 'delete', revision, why: `it falls outside of revisionHistoryLimit ${limit}` }
}

function changed(revision: CrossplaneRevision, change: Partial<CrossplaneRevision>, why: string): RevisionStep {
  return { op: 'update', revision: { ...revision, ...change }, why }
}

function maxNumber(revisions: readonly CrossplaneRevision[]): number {
  return Math.max(0, ...revisions.map(({ number }) => number))
}

function byNumber(a: CrossplaneRevision, b: CrossplaneRevision): number {
  return a.number - b.number
}

/** Returns the revisions after some steps. */
export function afterSteps(revisions: readonly CrossplaneRevision[], steps: readonly RevisionStep[]): CrossplaneRevision[] {
  const after = new Map(revisions.map((each) => [each.name, each]))
  for (const { op, revision } of steps) {
    if (op === 'delete') after.delete(revision.name)
    else after.set(revision.name, revision)
  }
  return [...after.values()]
}

/** A revision with its object. */
export interface RevisionObject {
  readonly object: KrmObject
  /** The package of the revision, `Provider helm`; '' if neither a label nor an owner names the package. */
  readonly packageKey: string
  readonly revision: CrossplaneRevision
  readonly owner: ObjectOwner
  /** The image that it is made of. */
  readonly image: string
}

/** A package with its revisions, and what one reconcile does to them. */
export interface ReconciledPackage {
  readonly package: CrossplanePackage
  readonly revisions: readonly RevisionObject[]
  /** Undefined if it is not known what a reconcile does. */
  readonly reconcile: PackageReconcile | undefined
  /** Undefined when the digest of the package's image is not known, so that the name of the wanted revision is unknown. */
  readonly observed: ObservedCrossplanePackage | undefined
}

const REVISION_KINDS: ReadonlySet<string> = new Set(['ProviderRevision', 'ConfigurationRevision', 'FunctionRevision', 'PackageRevision'])

/** On every revision: the name of its package. */
export const PACKAGE_LABEL = 'pkg.crossplane.io/package'

/** Returns the revisions of Crossplane packages, of today and of seed 003, sorted by name. */
export function readCrossplaneRevisions(objects: readonly KrmObject[]): RevisionObject[] {
  const sorted = objects
    .filter((object) => isOfPackageManager(object, REVISION_KINDS))
    .sort((a, b) => compareText(a.name ?? '', b.name ?? ''))
  return sorted.map((object) => ({
    object,
    packageKey: packageKeyOf(object),
    revision: {
      name: object.name ?? '',
      number: numberOf(fieldAt(object, ['spec', 'revision'])) ?? 0,
      state: STATES.find((state) => state === textAt(object, 'spec', 'desiredState')),
    },
    owner: ownerOf(object),
    image: textAt(object, 'spec', 'image') || textAt(object, 'spec', 'package'),
  }))
}

/** Returns the whole number in a field; undefined for any other value. */
export function numberOf({ value }: ObjectField): number | undefined {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
  return isWhole ? Number(value) : undefined
}

const STATES: readonly DesiredState[] = ['Active', 'Inactive']

// The package by its label, else by the owner that controls the revision.
function packageKeyOf(object: KrmObject): string {
  const kind = (object.kind ?? '').replace(/Revision$/, '')
  const name = object.labels.get(PACKAGE_LABEL) ?? ownersOf(object).find(({ controller }) => controller)?.name ?? ''
  return name === '' ? '' : `${kind} ${name}`
}

/** Returns an object as an owner. */
export function ownerOf(object: KrmObject): ObjectOwner {
  const { apiVersion = '', kind = '', name = '' } = object
  return { apiVersion, kind, name, uid: textAt(object, 'metadata', 'uid') }
}

/** Returns the revisions after a reconcile, new ones included. */
export function revisionsAfter({ revisions, reconcile }: Pick<ReconciledPackage, 'revisions' | 'reconcile'>): CrossplaneRevision[] {
  const before = revisions.map(({ revision }) => revision)
  return afterSteps(before, reconcile?.steps ?? [])
}

/** Returns the revision that is Active after a reconcile; undefined if none is Active, or if the Active one has no object yet. */
export function activeAfter(reconciled: Pick<ReconciledPackage, 'revisions' | 'reconcile'>): RevisionObject | undefined {
  const active = revisionsAfter(reconciled).find(({ state }) => state === 'Active')
  return reconciled.revisions.find(({ revision }) => revision.name === active?.name)
}
