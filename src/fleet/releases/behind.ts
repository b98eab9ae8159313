import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue, lookup, scalarText } from '../../json.ts'
import { type GitRevision, readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { compareRevisions, revisionNumber, revisionVersion, writtenRevision } from '../../kinds/revision.ts'
import { UPSTREAM_PATH } from '../../kinds/upstream-rules.ts'
import type { UpstreamFields } from '../../kinds/upstream-schema.ts'
import type { Upstream } from '../../kinds/variant-set.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, KPTFILE } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { type Fault, faultToResult } from '../../schema/fault.ts'
import { PORCH_GROUP, VARIANT_ANNOTATION } from '../../well-known.ts'
import type { VariantChange } from '../change.ts'
import type { VariantDownstream } from '../downstream.ts'
import { type Fleet, packageKey } from '../fleet.ts'
import type { FleetPlan, SetPlan } from '../plan-fan-out.ts'
import { type PlannedVariant, plannedVariants, upstreamOfPlanned } from '../planned-variants.ts'
import type { Followers } from './followers.ts'

/** The package of a variant that is not at the upstream of the variant's set, or not at the newest known revision of that upstream. */
export interface Straggler {
  readonly set: SetPlan
  readonly variant: VariantChange
  /** The Kptfile or PackageRevision that names the upstream of the package. */
  readonly object: KrmObject
  readonly path: FieldPath
  /** `locked` is the ref that the package was last updated to, `wanted` the revision or workspaceName of the set. */
  readonly locked: string
  readonly wanted: string
  /** The newest revision of the upstream, if that is newer than the revision of the set. */
  readonly newest?: string
  /** True if the package is certainly older: both revisions are versions of one package. */
  readonly isBehind: boolean
  /** REPOSITORY/PACKAGE that is not at its revision, if the package of the variant follows it along unpublished links (docs/chains.md). */
  readonly through?: string
}

export interface Stragglers {
  readonly stragglers: readonly Straggler[]
  /** `packages` is the number of variants whose package was found, `without` the number of the others. */
  readonly packages: number
  readonly without: number
  /** The sets whose upstream has no revision that is known, with the reason. */
  readonly unknown: readonly UnknownUpstream[]
  readonly results: readonly Result[]
}

/** An upstream of a set without a known revision; `object` names the upstream, and the path of the fault is one of `object`. */
interface UnknownUpstream {
  readonly set: SetPlan
  readonly object: KrmObject
  readonly fault: Fault
}

/** The revision that a package was last brought to, and the Kptfile or PackageRevision that names it. */
export interface PackageLock extends GitRevision {
  readonly object: KrmObject
  readonly path: FieldPath
}

/**
 * Returns the downstream packages of a fleet that are not at the upstream of their set, or not at its newest revision. The package of a
 * variant is found by a Kptfile that names the variant or is in a folder REPOSITORY/PACKAGE (`upstreamLock`, or `upstream` if no commit
 * is locked), else by the latest PackageRevision of the downstream (kpt.dev/v1 UpstreamLock; Porch v1.5, PackageRevisionStatus).
 */
export function findStragglers(plan: FleetPlan, items: readonly KrmObject[], newestOf: NewestOf, followers: Followers): Stragglers {
  const { lockOf, lockAt: lockOfMaker, results } = packageLocks(plan, items)
  const variants = plan.sets.flatMap((set) => set.changes.flatMap((variant) => (variant.op === 'remove' ? [] : [{ set, variant }])))
  const found = variants.flatMap(({ set, variant }): Found[] => {
    const lock = lockOf(variant)
    return lock === undefined ? [] : [{ set, variant, lock }]
  })
  const setOf = new Map(
    found.flatMap(({ set, variant: { why } }) => (why === undefined ? [] : [[why.place.upstream.upstream, set] as const])),
  )
  const upstreams = new Map(
    [...setOf].flatMap(([upstream, set]) => {
      const fields = upstreamFields(upstream)
      const isFollowing = followers.makerOf(fields, set.owner.namespace) !== undefined
      return isFollowing ? [] : [[upstream, { set, ...newestOf(fields, set.owner.namespace) }] as const]
    }),
  )
  const above = makersBehind({ newestOf, followers, lockOf: lockOfMaker })
  const stragglers = found.flatMap((each): readonly Straggler[] => {
    const revisions = each.variant.why && upstreams.get(each.variant.why.place.upstream.upstream)
    return revisions === undefined ? above(each) : compare(each, revisions)
  })
  const unknown = [...upstreams].flatMap(([{ object, path }, { set, fault }]) =>
    fault === undefined ? [] : [{ set, object, fault: { ...fault, path: [...path, ...fault.path.slice(UPSTREAM_PATH.length)] } }],
  )
  return { stragglers, packages: found.length, without: variants.length - found.length, unknown, results }
}

/** Returns the revisions of an upstream that a set asks for. `src/upstream` knows them. */
export type NewestOf = (upstream: UpstreamFields, namespace: string) => KnownRevisions

/** The newest revision of an upstream package, and the one that a variant asks for. */
export interface KnownRevisions {
  /** The names that the asked revision may have, the likeliest first: `v3`, `3`. */
  readonly asked: readonly string[]
  /** The name of the newest revision; undefined when no revision is known whose name has an order. */
  readonly newest?: string
  /** The reason why no revision is known at all. */
  readonly fault?: Fault
}

interface Found {
  readonly set: SetPlan
  readonly variant: VariantChange
  readonly lock: PackageLock
}

function compare({ set, variant, lock }: Found, revisions: KnownRevisions): readonly Straggler[] {
  if (variant.why === undefined) return []
  return compareLock(lock, variant.why.place.upstream.upstream, revisions).map((compared) => ({ set, variant, ...compared }))
}

interface MakerSearch {
  readonly newestOf: NewestOf
  readonly followers: Followers
  readonly lockOf: PackageLocks['lockAt']
}

/**
 * Returns a function for variants that follow the packages of others: it returns the package at the top of the chain of links without a
 * published revision, if that package is not at its revision.
 */
function makersBehind({ newestOf, followers, lockOf }: MakerSearch): (found: Found) => readonly Straggler[] {
  const known = new Map<PlannedVariant, ReturnType<typeof compareLock>>()
  return ({ set, variant }) => {
    const why = variant.why?.place.upstream.upstream
    let maker = why && followers.makerOf(upstreamFields(why), variant.namespace)
    const seen = new Set<PlannedVariant>()
    for (let next = maker; next !== undefined && !seen.has(next); ) {
      seen.add(next)
      maker = next
      next = followers.makerOf(upstreamOfPlanned(next), next.namespace)
    }
    if (maker === undefined) return []
    const top = maker
    const lock = lockOf(top, { repo: top.repo, package: top.packageName })
    if (lock === undefined) return []
    const upstream = upstreamOfPlanned(top)
    const compared = remember(known, top, () => compareLock(lock, upstream, newestOf(upstream, top.namespace)))
    return compared.map((each) => ({ set, variant, ...each, through: `${top.repo}/${top.packageName}` }))
  }
}

function compareLock(
  lock: PackageLock,
  upstream: Pick<Upstream, 'package'>,
  { asked, newest }: KnownRevisions,
): readonly Omit<Straggler, 'set' | 'variant'>[] {
  const { object, path } = lock
  const { locked, isSamePackage } = lockedRevision(lock, upstream)
  const wanted = asked[0] ?? ''
  const [is, wants, highest] = [locked, wanted, newest ?? wanted].map(revisionVersion)
  const isBehind = isSamePackage && is !== undefined && wants !== undefined
  const isNewer = wants !== undefined && highest !== undefined && compareRevisions(highest, wants) > 0
  const isCurrent = isBehind
    ? compareRevisions(is, wants) >= 0 && (!isNewer || compareRevisions(is, highest) >= 0)
    : isSamePackage && asked.includes(locked)
  if (isCurrent) return []
  const named = (revision: string) => (isSamePackage ? revision : `${upstream.package} ${revision}`)
  const straggler = { object, path, wanted: named(wanted), isBehind }
  return [
    {
      ...straggler,
      locked: isSamePackage ? lock.ref : `${lock.directory} ${lock.ref}`,
      ...(isNewer && newest !== undefined && { newest }),
    },
  ]
}

/** Returns the name of the revision that a package is locked to, `v3` for `tills/v3`, and true if that is one of the upstream's package. */
export function lockedRevision(
  { ref, directory }: PackageLock,
  upstream: Pick<Upstream, 'package'>,
): { readonly locked: string; readonly isSamePackage: boolean } {
  const isSamePackage = `/${directory}`.replace(/\/+$/, '').endsWith(`/${upstream.package}`)
  return { locked: ref.slice(ref.lastIndexOf('/') + 1), isSamePackage }
}

export interface PackageLocks {
  /** Returns the lock of a variant's package; undefined if no package is known that names its upstream. */
  readonly lockOf: (variant: VariantChange) => PackageLock | undefined
  /** Returns the lock of the package of a variant by its downstream, if a Kptfile has it. */
  readonly lockAt: (variant: Pick<VariantChange, 'namespace' | 'name'>, downstream: VariantDownstream) => PackageLock | undefined
  /** Returns the place of the first fault in the package of a lock, FILE:LINE, if one of its files cannot be read. */
  readonly unreadable?: (lock: PackageLock) => string | undefined
  readonly results: readonly Result[]
}

/** Reads the locks of packages: from Kptfiles, else from the latest PackageRevision of a downstream. */
export function packageLocks(plan: Pick<FleetPlan, 'fleet' | 'sets'>, items: readonly KrmObject[]): PackageLocks {
  const { fleet } = plan
  const { lockOf, results } = kptfileLocks(items, new Set(plannedVariants(plan).map(({ namespace, name }) => `${namespace}/${name}`)))
  return {
    lockOf: (variant) => variant.why && (lockOf(variant, variant.why) ?? revisionLock(fleet, variant.namespace, variant.why)),
    lockAt: lockOf,
    results,
  }
}

/** Returns the fields of an upstream as a PackageVariant has them. */
export function upstreamFields({ repo, package: packageName, revision, workspaceName }: Upstream): UpstreamFields {
  return { repo, package: packageName, ...(revision !== undefined && { revision }), ...(workspaceName !== undefined && { workspaceName }) }
}

interface KptfileLocks {
  readonly lockOf: PackageLocks['lockAt']
  readonly results: readonly Result[]
}

/**
 * @param alive  the variants of the fleet: where another one had its package, `render` takes it over for the variant that wants the place
 */
function kptfileLocks(items: readonly KrmObject[], alive: ReadonlySet<string>): KptfileLocks {
  const [byMark, byPlace] = [new Map<string, PackageLock[]>(), new Map<string, PackageLock>()]
  const results: Result[] = []
  for (const kptfile of items.filter(({ kind, file }) => kind === KPTFILE && file !== undefined)) {
    const { value, faults } = readKptfileUpstream(kptfile)
    results.push(...faults.map((fault) => faultToResult(kptfile, fault)))
    const key = value.upstreamLock === undefined ? 'upstream' : 'upstreamLock'
    const origin = value[key]
    if (origin === undefined || faults.length > 0) continue
    const lock = { ...origin, object: kptfile, path: [key, 'git', 'ref'] }
    const mark = kptfile.annotations.get(VARIANT_ANNOTATION)
    if (mark !== undefined) byMark.set(mark, [...(byMark.get(mark) ?? []), lock])
    if (mark === undefined || !alive.has(mark)) for (const place of endsOf(packageOf(lock))) byPlace.set(place, lock)
  }
  const lockOf: KptfileLocks['lockOf'] = ({ namespace, name }, downstream) => {
    const place = `${downstream.repo}/${downstream.package}`
    const own = byMark.get(`${namespace}/${name}`) ?? []
    // A second package with the mark of a variant is a copy.
    return own.find((lock) => `/${packageOf(lock)}`.endsWith(`/${place}`)) ?? own.at(-1) ?? byPlace.get(place)
  }
  return { lockOf, results }
}

function packageOf({ object: { file } }: PackageLock): string {
  return folderOf(file?.path ?? '')
}

/** Returns the ends of a folder with two steps or more, since REPOSITORY/PACKAGE may be below any folder: `a/b/c` and `b/c` for `a/b/c`. */
function endsOf(folder: string): readonly string[] {
  const steps = folder.split('/')
  return steps.slice(0, -1).map((_, from) => steps.slice(from).join('/'))
}

function revisionLock(fleet: Fleet, namespace: string, { repo, package: name }: VariantDownstream): PackageLock | undefined {
  const numbered = (fleet.revisions().get(packageKey(namespace, repo, name)) ?? []).map(({ object }) => ({
    object,
    revision: revisionNumber(writtenRevision(object)) ?? 0,
  }))
  const [latest] = numbered.sort((a, b) => b.revision - a.revision)
  return latest && lockOfRevision(latest.object, namespace, fleet)
}

/** Returns what a PackageRevision was made from; undefined if it does not say so. */
export function lockOfRevision(object: KrmObject, namespace: string, fleet: Fleet): PackageLock | undefined {
  return lockAt(object, ['status', 'upstreamLock', 'git']) ?? sourceLock(object, namespace, fleet)
}

/**
 * Returns what a PackageRevision of v1alpha2 without a lock was made from: the folder in git that `spec.source` names, or the lock of the
 * PackageRevision that it names.
 */
function sourceLock(object: KrmObject, namespace: string, fleet: Fleet): PackageLock | undefined {
  const source = ['spec', 'source']
  const inGit = lockAt(object, [...source, 'cloneFrom', 'git'])
  if (inGit !== undefined) return inGit
  const name = scalarText(
    object.get([...source, 'upgrade', 'newUpstream', 'name']) ?? object.get([...source, 'cloneFrom', 'upstreamRef', 'name']),
  )
  if (name === '') return undefined
  const upstream = fleet.allOf(PORCH_GROUP, 'PackageRevision').find((each) => each.namespace === namespace && each.name === name)
  return upstream && lockAt(upstream.object, ['status', 'selfLock', 'git'])
}

/** Returns the revision in git that an object names at a path. */
export function lockAt(object: KrmObject, path: FieldPath): PackageLock | undefined {
  const git = object.get(path)
  if (!isRecord(git)) return undefined
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')
  const [repo = '', directory = '', ref = ''] = [lookup(git, 'repo'), lookup(git, 'directory'), lookup(git, 'ref')].map(text)
  return { repo, directory, ref, object, path: [...path, 'ref'] }
}
