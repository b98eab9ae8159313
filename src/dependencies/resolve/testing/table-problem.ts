import type { PackageRange, Problem, SolverRequirement } from '../problem.ts'
import { firstVersions, versionSet } from '../version-set.ts'
import { problemOf } from './plain-problem.ts'

/**
 * The requirements of each version of each package, the highest version first. `b` is any version of b, `b 2.0.0 1.0.0` one of these,
 * `b | c` b or c, and `b? 1.0.0` b 1.0.0 or no b.
 */
export type VersionTable = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Returns a problem for tests from a table. Root requirements are by the name of the object that requires. */
export function tableProblem(universe: VersionTable, roots: Readonly<Record<string, string>>, exclusions: readonly string[] = []): Problem {
  const packages = Object.entries(universe).map(([id, versions]) => ({
    id,
    versions: Object.keys(versions),
    requirements: Object.values(versions).map((wants) => wants.map((wanted) => readRequirement(wanted, universe))),
  }))
  return problemOf({
    packages,
    roots: Object.entries(roots).map(([id, wanted]) => ({ ...readRequirement(wanted, universe), id, text: `${id} requires ${wanted}` })),
    exclusions: exclusions.map((text) => ({
      id: text,
      text: `${text.replace(' | ', ' and ')} exclude each other`,
      together: readChoices(text, universe),
    })),
  })
}

function readRequirement(wants: string, universe: VersionTable): SolverRequirement {
  return { wants, optional: wants.includes('?'), anyOf: readChoices(wants.replace('?', ''), universe) }
}

function readChoices(text: string, universe: VersionTable): PackageRange[] {
  return text.split(' | ').map((one) => {
    const [id = '', ...versions] = one.split(' ')
    const known = Object.keys(universe[id] ?? {})
    const numbers = versions.map((version) => known.indexOf(version)).filter((number) => number >= 0)
    return { package: id, versions: versions.length === 0 ? firstVersions(known.length) : versionSet(numbers) }
  })
}
