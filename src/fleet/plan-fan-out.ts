import { groupBy } from '../group-by.ts'
import { FLEET_KINDS, unknownKinds } from '../kinds/unknown-kinds.ts'
import { oneOfEachKind } from '../kubernetes/kinds.ts'
import { finish, type Steps } from '../progress.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { declaringItems } from '../resource-list/revision-folders.ts'
import { formatResourceRef, hasErrors, type Result } from '../result.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import { countOf } from '../wording.ts'
import type { VariantChange } from './change.ts'
import { downstreamCollisions, illegalNames, nameCollisions } from './collisions.ts'
import { type Condition, conditionsOf } from './conditions.ts'
import { type AskedPlaces, type DesiredSet, draftSet } from './desired-set.ts'
import { downstreamKey, downstreamOf, type VariantDownstream } from './downstream.ts'
import { type Fleet, type FleetObject, readFleet, type SetSurroundings } from './fleet.ts'
import type { DeletionOptions, FleetOptions } from './options.ts'
import { ownerFinder } from './ownership.ts'
import { passedOverObjects, passedOverWarnings } from './passed-over.ts'
import { namedClaims, reconcileSet, type Settled } from './reconcile-set.ts'
import { written } from './renames.ts'
import { readRevisionSets } from './revision-sets.ts'
import { missingUids, noSet, orphanWarnings } from './set-findings.ts'
import { type FoundSet, findSets } from './sets.ts'
import { type AskedTarget, askedVariants } from './targets/asked-variants.ts'
import { refuseTooMany, selectTargets, unrollSelected } from './targets/unroll-targets.ts'
import { NOTHING_TO_UNROLL, readUnrolling } from './targets/unrolling.ts'
import type { RenderedVariant } from './templates/rendered-variant.ts'
import { type ExpressionCompiler, templateCompiler } from './templates/template-programs.ts'
import { duplicateObjects } from './twins-in-fleet.ts'
import type { FleetChange } from './unseen-declarations.ts'
import { type WhyNot, whyNotFinder } from './why-not.ts'

/**
 * The plan of a fan-out, its results, and everything that was found on the way. If one of the results is an error, fan-out changes
 * nothing.
 */
export interface FleetPlan {
  /** The options of the plan. */
  readonly options: FleetOptions
  readonly fleet: Fleet
  readonly sets: readonly SetPlan[]
  readonly results: readonly Result[]
  /** Those of the results that are about objects that are passed over, which may ask for what no set asks for. */
  readonly passedOver: readonly Result[]
}

export interface SetPlan extends FoundSet {
  /** The desired set; undefined for a set with faults of its own. */
  readonly draft?: DesiredSet
  /** The conditions that Porch's controller would write after this run, also after a failed one. */
  readonly conditions: readonly Condition[]
  /** The changes in the order of the targets, removals last. Empty for a set with faults, except if the fault is too many removals. */
  readonly changes: readonly VariantChange[]
  /** Returns the reason why the set does not ask for a variant that the set owns; undefined if the reason is not known. */
  readonly whyNot: (existing: FleetObject) => WhyNot | undefined
  /** Returns the variants that the set would have for a target if it did not leave the target out, one for each upstream. */
  readonly variantsFor: (asked: AskedTarget) => readonly RenderedVariant[]
}

/**
 * Plans the fan-out of every set of a list, and changes nothing. All faults of all sets and targets are reported at once. Items in
 * revisions of upstream packages, `catalog/shop@v1/repo.yaml`, belong to no fleet: `render` copies them into packages. Neither do items in
 * the packages.
 */
export function planFanOut(list: ResourceList, options: FleetOptions): FleetPlan {
  return finish(planFanOutInSteps(list, options))
}

/** Plans the fan-out as `planFanOut` does, one step a variant. */
export function* planFanOutInSteps(
  { items: all, functionConfig, passedOver, setAside }: ResourceList,
  options: FleetOptions,
): Steps<FleetPlan> {
  const items = declaringItems(all)
  const fleet = readFleet(items)
  const revisionSets = readRevisionSets(items, fleet.kinds)
  const found = findSets({ items, functionConfig }, fleet.kinds, revisionSets)
  const owned = groupBy(fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant'), ownerFinder(found.map(({ owner }) => owner)))
  const foreign = owned.get(undefined) ?? []
  const compiler = templateCompiler(fleet)
  const asked = found.map((each) => ask(each, { fleet, compiler, options }))
  const total = asked.flatMap(({ unrolled }) => unrolled).reduce((sum, { places }) => sum + places.length, 0)
  const settled: SettledSet[] = []
  let done = 0
  for (const { unrolled, unrolling, ...each } of asked) {
    const { set, owner, surroundings } = each
    const draft = set && (yield* draftSet(set, { surroundings, unrolling, unrolled }, compiler, { done, total }))
    done += draft?.rendered.length ?? 0
    settled.push({ ...each, draft, ...reconcileSet(each, draft, owned.get(owner) ?? [], options) })
  }
  const handed = handOver(settled)
  const collisions = findCollisions(settled, foreign)
  const targets = found.flatMap(({ set }) => set?.targets ?? [])
  const duplicates = duplicateObjects(targets, fleet)
  const kinds = oneOfEachKind(all)
  const change = fleetChangeOf(everyChange(settled), lostVariants(settled, handed), options)
  const guarded = passedOverObjects({ items: all, passedOver, setAside, functionConfig }, change)
  const results = [
    ...settled.flatMap((each) => each.results),
    ...revisionSets.results,
    ...fleet.faults(),
    ...collisions,
    ...orphanWarnings(foreign, settled),
    ...missingUids(found, fleet),
    ...duplicates,
    ...guarded,
    ...(guarded.length > 0 ? [] : passedOverWarnings({ items: all, passedOver })),
    ...(guarded.length > 0 || unknownKinds(kinds, FLEET_KINDS).length === 0 ? [] : unknownKinds(all, FLEET_KINDS)),
    ...(found.length === 0 ? [noSet(all, kinds)] : []),
  ]
  const sets = settled.map((each) => planOf({ ...each, changes: each.changes.map((change) => handed.get(change) ?? change) }, collisions))
  return { options, fleet, sets, results: hasErrors(results) ? results : [...results, ...sets.map(summary)], passedOver: guarded }
}

/** Returns the places of a set; none for a set with faults of its own. */
function ask(
  found: FoundSet,
  {
    fleet,
    compiler,
    options: { lookups },
  }: { readonly fleet: Fleet; readonly compiler: ExpressionCompiler; readonly options: FleetOptions },
): FoundSet & AskedPlaces {
  const surroundings = { fleet, namespace: found.owner.namespace, lookups }
  const { set } = found
  if (set === undefined) return { ...found, surroundings, ...NO_PLACES }
  const selected = selectTargets(set, surroundings)
  const tooMany = refuseTooMany(set, selected)
  if (tooMany !== undefined) return { ...without(found), results: [...found.results, tooMany], surroundings, ...NO_PLACES }
  const unrolling = readUnrolling(set, surroundings, compiler)
  return { ...found, surroundings, unrolling, unrolled: unrollSelected(selected, set, unrolling) }
}

const NO_PLACES = { unrolling: NOTHING_TO_UNROLL, unrolled: [] } as const

/** Returns a set of the list without what it asks for, so that nothing is planned for it. */
function without({ object, owner, isItem, results }: FoundSet): FoundSet {
  return { object, owner, isItem, results }
}

/**
 * Finds the downstreams that move from a variant of one set to a new variant of another. The new variant takes over the existing package,
 * as in rendering, so that people's edits are kept. Returns both changes with `takenFrom` and `handedTo`, by the change before.
 */
function handOver(settled: readonly SettledSet[]): ReadonlyMap<VariantChange, VariantChange> {
  const changes = everyChange(settled)
  const removals = new Map(
    changes.flatMap((change) => {
      const downstream = change.op === 'remove' && change.existing !== undefined ? downstreamOf(change.existing) : undefined
      return downstream === undefined ? [] : [[downstreamKey(downstream), change] as const]
    }),
  )
  if (removals.size === 0) return new Map()
  return new Map(
    changes.flatMap((change): readonly (readonly [VariantChange, VariantChange])[] => {
      const removal = change.op === 'create' && change.why !== undefined ? removals.get(downstreamKey(change.why)) : undefined
      if (removal === undefined) return []
      return [
        [change, { ...change, ...written(change.after), takenFrom: `${removal.namespace}/${removal.name}` }],
        [removal, { ...removal, handedTo: `${change.namespace}/${change.name}` }],
      ]
    }),
  )
}

function everyChange(sets: readonly Pick<SettledSet, 'changes'>[]): readonly VariantChange[] {
  return sets.flatMap(({ changes }) => changes)
}

/** Returns the removals of variants whose packages no new variant takes over. */
function lostVariants(settled: readonly SettledSet[], handed: ReadonlyMap<VariantChange, VariantChange>): readonly VariantChange[] {
  return settled.flatMap(({ isWhole, changes }) => (isWhole ? changes.filter((each) => each.op === 'remove' && !handed.has(each)) : []))
}

/** Returns what changes of variants take away, keep and make. */
export function fleetChangeOf(
  changes: readonly VariantChange[],
  removals: readonly VariantChange[],
  options: DeletionOptions,
): FleetChange {
  return {
    what: 'variants',
    removed: new Map(removals.map(({ name, existing }) => [name, placeOf(existing && downstreamOf(existing))])),
    kept: changes.flatMap(({ op, why }) => (why === undefined || op === 'create' ? [] : [placeOf(why)])),
    options,
    made: new Set(changes.flatMap(({ op, name }) => (op === 'create' ? name : []))),
  }
}

function placeOf(downstream: VariantDownstream | undefined): string {
  return downstream === undefined ? '' : `${downstream.repo}/${downstream.package}`
}

type SettledSet = FoundSet & Settled & { readonly draft: DesiredSet | undefined; readonly surroundings: SetSurroundings }

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
    variantsFor: set && draft ? askedVariants(set, draft.context, surroundings) : () => [],
  }
}

function summary({ object, set, changes }: SetPlan): Result {
  const targets = countOf(set?.targets.length ?? 0, 'target')
  const variants = changes.filter(({ op }) => op !== 'remove').length
  const upstreams = set === undefined || set.upstreams.length === 1 ? '' : ` of ${countOf(set.upstreams.length, 'upstream')}`
  return {
    severity: 'info',
    message: `${countOf(variants, 'package variant')}${upstreams} for ${targets}`,
    ...objectPlace(object),
    tags: { rule: 'fan-out' },
  }
}
