import { compareText } from '../../field-path.ts'
import type { PartAnswer } from '../resolve/answer.ts'
import { hasVersion } from '../resolve/version-set.ts'
import { type Dependent, leavesOf, type PackageTarget, type Requirement, type Universe } from '../universe.ts'
import type { PackageNode, PackageValue } from './node.ts'
import { installs, ownerName, type Parent, type Step } from './plan.ts'
import type { Planning } from './planning.ts'

/**
 * Returns the steps that lead from the installed values to the chosen values. The first creator owns a new object: of the packages that
 * require it, one of an earlier pass, then the first by name (seed 002, Two Packages depend on the same Package).
 */
export function stepsTo(chosen: Chosen, planning: Planning): Step[] {
  return new StepMaker(chosen, planning).make()
}

/** A package with its requirements after the plan: of an existing object, or of an object that a step makes. */
interface Requirer {
  readonly name: string
  readonly universe: Universe
  /** Undefined for a package being written. */
  readonly target: PackageTarget | undefined
  readonly dependent: Dependent | undefined
  readonly step: Step | undefined
  readonly requirements: readonly Requirement[]
}

class StepMaker {
  readonly #chosen: Chosen
  readonly #planning: Planning
  readonly #parents = new Map<PackageNode, Parent[]>()
  readonly #created = new Map<PackageNode, Step>()

  constructor(chosen: Chosen, planning: Planning) {
    this.#chosen = chosen
    this.#planning = planning
  }

  make(): Step[] {
    this.#createAll()
    const created = [...this.#created.values()]
    const updated = this.#existing().flatMap(({ node, value }) => this.#update(node, value) ?? [])
    return [...created, ...updated, ...this.#removals()]
  }

  /**
   * Makes the new objects pass by pass: pass 1 for requirements of existing packages, pass 2 for those of the packages of pass 1, and so
   * on.
   */
  #createAll(): void {
    let requirers = this.#firstRequirers()
    for (let pass = 1; requirers.length > 0; pass++) {
      const found = new Map<PackageNode, Parent[]>()
      for (const requirer of requirers) this.#follow(requirer, found)
      if (found.size === 0) this.#findUnowned(found)
      requirers = [...found.keys()].sort(byId).flatMap((node) => this.#create(node, found.get(node) ?? [], pass))
    }
  }

  /**
   * Adds the new nodes that only `install: false` requires, without parents in this pass: no parent installs them, which the writer
   * reports.
   */
  #findUnowned(found: Map<PackageNode, Parent[]>): void {
    for (const [node] of this.#parents) if (this.#isNew(node)) found.set(node, [])
  }

  #isNew(node: PackageNode): boolean {
    return node.install === undefined && !this.#created.has(node)
  }

  #firstRequirers(): Requirer[] {
    const existing = this.#existing().map(({ node, value }) => this.#requirer(node, value))
    const written = this.#planning
      .written()
      .map(({ dependent, universe }) => ({ ...dependent, universe, dependent, step: undefined, target: undefined }))
    return [...existing, ...written]
  }

  #existing(): { readonly node: PackageNode; readonly value: PackageValue }[] {
    const all = [...this.#planning.nodes].filter(({ install }) => install !== undefined).sort(byId)
    return all.flatMap((node) => {
      const value = this.#chosen.get(node.id)
      return value === undefined ? [] : [{ node, value }]
    })
  }

  /** Adds the requirer to the parents of each node that meets one of its requirements; in `found` for nodes that are to be made for it. */
  #follow(requirer: Requirer, found: Map<PackageNode, Parent[]>): void {
    for (const requirement of requirer.requirements) {
      const met = this.#metBy(requirement, requirer)
      if (met === undefined) continue
      const { name, dependent, step } = requirer
      const leaf = leavesOf(requirement).find((each) => each.type === 'package' && each.target === met.target)
      const parent = { name, requirement: leaf ?? requirement, dependent, step }
      if (this.#isNew(met) && installs(parent)) append(found, met, parent)
      else append(this.#parents, met, parent)
    }
  }

  /** Returns the node whose chosen value meets a requirement; of several, the first in the order in which the requirement lists them. */
  #metBy(requirement: Requirement, { universe, target }: Requirer): PackageNode | undefined {
    const wish = this.#planning.wishFor(requirement, { universe, target, tellPlace: false, asWritten: true })
    const choice = wish?.anyOf.find(({ package: id, versions }) => {
      const value = this.#chosen.get(id)
      const index = value === undefined ? -1 : (this.#planning.node(id)?.values.indexOf(value) ?? -1)
      return index >= 0 && hasVersion(versions, index)
    })
    return choice && this.#planning.node(choice.package)
  }

  #requirer(node: PackageNode, value: PackageValue): Requirer {
    const { id, install, universe, target } = node
    const dependent = install && this.#planning.dependentsOf(install)[0]
    const name = `${id} ${value.text}`.trim()
    return { name, universe, target, dependent, step: this.#created.get(node), requirements: value.requirements() }
  }

  #create(node: PackageNode, parents: readonly Parent[], pass: number): Requirer[] {
    const value = this.#chosen.get(node.id)
    if (value === undefined) return []
    const { universe, target } = node
    const sorted = [...parents].sort(byOwner)
    const own = [...sorted, ...(this.#parents.get(node) ?? [])]
    this.#parents.set(node, own)
    this.#created.set(node, {
      op: 'create',
      ecosystem: universe.ecosystem,
      id: target.id,
      version: value.text,
      name: universe.objectName(target, value.text),
      owner: sorted.map(ownerName).find((name) => name !== undefined),
      pass,
      target,
      parents: own,
    })
    return [this.#requirer(node, value)]
  }

  #update(node: PackageNode, value: PackageValue): Step | undefined {
    const { install, universe, target } = node
    if (install === undefined) return undefined
    const parents = [...(this.#parents.get(node) ?? [])].sort(byOwner)
    const owners = parents.filter(installs).flatMap((parent) => ownerName(parent) ?? [])
    const owner = install.owner !== undefined && !owners.includes(install.owner) ? (owners[0] ?? install.owner) : install.owner
    if (value.isInstalled && owner === install.owner) return undefined
    const { ecosystem } = universe
    return { op: 'update', ecosystem, id: target.id, version: value.text, name: install.name, owner, pass: 1, target, install, parents }
  }

  /** Returns the removals of generated objects that were not chosen. */
  #removals(): Step[] {
    const unneeded = [...this.#planning.nodes].filter(
      ({ id, install, isFixed }) => install?.generated === true && !isFixed && !this.#chosen.has(id),
    )
    return unneeded.sort(byId).flatMap(({ install, universe: { ecosystem }, target }) =>
      install === undefined
        ? []
        : [
            {
              op: 'remove' as const,
              ecosystem,
              id: target.id,
              version: install.text,
              name: install.name,
              pass: 1,
              target,
              install,
              parents: [],
            },
          ],
    )
  }
}

function append<Key>(lists: Map<Key, Parent[]>, key: Key, parent: Parent): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [parent])
  else list.push(parent)
}

function byId(a: PackageNode, b: PackageNode): number {
  return compareText(a.id, b.id)
}

function byOwner(a: Parent, b: Parent): number {
  return Number(installs(b)) - Number(installs(a)) || compareText(ownerName(a) ?? '', ownerName(b) ?? '') || compareText(a.name, b.name)
}

/** The chosen values, by the ids of their nodes. */
export type Chosen = ReadonlyMap<string, PackageValue>

/** Returns the chosen values of the parts that have a solution. */
export function chosenIn(answers: readonly PartAnswer[], planning: Planning): Chosen {
  return valuesOf(new Map(answers.flatMap(({ outcome }) => (outcome.type === 'solved' ? [...outcome.versions] : []))), planning)
}

/** Returns the chosen values for the numbers of versions that the solver returns. */
export function valuesOf(versions: ReadonlyMap<string, number>, planning: Planning): Chosen {
  return new Map(
    [...versions].flatMap(([id, version]): [string, PackageValue][] => {
      const value = planning.node(id)?.values[version]
      return value === undefined ? [] : [[id, value]]
    }),
  )
}

/** Returns the installed values of all nodes. */
export function valuesThere({ nodes }: Planning): Chosen {
  return new Map(
    [...nodes].flatMap(({ id, values }): [string, PackageValue][] => {
      const own = values.find(({ isInstalled }) => isInstalled)
      return own === undefined ? [] : [[id, own]]
    }),
  )
}
