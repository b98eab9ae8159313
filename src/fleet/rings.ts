import { CelError } from '../cel/cel-error.ts'
import type { BooleanProgram } from '../cel/program.ts'
import type { Variables } from '../cel/variables.ts'
import type { TemplateExpression } from '../kinds/template.ts'
import type { Ring, Upstream, VariantSet } from '../kinds/variant-set.ts'
import { remember } from '../remember.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { asQuestion, type NearestAmong } from '../schema/nearest-name.ts'
import { countOf } from '../wording.ts'
import type { SetSurroundings } from './fleet.ts'
import type { TargetInputs } from './targets/unrolled-target.ts'
import { describeTargets, type PlaceTarget } from './targets/unrolled-target.ts'
import { FailuresByPlace, noValueFaults, whereFault } from './templates/expression-faults.ts'
import { type ExpressionCompiler, orCelError, targetVariables, withInputs } from './templates/template-programs.ts'
import { type FoundUpstream, findUpstream, workspaceOfRevision } from './upstream.ts'

/** The rings of a set. */
export interface Rings {
  /** Returns the ring of a target: the first that holds for it; undefined for a set without rings, and for a target that has a fault. */
  readonly of: (target: PlaceTarget, inputs: TargetInputs | undefined) => Ring | undefined
  /** Returns the faults of the rings and of the targets asked about: a condition without a value, and targets in no ring. */
  readonly faults: () => readonly Result[]
}

export const NO_RINGS: Rings = { of: () => undefined, faults: () => [] }

/** Reads the rings of a set. The ring of each target is computed once. */
export function readRings(set: VariantSet, { fleet, namespace }: SetSurroundings, compiler: ExpressionCompiler): Rings {
  if (set.rings.length === 0) return NO_RINGS
  const repositories = fleet.repositories(namespace)
  const { target: scope } = compiler.scopeOf(set)
  const conditions = set.rings.map((ring): RingCondition => ({ ring, condition: ring.where && compiler.conditionOf(ring.where, scope) }))
  const known = new Map<PlaceTarget, Ring | undefined>()
  const failed = new FailuresByPlace<PlaceTarget>()
  const outside: PlaceTarget[] = []
  const holds = (where: TemplateExpression, condition: BooleanProgram, target: PlaceTarget, variables: Variables): boolean | undefined => {
    const held = orCelError(() => condition.holds(variables))
    if (!(held instanceof CelError)) return held
    failed.add({ expression: where, error: held }, target)
    return undefined
  }
  const find = (target: PlaceTarget, inputs: TargetInputs | undefined): Ring | undefined => {
    if (set.inputs.length > 0 && inputs === undefined) return undefined
    const variables = withInputs(targetVariables(target, repositories), inputs)
    for (const { ring, condition } of conditions) {
      if (condition instanceof CelError) return undefined
      const isIn = ring.where === undefined || condition === undefined || holds(ring.where, condition, target, variables)
      if (isIn === undefined) return undefined
      if (isIn) return ring
    }
    outside.push(target)
    return undefined
  }
  return {
    of: (target, inputs) => {
      const ring = known.has(target) ? known.get(target) : find(target, inputs)
      known.set(target, ring)
      return ring
    },
    faults: () => [
      ...conditions.flatMap((each) => compileFault(set, each)),
      ...noValueFaults(set.object, failed, fleet.nearestAmong),
      ...(outside.length === 0 ? [] : [noRing(set, outside)]),
      ...unknownPackages(set, fleet.nearestAmong),
      ...emptyRings(set, [...known.values()]),
    ],
  }
}

interface RingCondition {
  readonly ring: Ring
  readonly condition: BooleanProgram | CelError | undefined
}

function compileFault({ object }: VariantSet, { ring: { where }, condition }: RingCondition): readonly Result[] {
  return where !== undefined && condition instanceof CelError ? [whereFault(object, where, condition)] : []
}

/** Returns a warning for each ring whose condition holds for no target. The last ring, which takes the others, may be empty. */
function emptyRings({ object, rings }: VariantSet, ofTargets: readonly (Ring | undefined)[]): readonly Result[] {
  const used = new Set(ofTargets)
  // A target without a ring has a fault of its own, and might be in any ring.
  if (used.size === 0 || used.has(undefined)) return []
  return rings.flatMap((ring, index) => {
    if (ring.where === undefined || used.has(ring)) return []
    const which = index === 0 ? '' : ' that is in no earlier ring'
    const message = `holds for none of ${countOf(ofTargets.length, 'target')}${which}: ring ${quoteText(ring.name)} is empty, so no package tries a revision there before the next ring`
    return [faultToResult(object, { severity: 'warning', rule: 'empty-ring', path: ring.where.path, message })]
  })
}

function noRing({ object }: VariantSet, targets: readonly PlaceTarget[]): Result {
  return faultToResult(object, {
    severity: 'error',
    rule: 'no-ring',
    path: ['spec', 'rings'],
    message: `must have a ring for every target: none holds for ${describeTargets(targets)}; a last ring without \`where\` holds for the others`,
  })
}

function unknownPackages({ object, upstreams, rings }: VariantSet, nearestAmong: NearestAmong): readonly Result[] {
  const known = [...new Set(upstreams.map((upstream) => upstream.package))]
  const names = new Set(known)
  return rings.flatMap(({ path, revisions }) =>
    [...revisions.keys()].flatMap((name) => {
      if (names.has(name)) return []
      const message = `must be the package of an upstream${asQuestion(nearestAmong(known)(name))}`
      return [faultToResult(object, { severity: 'error', rule: 'ring-package', path: [...path, 'revisions', name], message, atKey: true })]
    }),
  )
}

/** The upstreams of a set with their PackageRevisions, looked up once for each revision that rings give them. */
export interface FoundUpstreams {
  readonly all: readonly FoundUpstream[]
  /** Returns an upstream, by its index in the set, as the targets of a ring have it. */
  readonly of: (index: number, ring: Ring | undefined) => FoundUpstream
}

/** Looks up the upstreams of a set, each with every revision that a ring gives it. */
export function findUpstreams(set: VariantSet, surroundings: SetSurroundings): FoundUpstreams {
  const found = set.upstreams.map((upstream) => {
    const lookups = new Map([[upstream, findUpstream(upstream, surroundings)]])
    const lookUp = (asked: Upstream): FoundUpstream =>
      remember(lookups, asked, () => findUpstream(withWorkspace(asked, upstream, surroundings), surroundings))
    const byRing = new Map(upstreamInRings(set, upstream).map((asked, index) => [set.rings[index], lookUp(asked)]))
    return { own: lookUp(upstream), byRing }
  })
  const isWanted = new Set(found.flatMap(({ own, byRing }) => (byRing.size === 0 ? [own] : [...byRing.values()])))
  return {
    all: [...isWanted],
    of: (index, ring) => {
      const upstream = found[index]
      if (upstream === undefined) throw new RangeError(`the set has no upstream ${index}`)
      return (ring && upstream.byRing.get(ring)) ?? upstream.own
    },
  }
}

/**
 * Returns an upstream as each ring of a set has it: in the ring's own revision, else in that of the next ring; the last ring has that of
 * the upstream. Example: upstream 3, `canary` 4, `europe` none, `world` none gives 4, 3, 3.
 */
export function upstreamInRings(set: Pick<VariantSet, 'object' | 'rings'>, upstream: Upstream): readonly Upstream[] {
  const fromLast: Upstream[] = []
  for (const ring of set.rings.toReversed()) fromLast.push(withRevision(set, upstream, ring) ?? fromLast.at(-1) ?? upstream)
  return fromLast.toReversed()
}

/** Returns an upstream with the revision of a ring; undefined if the ring has none of its own for the package. */
function withRevision({ object }: Pick<VariantSet, 'object'>, upstream: Upstream, { path, revisions }: Ring): Upstream | undefined {
  const revision = revisions.get(upstream.package)
  if (revision === undefined) return undefined
  const { workspaceName: _, ...fields } = upstream
  const { workspaceName: __, ...written } = upstream.written
  return { ...fields, revision, written: { ...written, revision }, revisionAt: { object, path: [...path, 'revisions', upstream.package] } }
}

/**
 * Returns an upstream in the revision of a ring with the workspace of that revision, if the upstream of the set names the workspace beside
 * its revision, as Porch needs it.
 */
function withWorkspace(inRing: Upstream, ofSet: Upstream, { fleet, namespace }: SetSurroundings): Upstream {
  const { revision } = inRing
  if (inRing === ofSet || ofSet.workspaceName === undefined || ofSet.revision === undefined || revision === undefined) return inRing
  const workspaceName = workspaceOfRevision(inRing, namespace, revision, fleet)
  return { ...inRing, workspaceName, written: { ...inRing.written, workspaceName } }
}
