import type { FieldPath } from '../field-path.ts'
import type { FleetPlan } from '../fleet/plan-fan-out.ts'
import { PackageMakers, plannedVariants, upstreamOfPlanned } from '../fleet/planned-variants.ts'
import { asRecord, type JsonValue, lookup } from '../json.ts'
import { UPSTREAM_PATH } from '../kinds/upstream-rules.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { upstreamKptfileFaults, upstreamNameFaults } from './upstream-faults.ts'
import type { UpstreamLibrary } from './upstream-library.ts'

/** An upstream of a set, or of a variant without a set, and the field that names it. */
interface NamedUpstream {
  readonly upstream: UpstreamFields
  readonly namespace: string
  readonly object: KrmObject
  readonly path: FieldPath
  /** The field with the revision, if it is not below `path`. */
  readonly revisionAt?: { readonly object: KrmObject; readonly path: FieldPath } | undefined
}

/** The upstream packages of a plan that are folders of the fleet. */
export interface CheckedUpstreams {
  readonly results: readonly Result[]
  /** The Kptfiles of the packages, each with the different pipelines of the variants of the package. */
  readonly cloned: ReadonlyMap<KrmObject, readonly JsonValue[]>
}

/**
 * Returns the upstream packages of a plan, and the findings about upstreams that are in no folder, each at its field of the set, or of the
 * variant that no set owns, and about Kptfiles of upstreams that `render` refuses. A package that another variant of the fleet makes is not
 * looked for.
 *
 * @param kptfileIn  returns the Kptfile of a folder of the fleet that is known to be a package
 */
export function upstreamsOfPlan(
  plan: FleetPlan,
  library: Pick<UpstreamLibrary, 'missingInFolders' | 'foldersOf'>,
  kptfileIn: (folder: string) => KrmObject | undefined,
): CheckedUpstreams {
  const planned = plannedVariants(plan)
  const makers = new PackageMakers(planned)
  const alone = planned.filter(({ spec }) => spec === undefined)
  const named: readonly NamedUpstream[] = [
    ...upstreamsOfSets(plan),
    ...alone.map((each) => ({ upstream: upstreamOfPlanned(each), namespace: each.namespace, object: each.object, path: UPSTREAM_PATH })),
  ]
  const known = new Map<string, KrmObject | undefined>()
  const kptfileOf = (upstream: UpstreamFields, namespace: string): KrmObject | undefined => {
    const key = JSON.stringify([namespace, upstream.repo, upstream.package, upstream.revision, upstream.workspaceName])
    if (!known.has(key)) {
      const folders = library.foldersOf(upstream, namespace)
      known.set(
        key,
        folders.map(kptfileIn).find((each) => each !== undefined),
      )
    }
    return known.get(key)
  }
  const isNamed = (upstream: UpstreamFields) => upstream.repo !== '' && upstream.package !== '' && upstreamNameFaults(upstream).length === 0
  const results = named.flatMap(({ upstream, namespace, object, path, revisionAt }) => {
    if (!isNamed(upstream) || makers.of(upstream, namespace) !== undefined) return []
    const kptfile = kptfileOf(upstream, namespace)
    if (kptfile !== undefined) return upstreamKptfileFaults(kptfile)
    const fault = library.missingInFolders(upstream, namespace)
    if (fault === undefined) return []
    const { hasOthers, ...rest } = fault
    if (hasOthers && revisionAt !== undefined) return [faultToResult(revisionAt.object, { ...rest, path: revisionAt.path })]
    return [faultToResult(object, { ...rest, path, place: [...path, hasOthers ? revisionKey(upstream) : 'package'] })]
  })
  const cloned = new Map<KrmObject, Map<string, JsonValue>>()
  for (const each of planned) {
    const upstream = upstreamOfPlanned(each)
    const kptfile = isNamed(upstream) ? kptfileOf(upstream, each.namespace) : undefined
    if (kptfile === undefined) continue
    const pipeline = lookup(each.spec ?? asRecord(each.object.get(['spec'])), 'pipeline') ?? null
    cloned.set(kptfile, (cloned.get(kptfile) ?? new Map<string, JsonValue>()).set(JSON.stringify(pipeline), pipeline))
  }
  return { results, cloned: new Map(Array.from(cloned, ([kptfile, pipelines]) => [kptfile, [...pipelines.values()]])) }
}

/** Returns the upstreams of sets, and those in the revisions of rings that have targets. */
function upstreamsOfSets({ sets }: FleetPlan): readonly NamedUpstream[] {
  return sets.flatMap(({ set, changes, owner: { namespace } }) => {
    const ofSet = set?.rings.length === 0 ? set.upstreams : []
    const upstreams = new Set([...ofSet, ...changes.flatMap(({ why }) => why?.place.upstream.upstream ?? [])])
    return [...upstreams].map((upstream) => {
      const { object, path, revisionAt } = upstream
      return { upstream, namespace, object, path, revisionAt }
    })
  })
}

function revisionKey({ revision }: UpstreamFields): 'revision' | 'workspaceName' {
  return revision === undefined ? 'workspaceName' : 'revision'
}
