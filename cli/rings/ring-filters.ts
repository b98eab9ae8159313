import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type RingedUpstream, type RingRevision, ringedUpstreams } from '../../src/fleet/releases/ring-revisions.ts'
import { isMatrix } from '../../src/fleet/sets.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { placed } from '../print/print-results.ts'
import { UsageError, unknownName } from '../usage-error.ts'

/** The names that the caller gave: matrices as NAME or NAMESPACE/NAME, packages as PACKAGE or REPOSITORY/PACKAGE. */
export interface RingFilters {
  readonly matrix?: readonly string[] | undefined
  readonly package?: readonly string[] | undefined
  readonly ring?: readonly string[] | undefined
}

/** An upstream of a matrix, with its rings and those of them that the caller asked for. */
export interface AskedUpstream extends RingedUpstream {
  readonly plan: SetPlan
  readonly asked: readonly RingRevision[]
}

/**
 * Returns the upstreams of matrices with rings that the caller asked for.
 *
 * @throws UsageError for a name that no matrix, upstream or ring has, with the nearest name
 */
export function askedRings({ sets }: Pick<FleetPlan, 'sets'>, filters: RingFilters): readonly AskedUpstream[] {
  const matrices = sets.filter(({ set }) => set !== undefined && set.rings.length > 0)
  const ofMatrix = filters.matrix === undefined ? matrices : filters.matrix.flatMap((name) => namedMatrices(name, matrices, sets))
  const all = [...new Set(ofMatrix)].flatMap((plan) => ringedUpstreams(plan).map((each) => ({ plan, ...each, asked: each.rings })))
  const ofPackage = filters.package === undefined ? all : filters.package.flatMap((name) => namedUpstreams(name, all))
  if (filters.ring === undefined) return [...new Set(ofPackage)]
  const rings = new Set(filters.ring)
  const known = [...new Set(ofPackage.flatMap(({ rings: own }) => own.map(({ ring }) => ring.name)))]
  const matrix = ofPackage[0]?.plan.object
  for (const name of rings)
    if (!known.includes(name)) throw unknownName('ring', name, known, { place: inPlace(placed(matrix, ['spec', 'rings'])) })
  return [...new Set(ofPackage)].map((each) => ({ ...each, asked: each.rings.filter(({ ring }) => rings.has(ring.name)) }))
}

function namedMatrices(name: string, matrices: readonly SetPlan[], sets: readonly SetPlan[]): readonly SetPlan[] {
  const isNamed = ({ owner }: SetPlan): boolean => name === owner.name || name === `${owner.namespace}/${owner.name}`
  const found = matrices.filter(isNamed)
  if (found.length > 0) return found
  const ringless = sets.find(isNamed)
  if (ringless !== undefined) {
    const what = isMatrix(ringless.object) ? 'has no `spec.rings`' : 'is a PackageVariantSet; only a PackageVariantMatrix has rings'
    throw new UsageError(`${quoteText(name)} ${what}${inPlace(placed(ringless.object, ['spec']))}`)
  }
  const known = matrices.map(({ owner }) => owner.name)
  throw unknownName('matrix', name, known, { plural: 'matrices with rings' })
}

function namedUpstreams(name: string, all: readonly AskedUpstream[]): readonly AskedUpstream[] {
  const found = all.filter(({ upstream }) => name === upstream.package || name === `${upstream.repo}/${upstream.package}`)
  if (found.length > 0) return found
  const known = [...new Set(all.map(({ upstream: { repo, package: own } }) => (name.includes('/') ? `${repo}/${own}` : own)))]
  throw unknownName('package', name, known, { place: inPlace(placed(all[0]?.plan.object, ['spec', 'upstreams'])) })
}

function inPlace({ place }: { readonly place?: string }): string {
  return place === undefined ? '' : ` (${place})`
}
