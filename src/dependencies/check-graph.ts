import { repeatsOf } from '../group-by.ts'
import { remember } from '../remember.ts'
import { type Finding, formatPlace } from './finding.ts'
import { type DependencyGraph, findCycles, formatCycle } from './graph.ts'
import { type Dependent, type PackageIndex, packagesIn } from './package-index.ts'
import { describeWanted } from './requirements.ts'

/**
 * Reports faults in the graph of requirements: cycles, one package required twice, installed packages whose own requirements are unknown,
 * and generated packages that nothing requires.
 */
export function checkGraph(index: PackageIndex): Finding[] {
  return [
    ...cyclesAmong(index.dependents, index).map(({ finding }) => finding),
    ...index.dependents.flatMap((dependent) => checkDuplicates(dependent, index)),
    ...checkUnverified(index),
    ...checkUnused(index),
  ]
}

/** Returns the graph of some dependents, by their keys. */
export function dependencyGraph({ dependents }: Pick<PackageIndex, 'dependents'>): DependencyGraph {
  const graph = new Map<string, string[]>()
  for (const { package: pkg, requirements } of dependents) {
    if (pkg === undefined) continue
    const required = requirements.flatMap((each) => (each.type === 'package' ? [each.package.key] : []))
    remember(graph, pkg.key, () => []).push(...required)
  }
  return graph
}

/** A cycle of packages, by their keys, and the finding that reports it. */
export interface Cycle {
  readonly keys: readonly string[]
  readonly finding: Finding
}

/** Finds one cycle for each group of dependents that require each other. */
export function cyclesAmong(dependents: readonly Dependent[], index: PackageIndex): Cycle[] {
  const byKey = new Map(dependents.flatMap((each) => (each.package === undefined ? [] : [[each.package.key, each] as const])))
  const consequence = index.cycleConsequence === undefined ? '' : `; ${index.cycleConsequence}`
  return findCycles(dependencyGraph({ dependents })).flatMap((keys) => {
    const first = byKey.get(keys[0] ?? '')
    const nameOf = (key: string) => byKey.get(key)?.id ?? key
    const way = formatCycle(keys, nameOf, (key, next) => placeOfStep(byKey.get(key), next))
    if (first === undefined) return []
    return [{ keys, finding: finding(index, 'dependency-cycle', first, `${way} is a cycle${consequence}`) }]
  })
}

// Returns the place where a package requires the next package of a cycle.
function placeOfStep(dependent: Dependent | undefined, next: string): string {
  const requirement = dependent?.requirements.find((each) => each.type === 'package' && each.package.key === next)
  const place = requirement?.place ?? dependent?.place
  return place === undefined ? '' : formatPlace(place)
}

function checkDuplicates(dependent: Dependent, index: PackageIndex): Finding[] {
  const required = dependent.requirements.filter((each) => each.type === 'package')
  return repeatsOf(required, ({ package: { key }, alias = '' }) => `${key} ${alias}`).map(({ first, again }) => {
    const message = `${dependent.name} requires ${again.package.id}${describeWanted(again)} and${describeWanted(first)}; it must be listed once`
    return { ...finding(index, 'duplicate-dependency', dependent, message), place: again.place }
  })
}

function checkUnverified(index: PackageIndex): Finding[] {
  return index.installs
    .filter(({ metadataKnown }) => !metadataKnown)
    .map(({ package: pkg, text, place }): Finding => {
      const near = pkg.versions.length === 0 ? index.suggest(pkg.id) : ''
      return {
        rule: 'dependency-unverified',
        // A known package of a similar name is what most likely was meant.
        ...(near !== '' && { severity: 'warning' as const }),
        message: `nothing is known of what ${pkg.id}${text === '' ? '' : ` ${text}`} (${formatPlace(place)}) requires; its own dependencies were not checked${near}`,
        place,
        tags: { ecosystem: index.ecosystem, dialect: index.dialect, package: pkg.id, ...(text !== '' && { installed: text }) },
      }
    })
}

// Reports generated installs whose package nothing requires.
function checkUnused(index: PackageIndex): Finding[] {
  const required = new Set(index.dependents.flatMap(({ requirements }) => requirements.flatMap(packagesIn)).map(({ package: pkg }) => pkg))
  return index.installs
    .filter((install) => install.generated && !required.has(install.package))
    .map(({ package: pkg, text, place }) => ({
      rule: 'dependency-unused',
      message: `${pkg.id}${text === '' ? '' : ` ${text}`} was installed as a dependency, and nothing requires it`,
      place: { ...place, path: [], currentValue: undefined },
      tags: { ecosystem: index.ecosystem, package: pkg.id, installed: text },
    }))
}

function finding({ ecosystem, dialect }: PackageIndex, rule: Finding['rule'], dependent: Dependent, message: string): Finding {
  return { rule, message, place: dependent.place, tags: { ecosystem, dialect, package: dependent.id } }
}
