import type { FieldPath } from '../../field-path.ts'
import { isRecord, scalarText } from '../../json.ts'
import { type GitRevision, readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { UpstreamFields } from '../../kinds/upstream-schema.ts'
import { DEFAULT_NAMESPACE } from '../../kubernetes/kinds.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf } from '../../resource-list/package-of.ts'
import type { Result } from '../../result.ts'
import { type Fault, faultToResult } from '../../schema/fault.ts'
import { PORCH_GROUP } from '../../well-known.ts'
import type { FleetPlan } from '../plan-fan-out.ts'
import { lockAt, lockOfRevision, upstreamFields } from './behind.ts'
import { revisionFieldOf, ringedUpstreams } from './ring-revisions.ts'

/** The four kinds of objects that are built on a revision of an upstream. */
export const USER_KINDS = ['set', 'variant', 'package', 'revision'] as const

/** An object that is built on a revision of an upstream. */
export interface RevisionUser {
  readonly kind: (typeof USER_KINDS)[number]
  /** NAMESPACE/NAME, of a set with the ring; of a package its folder. */
  readonly name: string
  /** The field that names the revision. */
  readonly object: KrmObject
  readonly path: FieldPath
}

/** The revision of an upstream whose users are looked for. */
export interface UsedRevision {
  /** Returns true if the upstream of a set or variant is the revision. */
  readonly isAsked: (upstream: UpstreamFields, namespace: string) => boolean
  /** Returns true if a Kptfile or PackageRevision means the revision. */
  readonly isLocked: (lock: GitRevision) => boolean
}

export interface RevisionUsers {
  readonly users: readonly RevisionUser[]
  /** The faults of Kptfiles, and of PackageRevisions of which not every upstream is known. */
  readonly results: readonly Result[]
}

/**
 * Returns the objects that are built on a revision of an upstream: the sets, rings and PackageVariants that ask for it, the packages and
 * subpackages whose Kptfile names it, and the PackageRevisions that were made from it, drafts and old ones too. Porch refuses to delete a
 * revision that a PackageRevision names so (`status.upstreamLock`, `status.subpackageUpstreams` of v1alpha2).
 *
 * @param kptfiles  the Kptfiles of all packages, with those of subpackages
 */
export function usersOf(
  revision: UsedRevision,
  plan: Pick<FleetPlan, 'sets' | 'fleet'>,
  variants: readonly KrmObject[],
  kptfiles: readonly KrmObject[],
): RevisionUsers {
  const results: Result[] = []
  const users = [
    ...plan.sets.flatMap((set) => usersInSet(revision, set)),
    ...variants.flatMap((object) => userVariant(revision, object)),
    ...kptfiles.flatMap((kptfile) => userPackage(revision, kptfile, results)),
    ...plan.fleet.allOf(PORCH_GROUP, 'PackageRevision').flatMap(({ object, namespace }) => {
      if (object.get(['status', 'dependencyTruncated']) === true) results.push(faultToResult(object, TRUNCATED))
      const locks = [lockOfRevision(object, namespace, plan.fleet), ...subpackageLocks(object)]
      const found = locks.find((lock) => lock !== undefined && revision.isLocked(lock))
      return found === undefined ? [] : [{ kind: 'revision', name: nameOf(object), object, path: found.path } as const]
    }),
  ]
  return { users, results }
}

const TRUNCATED: Fault = {
  severity: 'warning',
  rule: 'upstreams-truncated',
  path: ['status', 'dependencyTruncated'],
  message: 'is true: Porch lists only some of the upstreams of the subpackages, and one that is not in the list may be the revision',
}

function usersInSet({ isAsked }: UsedRevision, plan: FleetPlan['sets'][number]): readonly RevisionUser[] {
  const { namespace, name } = plan.owner
  const rings = new Map(ringedUpstreams(plan).map((ringed) => [ringed.upstream, ringed.rings]))
  return (plan.set?.upstreams ?? []).flatMap((upstream): readonly RevisionUser[] => {
    const inRings = rings.get(upstream) ?? []
    if (inRings.length === 0)
      return isAsked(upstreamFields(upstream), namespace)
        ? [{ kind: 'set', name: `${namespace}/${name}`, ...revisionFieldOf(upstream) }]
        : []
    return inRings
      .filter((ring) => isAsked(upstreamFields(ring.upstream), namespace))
      .map(({ ring, at }) => ({ kind: 'set', name: `${namespace}/${name}, ring ${ring.name}`, ...at }))
  })
}

function userVariant({ isAsked }: UsedRevision, object: KrmObject): readonly RevisionUser[] {
  const upstream = object.get(['spec', 'upstream'])
  if (!isRecord(upstream)) return []
  const text = (key: string) => scalarText(object.get(['spec', 'upstream', key]))
  const number = object.get(['spec', 'upstream', 'revision'])
  const fields = {
    repo: text('repo'),
    package: text('package'),
    ...((typeof number === 'number' || typeof number === 'string') && { revision: number }),
    ...(text('workspaceName') !== '' && { workspaceName: text('workspaceName') }),
  }
  const key = fields.revision === undefined ? 'workspaceName' : 'revision'
  if (!isAsked(fields, object.namespace || DEFAULT_NAMESPACE)) return []
  return [{ kind: 'variant', name: nameOf(object), object, path: ['spec', 'upstream', key] }]
}

/** Returns the package of a Kptfile if the Kptfile names the revision: what the package was brought to, or what it is to be brought to. */
function userPackage({ isLocked }: UsedRevision, kptfile: KrmObject, results: Result[]): readonly RevisionUser[] {
  const { value, faults } = readKptfileUpstream(kptfile)
  results.push(...faults.map((fault) => faultToResult(kptfile, fault)))
  const key = (['upstreamLock', 'upstream'] as const).find((each) => value[each] !== undefined && isLocked(value[each]))
  if (key === undefined) return []
  return [{ kind: 'package', name: folderOf(kptfile.file?.path ?? ''), object: kptfile, path: [key, 'git', 'ref'] }]
}

function subpackageLocks(object: KrmObject): readonly ReturnType<typeof lockAt>[] {
  const path = ['status', 'subpackageUpstreams']
  const listed = object.get(path)
  return Array.isArray(listed) ? listed.map((_, index) => lockAt(object, [...path, index, 'upstream', 'git'])) : []
}

function nameOf({ namespace, name = '' }: KrmObject): string {
  return `${namespace || DEFAULT_NAMESPACE}/${name}`
}
