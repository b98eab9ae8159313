import type { VariantSet } from '../kinds/variant-set.ts'
import type { Progress, Steps } from '../progress.ts'
import { once } from '../remember.ts'
import type { Result } from '../result.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { downstreamOf } from './downstream.ts'
import type { Fleet, SetSurroundings } from './fleet.ts'
import { type FormerDownstreams, formerDownstreams } from './former-downstreams.ts'
import { noMatchWarnings } from './targets/no-match.ts'
import type { Unrolled } from './targets/unrolled-target.ts'
import type { Unrolling } from './targets/unrolling.ts'
import { type Absences, compileFaults, evaluationFaults } from './templates/expression-faults.ts'
import { overrideFaults, unusedOverrides } from './templates/overrides.ts'
import { renderVariant, type TemplateContext, templateContext } from './templates/render-variant.ts'
import { type KnownRepositories, renderedFaults } from './templates/rendered-faults.ts'
import type { RenderedVariant } from './templates/rendered-variant.ts'
import type { ExpressionCompiler } from './templates/template-programs.ts'

/** The places that a set asks for, and the fleet in which they were looked up. */
export interface AskedPlaces {
  readonly surroundings: SetSurroundings
  /** The upstreams, exclusions and rings with which the places were unrolled. */
  readonly unrolling: Unrolling
  readonly unrolled: readonly Unrolled[]
}

/** The desired set of a set, before it is compared with the existing variants. */
export interface DesiredSet {
  /** The values with which the places of the set are rendered. */
  readonly context: TemplateContext
  readonly unrolled: readonly Unrolled[]
  readonly rendered: readonly RenderedVariant[]
  readonly former: FormerDownstreams
  readonly results: readonly Result[]
  /** A warning for each selector that matches nothing. */
  readonly noMatches: readonly Result[]
}

/**
 * Renders the template of each place of a set, one step a place. Every stage reports its faults, even if an
 * earlier stage failed.
 *
 * @param compiler  the compiler of the run, shared by all sets so that their evaluations have one budget
 */
export function* draftSet(
  set: VariantSet,
  { surroundings, unrolling, unrolled }: AskedPlaces,
  compiler: ExpressionCompiler,
  before: Progress,
): Steps<DesiredSet> {
  const { fleet, namespace, lookups } = surroundings
  const { upstreams, exclusions, inputs, rings } = unrolling
  const repositories = fleet.repositories(namespace)
  const isLookedUp = lookups === 'required' || fleet.allOf(PORCH_CONFIG_GROUP, 'Repository').length > 0
  const context = templateContext(set, compiler, repositories)
  const rendered: RenderedVariant[] = []
  for (const place of unrolled.flatMap(({ places }) => places)) {
    rendered.push(renderVariant(place, context))
    yield { done: before.done + rendered.length, total: before.total }
  }
  const results = [
    ...upstreams.all.flatMap(({ faults }) => faults),
    ...unrolled.flatMap(({ findings }) => findings),
    ...exclusions.warnings(),
    ...inputs.faults(),
    ...rings.faults(),
    ...compileFaults(set, compiler),
    ...overrideFaults(set, compiler),
    ...evaluationFaults(set, rendered, { absences: absencesOf({ upstreams, isLookedUp }), nearestAmong: fleet.nearestAmong }),
    ...renderedFaults(set, rendered, isLookedUp ? knownRepositories(fleet, repositories) : undefined),
    ...unusedOverrides(set, rendered, { compiler, nearestAmong: fleet.nearestAmong }),
  ]
  const former = formerDownstreams(set, surroundings, { context, rendered })
  return { context, unrolled, rendered, former, results, noMatches: noMatchWarnings(set, unrolled, surroundings) }
}

/**
 * Returns the reasons why variables have no value. A lookup that failed is reported by itself; a lookup that was not made is the reason
 * why an expression fails.
 */
function absencesOf({ upstreams, isLookedUp }: Pick<Unrolling, 'upstreams'> & { readonly isLookedUp: boolean }): Absences {
  const unknownUpstream = upstreams.all.some(({ revision, faults }) => revision === undefined && faults.length === 0)
  return {
    ...(unknownUpstream && { upstream: 'the list has no PackageRevision, so the upstream is not known' }),
    ...(!isLookedUp && { repository: 'the list has no Repository, so the downstream repository is not known' }),
  }
}

function knownRepositories(fleet: Fleet, present: KnownRepositories['present']): KnownRepositories {
  return { present, isInUse: repositoryUse(fleet), nearest: (repo) => fleet.nearestAmong([...present.keys()])(repo) }
}

/** Returns a function that returns true if a variant of the list has a repository as its downstream. */
function repositoryUse(fleet: Fleet): (repo: string) => boolean {
  const used = once(() => new Set(fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').map((variant) => downstreamOf(variant)?.repo)))
  return (repo) => used().has(repo)
}
