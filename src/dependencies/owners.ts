import { compareText } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { formatResourceRef, type ResourceRef } from '../result.ts'
import { type FieldPlace, type Finding, formatPlace, listNames, listSome } from './finding.ts'
import { findCycles, formatCycle } from './graph.ts'

/** An object that an installed package brings, and the place that lists the object. */
export interface BroughtObject {
  readonly object: string
  /** The package and its version. */
  readonly by: string
  readonly package: string
  /** The prefix of the names of the package's revisions, if the ecosystem has revisions. */
  readonly revisionPrefix?: string
  readonly place: FieldPlace
}

/** An object that an installed package of an ecosystem brings. */
export interface EcosystemObject extends BroughtObject {
  readonly ecosystem: string
}

/** An object with owners. */
export interface OwnedObject {
  /** The name of the object as packages bring it; undefined if more than one package may bring it. */
  readonly object: string | undefined
  readonly ref: ResourceRef
  /** Every owner; a controller is one of them. */
  readonly owners: readonly Controller[]
  readonly controllers: readonly Controller[]
  readonly place: FieldPlace
}

export interface Controller {
  readonly kind: string
  readonly name: string
}

/**
 * Returns a finding for each object that two installed packages bring, that a revision of another package controls already, that two
 * owners control, or that owns itself.
 */
export function checkOwners(brought: readonly EcosystemObject[], owned: readonly OwnedObject[]): Finding[] {
  const holders = new Map(
    owned.flatMap(({ object, controllers, place }) => controllers.map((controller) => [object ?? '', { ...controller, place }] as const)),
  )
  return [...checkBrought(brought, holders), ...checkHeld(brought, holders), ...owned.flatMap(checkControllers), ...checkOwnerCycles(owned)]
}

/** The controller of an object, and the place of the object's owner references. */
interface Holder extends Controller {
  readonly place: FieldPlace
}

function holds({ revisionPrefix }: BroughtObject, holder: Holder | undefined): boolean {
  return holder !== undefined && revisionPrefix !== undefined && holder.name.startsWith(revisionPrefix)
}

// Returns one finding for each pair of packages. It names all shared objects, because the loser gets none of them (seed 003).
function checkBrought(brought: readonly EcosystemObject[], holders: ReadonlyMap<string, Holder>): Finding[] {
  const claims = brought.map((each) => ({ object: each.object, claimant: each.by, controls: holds(each, holders.get(each.object)) }))
  const { conflicts } = resolveClaims(claims)
  const byClaim = conflicts.length === 0 ? undefined : new Map(brought.map((each) => [`${each.by} ${each.object}`, each]))
  return conflicts.flatMap(({ winner, loser, objects }) => {
    const [lost, kept] = [loser, winner].map((by) => byClaim?.get(`${by} ${objects[0]}`))
    if (lost === undefined || kept === undefined) return []
    const message = `${loser} brings ${listNames(listSome(objects))} (${formatPlace(lost.place)}), as ${winner} does (${formatPlace(kept.place)}): only one of them can be installed`
    return [finding(lost, message, { dependency: kept.package })]
  })
}

// Reports objects that a revision of none of their packages controls: "is already controlled by", in Crossplane's words.
function checkHeld(brought: readonly EcosystemObject[], holders: ReadonlyMap<string, Holder>): Finding[] {
  const known = new Set(brought.filter((each) => holds(each, holders.get(each.object))).map(({ object }) => object))
  return brought.flatMap((each) => {
    const holder = holders.get(each.object)
    if (holder === undefined || known.has(each.object) || !holder.kind.endsWith('Revision')) return []
    const message = `${each.by} brings ${each.object} (${formatPlace(each.place)}), which is already controlled by ${holder.kind} ${holder.name} (${formatPlace(holder.place)})`
    return [finding(each, message)]
  })
}

function finding(each: EcosystemObject, message: string, tags: Finding['tags'] = {}): Finding {
  return { rule: 'owner-conflict', message, place: each.place, tags: { ecosystem: each.ecosystem, package: each.package, ...tags } }
}

function checkControllers({ ref, controllers, place }: OwnedObject): Finding[] {
  if (controllers.length < 2) return []
  const names = listNames(controllers.map(({ kind, name }) => `${kind} ${name}`))
  const message = `${formatResourceRef(ref)} is controlled by ${names}; one owner at most must be its controller`
  return [{ rule: 'owner-conflict', message, place, tags: {} }]
}

/** Reports objects that own themselves through others: the garbage collector never collects them. */
function checkOwnerCycles(owned: readonly OwnedObject[]): Finding[] {
  const byKey = new Map(owned.map((each) => [`${each.ref.kind} ${each.ref.name}`, each]))
  const graph = new Map([...byKey].map(([key, { owners }]) => [key, owners.map(({ kind, name }) => `${kind} ${name}`)]))
  return findCycles(graph).flatMap((cycle) => {
    const first = byKey.get(cycle[0] ?? '')
    if (first === undefined) return []
    const placeOf = (key: string) => formatPlace(byKey.get(key)?.place ?? first.place)
    const way = formatCycle(cycle, String, placeOf)
    return [{ rule: 'owner-cycle', message: `${formatResourceRef(first.ref)} must not own itself: ${way}`, place: first.place, tags: {} }]
  })
}

/** A package that brings an object into the cluster. */
export interface OwnershipClaim {
  /** Identity of the object: `CustomResourceDefinition buckets.s3.aws.io`. */
  readonly object: string
  /** The package that brings the object. */
  readonly claimant: string
  /** True if the claimant already is the controlling owner. */
  readonly controls: boolean
}

/** Two claimants of the same objects: the winner has them, the loser cannot be installed. */
interface OwnerConflict {
  readonly winner: string
  readonly loser: string
  /** Every object the loser would have to share, sorted. */
  readonly objects: readonly string[]
}

/**
 * Decides which of several packages may be installed when they bring the same objects. A claimant that loses one object is not
 * installed, so it gets none of its other objects either (seed 003, Package A and Package B Both Want to Install CRD1 and CRD2).
 * Claimants that already control an object are first, the others follow in sorted order.
 * Example: a brings x and y, b brings y and z, c brings z: a and c win, b loses y to a.
 */
export function resolveClaims(claims: readonly OwnershipClaim[]): {
  readonly winners: readonly string[]
  readonly conflicts: readonly OwnerConflict[]
} {
  const holder = new Map<string, string>()
  const winners: string[] = []
  const conflicts: OwnerConflict[] = []
  for (const { claimant, objects } of groupClaims(claims)) {
    const taken = objects.filter((object) => holder.has(object))
    if (taken.length > 0) conflicts.push(...conflictsOf(claimant, taken, holder))
    else {
      winners.push(claimant)
      for (const object of objects) holder.set(object, claimant)
    }
  }
  return { winners, conflicts }
}

function conflictsOf(loser: string, taken: readonly string[], holder: ReadonlyMap<string, string>): OwnerConflict[] {
  const byWinner = [...groupBy(taken, (object) => holder.get(object) ?? '')].sort(([a], [b]) => compareText(a, b))
  return byWinner.map(([winner, objects]) => ({ winner, loser, objects }))
}

function groupClaims(claims: readonly OwnershipClaim[]): { readonly claimant: string; readonly objects: readonly string[] }[] {
  const controlling = new Set(claims.filter(({ controls }) => controls).map(({ claimant }) => claimant))
  const claimants = [...new Set(claims.map(({ claimant }) => claimant))].sort(
    (a, b) => Number(controlling.has(b)) - Number(controlling.has(a)) || compareText(a, b),
  )
  const objects = new Map(claimants.map((claimant): [string, Set<string>] => [claimant, new Set()]))
  for (const { claimant, object } of claims) objects.get(claimant)?.add(object)
  return claimants.map((claimant) => ({ claimant, objects: [...(objects.get(claimant) ?? [])].sort(compareText) }))
}
