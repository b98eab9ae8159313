import { describeWanted } from './demands.ts'
import type { Finding } from './finding.ts'
import { type DependencyGraph, findCycles, formatCycle } from './graph.ts'
import { formatPlace } from './place.ts'
import { type Dependent, type PackageRequirement, packagesIn, type Universe } from './universe.ts'

/**
 * Reports faults in the graph of requirements: cycles, one package required twice, installed packages whose own requirements are unknown,
 * and generated packages that nothing requires.
 */
export function checkShape(universe: Universe): Finding[] {
  return [
    ...cyclesAmong(universe.dependents, universe).map(({ finding }) => finding),
    ...universe.dependents.flatMap((dependent) => checkDuplicates(dependent, universe)),
    ...checkUnverified(universe),
    ...checkUnused(universe),
  ]
}

/** Returns the graph of some dependents, by the keys of their targets. */
export function dependencyGraph({ dependents }: Pick<Universe, 'dependents'>): DependencyGraph {
  const graph = new Map<string, string[]>()
  for (const { target, requirements } of dependents) {
    if (target === undefined) continue
    const node = graph.get(target.key) ?? []
    node.push(...requirements.flatMap((each) => (each.type === 'package' ? [each.target.key] : [])))
    graph.set(target.key, node)
  }
  return graph
}

/** A cycle of packages, by the keys of their targets, and the finding that reports it. */
export interface Cycle {
  readonly keys: readonly string[]
  readonly finding: Finding
}

/** Finds one cycle for each group of dependents that require each other. */
export function cyclesAmong(dependents: readonly Dependent[], universe: Universe): Cycle[] {
  const byKey = new Map(
    dependents.flatMap((dependent) => (dependent.target === undefined ? [] : [[dependent.target.key, dependent] as const])),
  )
  return findCycles(dependencyGraph({ dependents })).flatMap((keys) => {
    const first = byKey.get(keys[0] ?? '')
    const nameOf = (key: string) => byKey.get(key)?.id ?? key
    const way = formatCycle(keys, nameOf, (key, next) => placeOfStep(byKey.get(key), next))
    if (first === undefined) return []
    return [{ keys, finding: finding(universe, 'dependency-cycle', first, `${way} is a cycle${consequence(universe)}`) }]
  })
}

// Returns the place where a package requires the next package of a cycle.
function placeOfStep(dependent: Dependent | undefined, next: string): string {
  const requirement = dependent?.requirements.find((each) => each.type === 'package' && each.target.key === next)
  const place = requirement?.place ?? dependent?.place
  return place === undefined ? '' : formatPlace(place)
}

function consequence({ cycleConsequence }: Universe): string {
  return cycleConsequence === undefined ? '' : `; ${cycleConsequence}`
}

function checkDuplicates(dependent: Dependent, universe: Universe): Finding[] {
  const first = new Map<string, PackageRequirement>()
  return dependent.requirements.flatMap((each) => {
    if (each.type !== 'package') return []
    const key = `${each.target.key} ${each.alias ?? ''}`
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, each)
    return earlier === undefined ? [] : [duplicate(dependent, each, earlier, universe)]
  })
}

function duplicate(dependent: Dependent, each: PackageRequirement, earlier: PackageRequirement, universe: Universe): Finding {
  const message = `${dependent.name} requires ${each.target.id}${describeWanted(each)} and${describeWanted(earlier)}; it must be listed once`
  return { ...finding(universe, 'duplicate-dependency', dependent, message), place: each.place }
}

function checkUnverified(universe: Universe): Finding[] {
  return universe.installs
    .filter(({ metadataKnown }) => !metadataKnown)
    .map(({ target, text, place }) => ({
      rule: 'dependency-unverified',
      message: `nothing is known of what ${target.id}${text === '' ? '' : ` ${text}`} (${formatPlace(place)}) requires; its own dependencies were not checked${target.versions.length === 0 ? universe.suggest(target.id) : ''}`,
      place,
      tags: { ecosystem: universe.ecosystem, dialect: universe.dialect, package: target.id, ...(text !== '' && { installed: text }) },
    }))
}

// Reports generated installs whose package nothing requires.
function checkUnused(universe: Universe): Finding[] {
  const required = new Set(universe.dependents.flatMap(({ requirements }) => requirements.flatMap(packagesIn)).map(({ target }) => target))
  return universe.installs
    .filter((install) => install.generated && !required.has(install.target))
    .map(({ target, text, place }) => ({
      rule: 'dependency-unused',
      message: `${target.id}${text === '' ? '' : ` ${text}`} was installed as a dependency, and nothing requires it`,
      place: { ...place, path: [], currentValue: undefined },
      tags: { ecosystem: universe.ecosystem, package: target.id, installed: text },
    }))
}

function finding({ ecosystem, dialect }: Universe, rule: Finding['rule'], dependent: Dependent, message: string): Finding {
  return { rule, message, place: dependent.place, tags: { ecosystem, dialect, package: dependent.id } }
}
