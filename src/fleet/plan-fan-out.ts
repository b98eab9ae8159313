import { groupBy } from '../group-by.ts'
import { FLEET_KINDS, unknownKinds } from '../kinds/unknown-kinds.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { formatResourceRef, hasErrors, type Result } from '../result.ts'
import { finish, type Steps } from '../steps.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { countOf } from '../wording.ts'
import type { Change } from './change.ts'
import { downstreamCollisions, illegalNames, nameCollisions } from './collisions.ts'
import { type Condition, conditionsOf } from './conditions.ts'
import { downstreamKey, downstreamOf } from './downstream.ts'
import { type Asked, type Draft, draftSet } from './draft-set.ts'
import { duplicateObjects } from './duplicate-objects.ts'
import { type Fleet, type FleetObject, readFleet, type Surroundings } from './fleet.ts'
import { noSet } from './no-set.ts'
import type { Options } from './options.ts'
import { orphanWarnings } from './orphans.ts'
import { ownerFinder } from './ownership.ts'
import { type FoundSet, findSets } from './sets.ts'
import { namedClaims, type Settled, settleSet } from './settle-set.ts'
import { templateCompiler } from './template-programs.ts'
import { unrollTargets } from './unroll-targets.ts'
import { type WhyNot, whyNotFinder } from './why-not.ts'

/** What fan-out would do with a list, what it has to say, and all that it found on the way. With an error among the results it does nothing. */
export interface FleetPlan {
  /** Under which it was planned. */
  readonly options: Options
  readonly fleet: Fleet
  readonly sets: readonly SetPlan[]
  readonly results: readonly Result[]
}

/** What fan-out would do for one set. */
export interface SetPlan extends FoundSet {
  /** What the set asks for; undefined for a set with faults of its own. */
  readonly draft?: Draft
  /** The conditions that the controller would write after this run, also after one that failed. */
  readonly conditions: readonly Condition[]
  /** In the order of the targets, removals last. Empty for a set with faults, but for too many removals. */
  readonly changes: readonly Change[]
  /** Why the set does not ask for a variant that it has, where that can be said. */
  readonly whyNot: (existing: FleetObject) => WhyNot | undefined
}

/** Plans the fan-out of every set of a list, without changing anything. All faults of all sets and targets are told at once. */
export function planFanOut(list: ResourceList, options: Options): FleetPlan {
  return finish(planFanOutInSteps(list, options))
}

/** The same, variant by variant. */
export function* planFanOutInSteps({ items, functionConfig }: ResourceList, options: Options): Steps<FleetPlan> {
  const fleet = readFleet(items)
  const found = findSets({ items, functionConfig }, fleet.kinds)
  const owned = groupBy(fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant'), ownerFinder(found.map(({ owner }) => owner)))
  const foreign = owned.get(undefined) ?? []
  const programsOf = templateCompiler()
  const asked = found.map((each) => ask(each, fleet, options))
  const total = asked.flatMap(({ unrolled }) => unrolled).reduce((sum, { places }) => sum + places.length, 0)
  const settled: SettledSet[] = []
  let done = 0
  for (const { unrolled, ...each } of asked) {
    const { set, owner, surroundings } = each
    const draft = set && (yield* draftSet(set, { surroundings, unrolled }, programsOf, { done, total }))
    done += draft?.rendered.length ?? 0
    settled.push({ ...each, draft, ...settleSet(each, draft, owned.get(owner) ?? [], options) })
  }
  const handed = handOver(settled)
  const collisions = findCollisions(settled, foreign)
  const duplicates = duplicateObjects(
    found.flatMap(({ set }) => set ?? []),
    fleet,
  )
  const results = [
    ...settled.flatMap((each) => each.results),
    ...fleet.faults(),
    ...collisions,
    ...orphanWarnings(foreign),
    ...duplicates,
    ...unknownKinds(items, FLEET_KINDS),
    ...(found.length === 0 ? [noSet(items)] : []),
  ]
  const sets = settled.map((each) => planOf({ ...each, changes: each.changes.map((change) => handed.get(change) ?? change) }, collisions))
  return { options, fleet, sets, results: hasErrors(results) ? results : [...results, ...sets.map(summary)] }
}

/** The places of a set; none of one with faults of its own. */
function ask(found: FoundSet, fleet: Fleet, { lookups }: Options): FoundSet & Asked {
  const surroundings = { fleet, namespace: found.owner.namespace, lookups }
  return { ...found, surroundings, unrolled: found.set === undefined ? [] : unrollTargets(found.set, surroundings) }
}

/**
 * Finds the downstreams that go from a variant of one set to a new one of another: the package there is taken over, as rendering does, and
 * stays with what people did to it.
 */
function handOver(settled: readonly SettledSet[]): ReadonlyMap<Change, Change> {
  const changes = settled.flatMap((set) => set.changes)
  const removals = new Map(
    changes.flatMap((change) => {
      const downstream = change.op === 'remove' && change.existing !== undefined ? downstreamOf(change.existing) : undefined
      return downstream === undefined ? [] : [[downstreamKey(downstream), change] as const]
    }),
  )
  if (removals.size === 0) return new Map()
  return new Map(
    changes.flatMap((change): readonly (readonly [Change, Change])[] => {
      const removal = change.op === 'create' && change.why !== undefined ? removals.get(downstreamKey(change.why)) : undefined
      if (removal === undefined) return []
      return [
        [change, { ...change, takenFrom: `${removal.namespace}/${removal.name}` }],
        [removal, { ...removal, handedTo: `${change.namespace}/${change.name}` }],
      ]
    }),
  )
}

type SettledSet = FoundSet & Settled & { readonly draft: Draft | undefined; readonly surroundings: Surroundings }

function findCollisions(settled: readonly SettledSet[], foreign: readonly FleetObject[]): readonly Result[] {
  const decoded = settled.flatMap(({ set, owner, sound, changes }) => (set === undefined ? [] : [{ set, owner, sound, changes }]))
  const claims = decoded.flatMap(({ set, owner: { namespace }, sound }) => sound.map((variant) => ({ set, namespace, variant })))
  const named = decoded.flatMap(({ set, changes }) => namedClaims(set, changes))
  return [...downstreamCollisions(claims, foreign), ...nameCollisions(named, foreign), ...illegalNames(named)]
}

function planOf(
  { object, owner, isItem, set, draft, surroundings, changes, isWhole, ...each }: SettledSet,
  collisions: readonly Result[],
): SetPlan {
  const ref = formatResourceRef(object.ref)
  const about = collisions.filter(({ resourceRef }) => resourceRef !== undefined && formatResourceRef(resourceRef) === ref)
  const results = [...each.results, ...about]
  return {
    object,
    owner,
    isItem,
    ...(set && { set }),
    ...(draft && { draft }),
    results,
    conditions: conditionsOf(results),
    changes: isWhole ? changes : [],
    whyNot: set && draft ? whyNotFinder(set, draft, surroundings) : () => undefined,
  }
}

function summary({ object, set, changes }: SetPlan): Result {
  const targets = set?.targets.length ?? 0
  const variants = changes.filter(({ op }) => op !== 'remove').length
  return {
    severity: 'info',
    message: `${countOf(variants, 'package variant')} for ${countOf(targets, 'target')}`,
    resourceRef: object.ref,
    ...(object.file && { file: object.file }),
    tags: { rule: 'fan-out' },
  }
}
