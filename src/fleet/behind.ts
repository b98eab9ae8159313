import { isRecord, type JsonValue, lookup } from '../json.ts'
import { type GitRevision, readKptfileUpstream } from '../kinds/kptfile-upstream.ts'
import type { Upstream } from '../kinds/package-variant-set.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'
import type { VariantChange } from './change.ts'
import type { VariantDownstream } from './downstream.ts'
import { type Fleet, packageKey } from './fleet.ts'
import type { FleetPlan, SetPlan } from './plan-fan-out.ts'

/** The package of a variant that is not at the upstream of the variant's set, or not at the newest known revision of that upstream. */
export interface Straggler {
  readonly set: SetPlan
  readonly variant: VariantChange
  /** The Kptfile or PackageRevision that names the upstream of the package. */
  readonly object: KrmObject
  readonly path: readonly string[]
  /** `locked` is the ref that the package was last updated to, `wanted` the revision or workspaceName of the set. */
  readonly locked: string
  readonly wanted: string
  /** The newest revision in the folder, if that is newer than the revision of the set. */
  readonly newest?: string
  /** True if the package is certainly older: both revisions are numbers of one package. */
  readonly isBehind: boolean
}

export interface Stragglers {
  readonly stragglers: readonly Straggler[]
  /** `packages` is the number of variants whose package was found, `without` the number of the others. */
  readonly packages: number
  readonly without: number
  readonly results: readonly Result[]
}

interface Lock extends GitRevision {
  readonly object: KrmObject
  readonly path: readonly string[]
}

/**
 * Returns the downstream packages of a fleet that are not at the upstream of their set, or not at its newest revision. The package of a
 * variant is found by a Kptfile that names the variant or is in a folder REPOSITORY/PACKAGE (`upstreamLock`, or `upstream` if no commit
 * is locked), else by the latest PackageRevision of the downstream (kpt.dev/v1 UpstreamLock; Porch v1.5, PackageRevisionStatus).
 */
export function findStragglers(plan: FleetPlan, items: readonly KrmObject[]): Stragglers {
  const { lockOf, results } = kptfileLocks(items)
  const variants = plan.sets.flatMap((set) => set.changes.flatMap((variant) => (variant.op === 'remove' ? [] : [{ set, variant }])))
  const found = variants.flatMap(({ set, variant }) => {
    const { namespace, why } = variant
    const lock = why && (lockOf(variant, why) ?? revisionLock(plan.fleet, namespace, why))
    return lock === undefined ? [] : [{ set, variant, lock }]
  })
  const newestOf = newestRevisions(plan.fleet, items)
  const stragglers = found.flatMap(({ set, variant, lock }) => compare(set, variant, lock, newestOf))
  return { stragglers, packages: found.length, without: variants.length - found.length, results }
}

type Newest = (upstream: Upstream, namespace: string) => number

/**
 * Returns a function for the highest revision of a package: of its PackageRevisions, and of the folders `REPOSITORY/PACKAGE@REVISION`
 * with a Kptfile.
 */
function newestRevisions(fleet: Fleet, items: readonly KrmObject[]): Newest {
  const inFolders = new Map<string, number>()
  for (const { kind, file } of items) {
    if (kind !== KPTFILE || file === undefined) continue
    const [, folder = '', revision] = /^(.+)@([^@/]+)\/[^/]+$/.exec(file.path) ?? []
    const number = revisionNumber(revision) ?? 0
    for (const place of [folder, ...endsOf(folder)]) inFolders.set(place, Math.max(inFolders.get(place) ?? 0, number))
  }
  return ({ repo, package: name }, namespace) => {
    const listed = (fleet.revisions().get(packageKey(namespace, repo, name)) ?? []).map(
      ({ object }) => revisionNumber(writtenRevision(object)) ?? 0,
    )
    return Math.max(inFolders.get(`${repo}/${name}`) ?? 0, ...listed)
  }
}

function compare(set: SetPlan, variant: VariantChange, { object, path, ...lock }: Lock, newestOf: Newest): readonly Straggler[] {
  if (set.set === undefined) return []
  const { upstream } = set.set
  const locked = lock.ref.slice(lock.ref.lastIndexOf('/') + 1)
  const wanted = wantedOf(upstream)
  const [is, wants] = [revisionNumber(locked), revisionNumber(wanted)]
  const isSamePackage = `/${lock.directory}`.replace(/\/+$/, '').endsWith(`/${upstream.package}`)
  const isBehind = isSamePackage && is !== undefined && wants !== undefined
  const highest = isBehind ? newestOf(upstream, set.owner.namespace) : 0
  const newest = wants !== undefined && highest > wants ? { newest: `v${highest}` } : {}
  if (isBehind ? is >= Math.max(wants, highest) : locked === wanted) return []
  return [{ set, variant, object, path, locked: isSamePackage ? lock.ref : `${lock.directory} ${lock.ref}`, wanted, ...newest, isBehind }]
}

function wantedOf({ revision, workspaceName }: Upstream): string {
  const number = revisionNumber(revision)
  return number === undefined || number === 0 ? String(revision || workspaceName) : `v${number}`
}

interface KptfileLocks {
  readonly lockOf: (variant: VariantChange, downstream: VariantDownstream) => Lock | undefined
  readonly results: readonly Result[]
}

function kptfileLocks(items: readonly KrmObject[]): KptfileLocks {
  const [byMark, byPlace] = [new Map<string, Lock>(), new Map<string, Lock>()]
  const results: Result[] = []
  for (const kptfile of items.filter(({ kind, file }) => kind === KPTFILE && file !== undefined)) {
    const { value, faults } = readKptfileUpstream(kptfile)
    results.push(...faults.map((fault) => faultToResult(kptfile, fault)))
    const key = value.upstreamLock === undefined ? 'upstream' : 'upstreamLock'
    const origin = value[key]
    if (origin === undefined || faults.length > 0) continue
    const lock = { ...origin, object: kptfile, path: [key, 'git', 'ref'] }
    const mark = kptfile.annotations.get(VARIANT_ANNOTATION)
    if (mark !== undefined) byMark.set(mark, lock)
    else for (const place of endsOf(folderOf(kptfile.file?.path ?? ''))) byPlace.set(place, lock)
  }
  const lockOf: KptfileLocks['lockOf'] = ({ namespace, name }, downstream) =>
    byMark.get(`${namespace}/${name}`) ?? byPlace.get(`${downstream.repo}/${downstream.package}`)
  return { lockOf, results }
}

/** Returns the ends of a folder with two steps or more, since REPOSITORY/PACKAGE may be below any folder: `a/b/c` and `b/c` for `a/b/c`. */
function endsOf(folder: string): readonly string[] {
  const steps = folder.split('/')
  return steps.slice(0, -1).map((_, from) => steps.slice(from).join('/'))
}

function revisionLock(fleet: Fleet, namespace: string, { repo, package: name }: VariantDownstream): Lock | undefined {
  const numbered = (fleet.revisions().get(packageKey(namespace, repo, name)) ?? []).map(({ object }) => ({
    object,
    revision: revisionNumber(writtenRevision(object)) ?? 0,
  }))
  const [latest] = numbered.sort((a, b) => b.revision - a.revision)
  const git = latest?.object.get(['status', 'upstreamLock', 'git'])
  if (latest === undefined || !isRecord(git)) return undefined
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')
  const [gitRepo, directory, ref] = [lookup(git, 'repo'), lookup(git, 'directory'), lookup(git, 'ref')].map(text)
  return {
    repo: gitRepo ?? '',
    directory: directory ?? '',
    ref: ref ?? '',
    object: latest.object,
    path: ['status', 'upstreamLock', 'git', 'ref'],
  }
}
