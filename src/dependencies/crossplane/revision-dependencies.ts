import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { checkRequirements } from '../check-requirements.ts'
import { describeWanted } from '../demands.ts'
import type { Finding } from '../finding.ts'
import { dependenciesOf, impliedNodes } from '../graph.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { dependencyGraph } from '../shape.ts'
import type { Universe } from '../universe.ts'
import { type CrossplanePackage, readLock } from './objects.ts'

/** A package revision that looks whether it has what it needs. */
interface ResolvingRevision {
  readonly source: string
  /** True when the Lock has no entry of the revision yet. */
  readonly isNew: boolean
  readonly isActive: boolean
}

/** The counts of a revision: packages that it needs, those of them that are installed, and those that are installed in a wrong version. */
export interface RevisionDependencies {
  readonly found: number
  readonly installed: number
  readonly invalid: number
}

/** Returns a function that lists the missing required packages of a package: `missing dependency xpkg.example.org/a/b ">=v1.0.0" (AT)`. */
export function missingFinder({ dependents }: Universe): (each: CrossplanePackage) => string[] {
  const bySource = groupBy(dependents, ({ target }) => target?.id)
  return ({ reference, object }) => {
    const own = (bySource.get(reference.source) ?? []).filter(({ install }) => install?.place.ref.name === object.name)
    const packages = own.flatMap(({ requirements }) => requirements.filter((each) => each.type === 'package'))
    const missing = packages.filter(({ target, optional }) => !optional && target.installs.length === 0)
    return missing.map((each) => `missing dependency ${each.target.id}${describeWanted(each)}`)
  }
}

/**
 * Returns a function that counts the dependencies of an Active revision, by the name of the revision. A revision without an entry in the
 * Lock is new.
 */
export function dependencyCounter(
  universe: Universe,
  objects: readonly KrmObject[],
): (revision: string, parent: CrossplanePackage) => RevisionDependencies {
  const locked = new Set(readLock(objects).map(({ name }) => name))
  const resolve = revisionResolver(universe)
  return (revision, { reference }) => resolve({ source: reference.source, isNew: !locked.has(revision), isActive: true })
}

/**
 * Returns a function that counts the dependencies of a revision in the Lock (internal/controller/pkg/revision/dependency.go, Resolve). An
 * Inactive revision counts none. A new revision with a missing direct dependency counts its direct dependencies, any other revision all
 * that it needs. Versions are compared when nothing is missing.
 */
export function revisionResolver(universe: Universe): (revision: ResolvingRevision) => RevisionDependencies {
  const graph = dependencyGraph(universe)
  const missing = new Set(impliedNodes(graph))
  const violations = violationsBySource(universe)
  return ({ source, isNew, isActive }) => {
    if (!isActive) return { found: 0, installed: 0, invalid: 0 }
    const direct = [...new Set(graph.get(source) ?? [])]
    const found = isNew && direct.some((each) => missing.has(each)) ? direct : dependenciesOf(graph, source)
    const absent = found.filter((each) => missing.has(each)).length
    const violated = violations.get(source) ?? []
    return { found: found.length, installed: found.length - absent, invalid: absent > 0 ? 0 : violated.length }
  }
}

/** Returns the violations by packages that are installed in a wrong version, grouped by the package that requires them. */
function violationsBySource(universe: Universe): ReadonlyMap<string | undefined, readonly Finding[]> {
  const all = checkRequirements(universe, NO_KINDS, { downgrades: false })
  const violated = all.filter(({ tags, rule }) => tags.installed !== undefined && rule !== 'dependency-missing')
  return groupBy(violated, ({ tags }) => tags.package)
}
