import { holdsResources } from '../folder/find-package-files.ts'
import { groupBy } from '../group-by.ts'
import { asRecord, scalarText } from '../json.ts'
import { DEFAULT_NAMESPACE } from '../kubernetes/kinds.ts'
import { objectPlace } from '../resource-list/finding-place.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { outsideMade, outsideRevisions } from '../resource-list/revision-folders.ts'
import { findingsOf, type Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { UPSTREAM_IDENTIFIER } from '../well-known.ts'
import { nameFirst } from '../wording.ts'
import { describeOption } from './deletion-guard.ts'
import { criteriaKind, readFleet } from './fleet.ts'
import type { DeletionOptions } from './options.ts'
import { type FoundSet, findSets } from './sets.ts'
import { unrollTargets } from './targets/unroll-targets.ts'
import { readUnrolling } from './targets/unrolling.ts'
import { renderVariant, templateContext } from './templates/render-variant.ts'
import { templateCompiler } from './templates/template-programs.ts'

/** The downstreams that a plan removes, keeps and makes. A downstream is `REPO/PACKAGE`, or the path of a folder that ends so. */
export interface FleetChange {
  readonly what: 'packages' | 'variants'
  /** The downstreams of the variants or packages that nothing wants, by the name in messages. */
  readonly removed: ReadonlyMap<string, string>
  /** The words of messages for what the plan does to these packages; absent: `removed`. */
  readonly fate?: 'removed' | 'left to themselves' | 'removed or left to themselves'
  /** The downstreams of the variants or packages that are there and stay. */
  readonly kept: readonly string[]
  /** The names of the variants that would be made. */
  readonly made?: ReadonlySet<string>
  /** The options about removals: `maxDeletions` says that what moves to another namespace goes on purpose. */
  readonly options: DeletionOptions
  /** Reads packages that were made for variants and are not among the items. */
  readonly inPackages?: ObjectsInPackages | undefined
}

/** Returns the objects of some kinds in packages that were made for variants. */
export type ObjectsInPackages = (kinds: ReadonlySet<string>) => readonly KrmObject[]

/** The most names in a message. */
export const MOST_NAMES = 3

/** An object that asks for a downstream. */
interface Wish {
  readonly object: KrmObject
  /** The namespace of the set that would see the object; '' for an object in a package or in a file that is not read. */
  readonly namespace: string
  readonly downstream: string
  /** True if a set of the object's own namespace makes something for the object. */
  readonly hasOwnSet: boolean
}

/**
 * Returns an error for each object that asks for what would be removed, in a place where no command looks for it: a target, set or variant
 * that people put into a rendered package, or in a file that got another ending, and a target in another namespace than the set. Such an
 * object is not gone. Of a target that a set of its namespace selects, `maxDeletions` makes the error a warning: the target was moved on
 * purpose.
 */
export function unseenDeclarations(
  list: Pick<ResourceList, 'items' | 'setAside' | 'functionConfig'>,
  change: FleetChange,
): readonly Result[] {
  const { what, removed, fate = 'removed' } = change
  if (removed.size === 0) return []
  return findingsOf(() => {
    return [...groupBy(unseenWishes(list, change), ({ object }) => fileAside(object) ?? object).values()].flatMap((wishes) => {
      const lost = [...removed].flatMap(([name, place]) => (wishes.some(({ downstream }) => isAt(place, downstream)) ? [name] : []))
      return lost.length === 0 ? [] : [refusal(wishes[0], `${what} that would be ${fate} (${nameFirst(lost, MOST_NAMES)})`, change)]
    })
  })
}

/** Returns the path of the file of an object if the file is not read for its ending. */
function fileAside({ file }: KrmObject): string | undefined {
  return file === undefined || holdsResources(file.path.replace(/^.*\//, '')) ? undefined : file.path
}

function isAt(place: string, downstream: string): boolean {
  return `/${place}`.endsWith(`/${downstream}`)
}

function refusal({ object, namespace, hasOwnSet }: Wish, names: string, change: FleetChange): Result {
  const { kind = '', name = '', namespace: own = DEFAULT_NAMESPACE } = object
  const rule = 'deletion-guard'
  if (namespace !== '') {
    const isMeant = hasOwnSet && change.options.maxDeletions !== undefined
    const gone = hasOwnSet ? `set ${howMeant(change)}` : `take the ${kind} out of the folder for one run`
    const end = isMeant ? '; `maxDeletions` allows it' : `: correct it, or ${gone} if they must go`
    const message = `must be ${quoteText(namespace)}, where a set of this namespace selects the ${kind} for the ${names}, got ${quoteText(own)}${end}`
    return faultToResult(object, { severity: isMeant ? 'warning' : 'error', rule, path: ['metadata', 'namespace'], message })
  }
  const aside = fileAside(object)
  if (aside !== undefined) {
    const message = `must have the ending .yaml, .yml or .json for its objects to be read, got ${quoteText(aside.replace(/^.*\//, ''))}: ${kind} ${quoteText(name)} wants the ${names}; rename the file, or delete the file or name it in .krmignore if they must go`
    return { severity: 'error', message, file: { path: aside, index: 0 }, tags: { rule } }
  }
  return {
    severity: 'error',
    message: `${kind} ${quoteText(name)} must not be in a rendered package, where no command looks for a ${kind}, and it wants the ${names}: move the file out of the package, or delete the file if they must go`,
    ...objectPlace(object),
    position: object.positionOf(['metadata', 'name']),
    tags: { rule },
  }
}

/** Returns the option, and its place, that says that removals are meant. */
function howMeant({ what, removed, options }: FleetChange): string {
  const count = String(removed.size)
  return what === 'variants' ? describeOption('maxDeletions', count, options) : `\`spec.maxDeletions: ${count}\` in the RenderVariants`
}

/** The kinds that declare part of a fleet beside the kinds that sets select. */
const DECLARING = ['PackageVariant', 'PackageVariantSet', 'PackageVariantMatrix', 'Repository']

/** Returns what the objects that no command sees ask for. One that its own namespace has kept a downstream for was there before. */
function unseenWishes(
  list: Pick<ResourceList, 'items' | 'setAside' | 'functionConfig'>,
  { kept, inPackages = () => [] }: FleetChange,
): readonly Wish[] {
  const made = outsideMade(list.items)
  const outside = outsideRevisions(made)
  const { functionConfig } = list
  const { kinds } = readFleet(outside)
  const selected = findSets({ items: outside, functionConfig }, kinds).flatMap(({ set }) => set?.targets ?? [])
  const ofTargets = selected.flatMap(({ criteria }) => (criteria.type === 'repositories' ? [] : criteriaKind(criteria).kind))
  const wanted = new Set([...ofTargets, ...DECLARING])
  const isWanted = ({ kind = '' }: KrmObject) => wanted.has(kind)
  const beside = new Set(made)
  const hidden = [...inPackages(wanted), ...list.setAside()].filter(isWanted)
  const inside = new Set(
    [...list.items.filter((item) => isWanted(item) && !beside.has(item)), ...hidden].filter(
      ({ annotations }) => !annotations.has(UPSTREAM_IDENTIFIER),
    ),
  )
  const sets = findSets({ items: [...outside, ...inside], functionConfig }, kinds)
  const copies = new Map<KrmObject, KrmObject>()
  for (const namespace of new Set(sets.map(({ owner }) => owner.namespace)))
    for (const object of [...outside.filter(isWanted), ...inside]) {
      const own = kinds.namespaceOf(object)
      if (!inside.has(object) && (own === '' || own === namespace)) continue
      const copy = object.draft()
      if (own !== '') copy.set(['metadata', 'namespace'], namespace)
      copies.set(copy, object)
    }
  if (copies.size === 0) return []
  const asked = askedFor(sets, { items: outside, copies, inside })
  const there = new Set(
    asked.flatMap(({ object, isSeen, downstream }) => (isSeen && kept.some((place) => isAt(place, downstream)) ? object : [])),
  )
  const seen = new Set(asked.flatMap(({ object, isSeen }) => (isSeen ? object : [])))
  const unseen = asked.flatMap(({ isSeen, ...wish }) =>
    isSeen || there.has(wish.object) ? [] : [{ ...wish, hasOwnSet: seen.has(wish.object) }],
  )
  return [...unseen, ...[...inside].flatMap(variantWish)]
}

interface Unseen {
  readonly items: readonly KrmObject[]
  /** The objects with the namespace in which a set would see them, and the objects themselves. */
  readonly copies: ReadonlyMap<KrmObject, KrmObject>
  /** The objects in packages, and in files that are not read. */
  readonly inside: ReadonlySet<KrmObject>
}

/** Returns what sets would ask for if they saw every copy, and what they do ask for because of an object that has a copy. */
function askedFor(
  sets: readonly FoundSet[],
  { items, copies, inside }: Unseen,
): readonly (Omit<Wish, 'hasOwnSet'> & { readonly isSeen: boolean })[] {
  const originals = new Set(copies.values())
  const fleet = readFleet([...items, ...copies.keys()])
  const compiler = templateCompiler(fleet)
  return sets.flatMap(({ set, object: setObject, owner: { namespace } }) => {
    if (set === undefined) return []
    const surroundings = { fleet, namespace, lookups: 'optional' } as const
    const context = templateContext(set, compiler, fleet.repositories(namespace))
    const places = unrollTargets(set, readUnrolling(set, surroundings, compiler), surroundings).flatMap((each) => each.places)
    return places.flatMap((place) => {
      const target = place.object?.object
      const object = inside.has(setObject) ? setObject : target && (copies.get(target) ?? target)
      if (object === undefined || !originals.has(object)) return []
      const { repo, package: packageName } = renderVariant(place, context)
      const downstream = `${repo}/${packageName}`
      return [{ object, isSeen: object === target, namespace: inside.has(object) ? '' : namespace, downstream }]
    })
  })
}

/** Returns what a variant in a package asks for; nothing for another object. */
function variantWish(object: KrmObject): readonly Wish[] {
  if (object.kind !== 'PackageVariant') return []
  const { repo, package: packageName } = asRecord(object.get(['spec', 'downstream']))
  return [{ object, namespace: '', hasOwnSet: false, downstream: `${scalarText(repo)}/${scalarText(packageName)}` }]
}
