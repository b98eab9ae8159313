import type { FieldPath } from '../field-path.ts'
import { type JsonRecord, scalarText } from '../json.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import type { Upstream } from '../kinds/variant-set.ts'
import type { Result } from '../result.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion, type NearestAmong, nearestName } from '../schema/nearest-name.ts'
import { type Fleet, type FleetObject, packageKey, type SetSurroundings } from './fleet.ts'
import { omitEmpty } from './templates/render-template.ts'

/**
 * An upstream of a set with its PackageRevision, or with the faults of the lookup. Neither, if the lookup is optional and the list has no
 * PackageRevision.
 */
export interface FoundUpstream {
  readonly upstream: Upstream
  /** `spec.upstream` of the variants, without empty fields. */
  readonly fields: JsonRecord
  readonly revision?: FleetObject
  readonly faults: readonly Result[]
}

/**
 * Finds the PackageRevision of an upstream in the namespace of its set: by revision if the upstream has one, else by workspaceName.
 *
 * Porch uses the first PackageRevision with either, so that a workspaceName finds any draft; this function finds only the requested one
 * (docs/porch.md 5). If the list has no PackageRevision, no lookup is made unless lookups are required.
 */
export function findUpstream(upstream: Upstream, { fleet, namespace, lookups }: SetSurroundings): FoundUpstream {
  const fields = omitEmpty(upstream.written)
  const revisions = fleet.revisions()
  if (revisions.size === 0 && lookups === 'optional') return { upstream, fields, faults: [] }
  const candidates = revisions.get(packageKey(namespace, upstream.repo, upstream.package)) ?? []
  const asked = askedFor(upstream)
  const revision = candidates.find((candidate) => isAskedFor(candidate, asked))
  if (revision !== undefined) return { upstream, fields, revision, faults: [] }
  const packages = [...revisions.values()].map(([first]) => first)
  return { upstream, fields, faults: [upstreamNotFound({ upstream, namespace, asked, candidates, packages })] }
}

/**
 * Returns the workspace of a revision of an upstream package: that of its PackageRevision, else the name of the revision, as the first
 * workspace of a revision is mostly called.
 *
 * @param revision  a number, or a name such as `v3`
 */
export function workspaceOfRevision({ repo, package: name }: Upstream, namespace: string, revision: number | string, fleet: Fleet): string {
  const number = revisionNumber(revision)
  const found = fleet
    .revisions()
    .get(packageKey(namespace, repo, name))
    ?.find(({ object }) => revisionNumber(writtenRevision(object)) === number)
  return scalarText(found?.object.get(['spec', 'workspaceName'])) || (number === undefined ? String(revision) : `v${number}`)
}

/** Returns the requested revision: `3` and `v3` are revision 3, any other text is a workspaceName (docs/porch.md 3). */
function askedFor({ revision, workspaceName }: Upstream): AskedRevisionName {
  const number = revisionNumber(revision)
  if (number !== undefined && number !== 0) return { revision: number }
  return { workspaceName: typeof revision === 'string' ? revision : (workspaceName ?? '') }
}

function isAskedFor({ object }: FleetObject, asked: AskedRevisionName): boolean {
  if ('revision' in asked) return revisionNumber(writtenRevision(object)) === asked.revision
  return object.get(['spec', 'workspaceName']) === asked.workspaceName
}

/** The revision of a package that a set asks for: a number, or a workspaceName. */
type AskedRevisionName = { readonly revision: number } | { readonly workspaceName: string }

/** An upstream that the list does not have, with the packages that the list has. */
interface MissingUpstream {
  readonly upstream: Upstream
  readonly namespace: string
  readonly asked: AskedRevisionName
  /** The revisions of the package in the namespace, none of which is the requested one. */
  readonly candidates: readonly FleetObject[]
  /** One PackageRevision of each package of the list, in all namespaces. */
  readonly packages: readonly FleetObject[]
}

/**
 * Returns the fault of a missing upstream, with a proposal. The fault is at the field that is most likely wrong, or at the whole upstream
 * if several may be wrong.
 */
function upstreamNotFound(missing: MissingUpstream): Result {
  const { upstream, namespace, asked, candidates } = missing
  const { repo, package: packageName } = upstream
  const what = 'revision' in asked ? `revision ${asked.revision}` : `workspaceName '${asked.workspaceName}'`
  const known = candidates.map(describeRevision).join(', ')
  const { path = [], hint = '', proposedValue } = candidates.length > 0 ? { path: askedPath(upstream, asked) } : likelySlip(missing)
  const isRevision = path[0] === 'revision'
  const at = (isRevision ? upstream.revisionAt : undefined) ?? { object: upstream.object, path: [...upstream.path, ...path] }
  return faultToResult(at.object, {
    severity: 'error',
    rule: 'upstream-not-found',
    path: at.path,
    message: `must name a PackageRevision of the list: package '${packageName}' of repo '${repo}' in namespace '${namespace}' has no ${what}, ${known === '' ? 'and no other revision' : `only ${known}`}${hint}`,
    ...(proposedValue !== undefined && { proposedValue }),
    reason: 'UpstreamNotFound',
  })
}

interface Slip {
  /** The path below the upstream; undefined if more than one field may be wrong. */
  readonly path?: FieldPath
  readonly hint?: string
  readonly proposedValue?: string
}

function askedPath({ revision }: Upstream, asked: AskedRevisionName): FieldPath {
  return 'revision' in asked || typeof revision === 'string' ? ['revision'] : ['workspaceName']
}

/** Returns the part of the address that is most likely wrong: the namespace, the package, or the repo. */
function likelySlip({ upstream, namespace, packages }: MissingUpstream): Slip {
  const named = packages.map(addressOf)
  const away = named.filter(({ repo, name }) => repo === upstream.repo && name === upstream.package)
  if (away.length > 0) return { hint: `; the package is in namespace ${quoteNames(away.map((each) => each.namespace).sort())}` }
  const here = named.filter((each) => each.namespace === namespace)
  const ofRepo = here.filter(({ repo }) => repo === upstream.repo).map(({ name }) => name)
  const ofPackage = here.filter(({ name }) => name === upstream.package).map(({ repo }) => repo)
  const inPackage = slipIn('package', upstream.package, ofRepo)
  const inRepo = slipIn('repo', upstream.repo, ofPackage)
  if (inPackage?.hint !== undefined) return inPackage
  if (inRepo?.hint !== undefined) return inRepo
  return (ofRepo.length > 0 && ofPackage.length > 0 ? undefined : (inPackage ?? inRepo)) ?? {}
}

function slipIn(key: string, written: string, known: readonly string[]): Slip | undefined {
  if (known.length === 0) return undefined
  const nearest = nearestName(written, known)
  return { path: [key], ...(nearest !== undefined && { hint: `; did you mean '${nearest}'?`, proposedValue: nearest }) }
}

function addressOf({ namespace, object }: FleetObject): { readonly namespace: string; readonly repo: string; readonly name: string } {
  return { namespace, repo: scalarText(object.get(['spec', 'repository'])), name: scalarText(object.get(['spec', 'packageName'])) }
}

function describeRevision({ object }: FleetObject): string {
  const workspaceName = scalarText(object.get(['spec', 'workspaceName']))
  return `revision ${scalarText(writtenRevision(object)) || 0}${workspaceName === '' ? '' : ` (workspaceName '${workspaceName}')`}`
}

/** Returns the reason why an entry of a set is about no upstream: the first of its packages that none has; undefined if all are known. */
export function unknownPackage(packages: ReadonlySet<string>, known: readonly string[], nearestAmong: NearestAmong): string | undefined {
  const unknown = [...packages].find((name) => !known.includes(name))
  return unknown === undefined ? undefined : `no upstream has the package ${quoteText(unknown)}${asQuestion(nearestAmong(known)(unknown))}`
}
