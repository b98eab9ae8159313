import type { FieldPath } from '../../field-path.ts'
import type { FleetPlan } from '../../fleet/plan-fan-out.ts'
import { PackageMakers, plannedVariants, upstreamOfPlanned } from '../../fleet/planned-variants.ts'
import { UPSTREAM_PATH } from '../../kinds/upstream-rules.ts'
import type { UpstreamFields } from '../../kinds/upstream-schema.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
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

/**
 * Returns the findings about upstreams that are in no folder, each at its field of the set, or of the variant that no set owns, and about
 * Kptfiles of upstreams that `render` refuses. A package that another variant of the fleet makes is not looked for.
 *
 * @param kptfileIn  returns the Kptfile of a folder of the fleet that is known to be a package
 */
export function unusableUpstreams(
  plan: FleetPlan,
  library: Pick<UpstreamLibrary, 'missingInFolders' | 'foldersOf'>,
  kptfileIn: (folder: string) => KrmObject | undefined,
): readonly Result[] {
  const planned = plannedVariants(plan)
  const makers = new PackageMakers(planned)
  const alone = planned.filter(({ spec }) => spec === undefined)
  const named: readonly NamedUpstream[] = [
    ...upstreamsOfSets(plan),
    ...alone.map((each) => ({ upstream: upstreamOfPlanned(each), namespace: each.namespace, object: each.object, path: UPSTREAM_PATH })),
  ]
  return named.flatMap(({ upstream, namespace, object, path, revisionAt }) => {
    if (upstream.repo === '' || upstream.package === '' || upstreamNameFaults(upstream).length > 0) return []
    if (makers.of(upstream, namespace) !== undefined) return []
    const kptfile = library
      .foldersOf(upstream, namespace)
      .map(kptfileIn)
      .find((each) => each !== undefined)
    if (kptfile !== undefined) return upstreamKptfileFaults(kptfile)
    const fault = library.missingInFolders(upstream, namespace)
    if (fault === undefined) return []
    const { hasOthers, ...rest } = fault
    if (hasOthers && revisionAt !== undefined) return [faultToResult(revisionAt.object, { ...rest, path: revisionAt.path })]
    return [faultToResult(object, { ...rest, path, place: [...path, hasOthers ? revisionKey(upstream) : 'package'] })]
  })
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
