import type { FleetPlan, SetPlan } from '../../src/fleet/plan-fan-out.ts'
import { type RingedUpstream, type RingRevision, ringedUpstreams } from '../../src/fleet/releases/ring-revisions.ts'
import { isMatrix } from '../../src/fleet/sets.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { inLine, nameFirst } from '../../src/wording.ts'
import { placed } from '../print/print-results.ts'
import { UsageError } from '../usage-error.ts'

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

const NAMED = 10

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
  for (const name of rings) if (!known.includes(name)) throw unknown('ring', name, known, placed(matrix, ['spec', 'rings']))
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
  throw unknown('matrix', name, known)
}

function namedUpstreams(name: string, all: readonly AskedUpstream[]): readonly AskedUpstream[] {
  const found = all.filter(({ upstream }) => name === upstream.package || name === `${upstream.repo}/${upstream.package}`)
  if (found.length > 0) return found
  const known = [...new Set(all.map(({ upstream: { repo, package: own } }) => (name.includes('/') ? `${repo}/${own}` : own)))]
  throw unknown('package', name, known, placed(all[0]?.plan.object, ['spec', 'upstreams']))
}

function unknown(what: 'matrix' | 'package' | 'ring', name: string, known: readonly string[], place = {}): UsageError {
  const plural = { matrix: 'matrices with rings', package: 'packages', ring: 'rings' }[what]
  const there = known.length === 0 ? `there are no ${plural}` : `the ${plural} are ${nameFirst(known.map(inLine), NAMED)}`
  return new UsageError(`no ${what} ${quoteText(name)}; ${there}${inPlace(place)}${didYouMean(name, known)}`)
}

function inPlace({ place }: { readonly place?: string }): string {
  return place === undefined ? '' : ` (${place})`
}
