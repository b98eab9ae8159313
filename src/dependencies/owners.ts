import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResourceRef } from '../result.ts'
import { contentName } from './crossplane/contents.ts'
import { type Finding, formatPlace, listNames } from './finding.ts'
import { resolveClaims } from './ownership.ts'
import { childOf, childText, fieldAt, itemsOf, placeIn } from './reading/field.ts'
import type { BroughtObject } from './reading/front-end.ts'
import type { Ecosystem } from './universe.ts'

/** One installed package bringing one object, of any ecosystem. */
export interface EcosystemObject extends BroughtObject {
  readonly ecosystem: Ecosystem
}

interface Controller {
  readonly kind: string
  readonly name: string
}

/** Objects that two installed packages bring, that another revision holds already, or that two owners control. */
export function checkOwners(brought: readonly EcosystemObject[], objects: readonly KrmObject[]): Finding[] {
  const owned = objects.filter(hasOwners)
  const holders = new Map(
    owned.flatMap((object) => controllersOf(object).map((controller) => [contentName(object) ?? '', controller] as const)),
  )
  return [...checkBrought(brought, holders), ...checkHeld(brought, holders), ...owned.flatMap(checkControllers)]
}

// Few objects have owners, and a list may be large: the others are not even read.
function hasOwners(object: KrmObject): boolean {
  return object.toText().includes('ownerReferences')
}

function controllersOf(object: KrmObject): Controller[] {
  const owners = itemsOf(fieldAt(object, ['metadata', 'ownerReferences']))
  return owners
    .filter((owner) => childOf(owner, 'controller').value === true)
    .map((owner) => ({ kind: childText(owner, 'kind'), name: childText(owner, 'name') }))
}

function holds({ revisionPrefix }: BroughtObject, controller: Controller | undefined): boolean {
  return controller !== undefined && revisionPrefix !== undefined && controller.name.startsWith(revisionPrefix)
}

// One finding for each pair: it names all objects, since the loser gets none of them (seed 003).
function checkBrought(brought: readonly EcosystemObject[], holders: ReadonlyMap<string, Controller>): Finding[] {
  const claims = brought.map((each) => ({ object: each.object, claimant: each.by, controls: holds(each, holders.get(each.object)) }))
  return resolveClaims(claims).conflicts.flatMap(({ winner, loser, objects }) => {
    const [lost, kept] = [loser, winner].map((by) => brought.find((each) => each.by === by && each.object === objects[0]))
    if (lost === undefined || kept === undefined) return []
    const message = `${loser} brings ${listNames(objects)} (${formatPlace(lost.place)}), as ${winner} does (${formatPlace(kept.place)}): only one of them can be installed`
    return [finding(lost, message, { dependency: kept.package })]
  })
}

// Held by a revision of none of those who bring it: "is already controlled by", in Crossplane's words.
function checkHeld(brought: readonly EcosystemObject[], holders: ReadonlyMap<string, Controller>): Finding[] {
  return brought.flatMap((each) => {
    const holder = holders.get(each.object)
    const known = brought.some((other) => other.object === each.object && holds(other, holder))
    if (holder === undefined || known || !holder.kind.endsWith('Revision')) return []
    return [
      finding(
        each,
        `${each.by} brings ${each.object} (${formatPlace(each.place)}), which is already controlled by ${holder.kind} ${holder.name}`,
      ),
    ]
  })
}

function finding(each: EcosystemObject, message: string, tags: Finding['tags'] = {}): Finding {
  return { rule: 'owner-conflict', message, place: each.place, tags: { ecosystem: each.ecosystem, package: each.package, ...tags } }
}

function checkControllers(object: KrmObject): Finding[] {
  const controllers = controllersOf(object)
  if (controllers.length < 2) return []
  const names = listNames(controllers.map(({ kind, name }) => `${kind} ${name}`))
  const message = `${formatResourceRef(object.ref)} is controlled by ${names}; one owner at most must be its controller`
  return [{ rule: 'owner-conflict', message, place: placeIn(object, ['metadata', 'ownerReferences']), tags: {} }]
}
