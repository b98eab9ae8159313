import { formatResourceRef } from '../result.ts'
import { type Finding, formatPlace, wholeObject } from './finding.ts'
import { type Need, needsMetBy, needsOf } from './needs.ts'
import {
  type Dependent,
  type Install,
  isMetBy,
  type Leaf,
  leavesOf,
  type PackageIndex,
  type Requirement,
  type ServedKinds,
} from './package-index.ts'
import type { PlanInput } from './plan/plan.ts'
import { type PruneGuard, pruneGuard } from './plan/pruning.ts'
import { describeKind, describeWanted } from './requirements.ts'

/** An install that was removed, with the ecosystem of its package. */
export interface RemovedInstall {
  readonly ecosystem: string
  readonly install: Install
}

/** The packages of a state, after a removal. */
type PackageState = Pick<PlanInput, 'indexes' | 'kinds'>

/** Returns the installs of one state whose object another state does not have. */
export function removedInstalls(before: readonly PackageIndex[], after: readonly PackageIndex[]): readonly RemovedInstall[] {
  return before.flatMap(({ ecosystem, installs }) => {
    const there = new Set(after.find((each) => each.ecosystem === ecosystem)?.installs.map(objectOf))
    return installs.flatMap((install) => (there.has(objectOf(install)) ? [] : [{ ecosystem, install }]))
  })
}

/** Returns the name of the object of an install: `PackageInstall default/a`. An entry of a Lock is named, too. */
function objectOf({ place: { ref }, name }: Install): string {
  return `${ref.kind} ${ref.namespace ?? ''}/${ref.name} ${name}`
}

/** Returns the removed PackageInstalls as the option `removedInstalls` of the readers has them: `NAMESPACE/NAME`. */
export function removedOwners(removed: readonly RemovedInstall[]): ReadonlySet<string> {
  return new Set(removed.map(({ install: { package: pkg, name } }) => `${pkg.scope ?? ''}/${name}`))
}

/**
 * Reports the packages that require a removed install, where nothing else meets the requirement any more (seed 002, Force deletion of
 * dependent packages).
 *
 * Example: portal 1.0.0 requires shop, and `PackageInstall shop` is removed: the finding is at the line of the requirement.
 */
export function brokenByRemoval(removed: readonly RemovedInstall[], { indexes, kinds }: PackageState): Finding[] {
  return removed.flatMap(({ ecosystem, install }) => {
    const { dependents = [] } = indexes.find((each) => each.ecosystem === ecosystem) ?? {}
    const required = dependents.flatMap((dependent) => dependent.requirements.map((requirement) => ({ dependent, requirement })))
    return required.flatMap(({ dependent, requirement }): Finding[] => {
      const wanted = requirement.optional ? undefined : leavesOf(requirement).find((leaf) => wasMetBy(leaf, dependent, install, kinds))
      if (wanted === undefined || isMetNow(requirement, kinds)) return []
      const message = `${dependent.name} requires ${describeLeaf(wanted)}, and ${formatResourceRef(install.place.ref)}, which installed it, is removed`
      const tags = { ecosystem, package: dependent.id, dependency: install.package.id, installed: install.text }
      return [{ rule: 'removal-breaks', message, place: { ...requirement.place, currentValue: undefined }, tags }]
    })
  })
}

// The packages of two states are two objects.
function wasMetBy(leaf: Leaf, { package: by }: Dependent, install: Install, kinds: ServedKinds): boolean {
  if (leaf.type === 'package') return leaf.package.key === install.package.key && isMetBy(install, leaf)
  if (leaf.type !== 'gvk') return false
  return kinds
    .providersOf(leaf.wanted)
    .some(({ packageFor, version }) => version === install.text && packageFor(by)?.key === install.package.key)
}

function isMetNow(requirement: Requirement, kinds: ServedKinds): boolean {
  return leavesOf(requirement).some((leaf) => {
    if (leaf.type === 'gvk') return kinds.serves(leaf.wanted)
    return leaf.type === 'platform' ? leaf.met : leaf.package.installs.some((install) => isMetBy(install, leaf))
  })
}

function describeLeaf(leaf: Leaf): string {
  if (leaf.type === 'package') return `${leaf.package.id}${describeWanted(leaf)}`
  return leaf.type === 'gvk' ? `${describeKind(leaf.wanted)} (${formatPlace(leaf.place)})` : leaf.wants
}

/** An install that was made for a removed one, directly or through others. */
interface LeftInstall {
  readonly install: Install
  readonly removed: Install
  readonly index: PackageIndex
  /** The reason why the install stays, as a clause; undefined if nothing needs it. */
  readonly stays: string | undefined
}

/**
 * Returns the installs that were made for removed ones and are still there.
 *
 * @param state  the packages after the removal, read with the removed installs as option
 */
export function leftByRemoval(removed: readonly RemovedInstall[], { indexes, kinds }: PackageState): readonly LeftInstall[] {
  return indexes.flatMap((index) => {
    const own = removed.filter(({ ecosystem }) => ecosystem === index.ecosystem)
    return own.flatMap(({ install }) => leftBy(install, index, kinds))
  })
}

function leftBy(removed: Install, index: PackageIndex, kinds: ServedKinds): LeftInstall[] {
  const left = madeFor(removed, index)
  const needs = needsOf(index, kinds)
  const guard = pruneGuard(index)
  const going = new Set(left.filter((install) => guard(install) === undefined))
  // What stays keeps what it needs, which may keep others in turn.
  for (let size = -1; size !== going.size; ) {
    size = going.size
    for (const install of going) if (neededBy(install, needs, going) !== undefined) going.delete(install)
  }
  return left.map((install) => ({ install, removed, index, stays: reasonToStay(install, neededBy(install, needs, going), guard) }))
}

/** Returns the installs that were made for one, and for these, in the order in which they are found. */
function madeFor(owner: Install, { installs }: PackageIndex): readonly Install[] {
  const found = new Set<Install>()
  const owners = [owner]
  for (let next = owners.pop(); next !== undefined; next = owners.pop()) {
    const { name, package: pkg } = next
    for (const each of installs) {
      if (!each.generated || found.has(each) || each.owner !== name || each.package.scope !== pkg.scope) continue
      found.add(each)
      owners.push(each)
    }
  }
  return [...found]
}

function neededBy(install: Install, needs: ReturnType<typeof needsOf>, going: ReadonlySet<Install>): Need | undefined {
  return needsMetBy(install, needs).find(({ dependent, requirement }) => {
    return !requirement.optional && (dependent.install === undefined || !going.has(dependent.install))
  })
}

function reasonToStay(install: Install, need: Need | undefined, guard: PruneGuard): string | undefined {
  if (need !== undefined) return `${need.dependent.name} requires it (${formatPlace(need.requirement.place)})`
  const why = guard(install)
  return why === undefined ? undefined : `nothing else requires it, but ${why}`
}

/** Reports what was installed for removed installs, and if `prune` removes it (seed 002, Force deletion of dependent packages). */
export function leftFindings(left: readonly LeftInstall[]): Finding[] {
  return left.map(({ install, removed, index: { ecosystem }, stays }) => {
    const { package: pkg, place, text } = install
    const what = `${formatResourceRef(place.ref)} was installed for ${formatResourceRef(removed.place.ref)}, which is removed`
    const end = stays === undefined ? 'nothing else requires it, and `prune` removes it' : `it stays: ${stays}`
    const tags = { ecosystem, package: pkg.id, installed: text }
    return { rule: 'removal-leaves', message: `${what}; ${end}`, place: wholeObject(place), tags }
  })
}
