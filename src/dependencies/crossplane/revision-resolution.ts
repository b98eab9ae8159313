import { groupBy } from '../../group-by.ts'
import { checkRequirements } from '../check-requirements.ts'
import type { Finding } from '../finding.ts'
import { dependenciesOf, impliedNodes } from '../graph.ts'
import { NO_KINDS } from '../reading/served-kinds.ts'
import { dependencyGraph } from '../shape.ts'
import type { Universe } from '../universe.ts'

/** A package revision that looks whether it has what it needs. */
export interface ResolvingRevision {
  readonly source: string
  /** Whether the Lock has no entry of it yet. */
  readonly isNew: boolean
  readonly isActive: boolean
}

/** How many packages a revision needs, how many of them are there, and how many of its own are there in the wrong version. */
export interface RevisionDependencies {
  readonly found: number
  readonly installed: number
  readonly invalid: number
}

/**
 * What each revision finds in the Lock (internal/controller/pkg/revision/dependency.go, Resolve): nothing while it is Inactive; its direct
 * dependencies when it is new and one of them is missing; else all that it needs. Versions are looked at when nothing is missing.
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

/** What is there in a wrong version, by who requires it. */
function violationsBySource(universe: Universe): ReadonlyMap<string | undefined, readonly Finding[]> {
  const all = checkRequirements(universe, NO_KINDS, { downgrades: false })
  const violated = all.filter(({ tags, rule }) => tags.installed !== undefined && rule !== 'dependency-missing')
  return groupBy(violated, ({ tags }) => tags.package)
}
