import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { formatResourceRef, hasErrors, type Result } from '../result.ts'
import type { Change } from './change.ts'
import { downstreamCollisions, illegalNames, nameCollisions } from './collisions.ts'
import { type Condition, conditionsOf } from './conditions.ts'
import { draftSet } from './draft-set.ts'
import { type FleetObject, readFleet } from './fleet.ts'
import type { Options } from './options.ts'
import { orphanWarnings } from './orphans.ts'
import { type Owner, ownerFinder } from './ownership.ts'
import { type FoundSet, findSets } from './sets.ts'
import { namedClaims, type Settled, settleSet } from './settle-set.ts'
import { unknownKindWarnings } from './unknown-kinds.ts'
import { readRevisions } from './upstream.ts'
import { countOf } from './wording.ts'

/** What fan-out would do with a list, and what it has to say. With an error among the results it does nothing. */
export interface FleetPlan {
  readonly sets: readonly SetPlan[]
  readonly results: readonly Result[]
}

/** What fan-out would do for one set. */
export interface SetPlan {
  /** The set as it stands in the list, or the functionConfig. */
  readonly object: KrmObject
  readonly owner: Owner
  /** Whether the set is one of the items, and not only the functionConfig. */
  readonly isItem: boolean
  /** How many targets it has; 0 for a set with faults of its own. */
  readonly targets: number
  /** Whether the options ask for the conditions to be written, and there is an item to write them to. */
  readonly writesStatus: boolean
  /** The conditions that the controller would write after this run, also after one that failed. */
  readonly conditions: readonly Condition[]
  /** In the order of the targets, removals last. Empty for a set with faults, but for too many removals. */
  readonly changes: readonly Change[]
}

/** Plans the fan-out of every set of a list, without changing anything. All faults of all sets and targets are told at once. */
export function planFanOut({ items, functionConfig }: ResourceList, options: Options): FleetPlan {
  const fleet = readFleet(items)
  const found = findSets({ items, functionConfig }, fleet.kinds)
  const owned = groupBy(fleet.allOf('config.porch.kpt.dev', 'PackageVariant'), ownerFinder(found.map(({ owner }) => owner)))
  const foreign = owned.get(undefined) ?? []
  const revisions = readRevisions(fleet)
  const settled = found.map((each) => {
    const draft = each.set && draftSet(each.set, each.owner.namespace, fleet, revisions, options)
    return { ...each, ...settleSet(each, draft, owned.get(each.owner) ?? [], options) }
  })
  const collisions = findCollisions(settled, foreign)
  const results = [...settled.flatMap((each) => each.results), ...collisions, ...orphanWarnings(foreign), ...unknownKindWarnings(items)]
  const sets = settled.map((each) => planOf(each, collisions, options))
  return { sets, results: hasErrors(results) ? results : [...results, ...sets.map(summary)] }
}

type SettledSet = FoundSet & Settled

function findCollisions(settled: readonly SettledSet[], foreign: readonly FleetObject[]): readonly Result[] {
  const decoded = settled.flatMap(({ set, owner, sound, changes }) => (set === undefined ? [] : [{ set, owner, sound, changes }]))
  const claims = decoded.flatMap(({ set, owner: { namespace }, sound }) => sound.map((variant) => ({ set, namespace, variant })))
  const named = decoded.flatMap(({ set, changes }) => namedClaims(set, changes))
  return [...downstreamCollisions(claims, foreign), ...nameCollisions(named, foreign), ...illegalNames(named)]
}

function planOf(
  { object, owner, isItem, set, results, changes, isWhole }: SettledSet,
  collisions: readonly Result[],
  { status }: Options,
): SetPlan {
  const ref = formatResourceRef(object.ref)
  const about = collisions.filter(({ resourceRef }) => resourceRef !== undefined && formatResourceRef(resourceRef) === ref)
  const targets = set?.targets.length ?? 0
  return {
    object,
    owner,
    isItem,
    targets,
    writesStatus: status && isItem,
    conditions: conditionsOf([...results, ...about]),
    changes: isWhole ? changes : [],
  }
}

function summary({ object, targets, changes }: SetPlan): Result {
  const variants = changes.filter(({ op }) => op !== 'remove').length
  return {
    severity: 'info',
    message: `${countOf(variants, 'package variant')} for ${countOf(targets, 'target')}`,
    resourceRef: object.ref,
    ...(object.file && { file: object.file }),
    tags: { rule: 'fan-out' },
  }
}
