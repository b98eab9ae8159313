import { compareText } from '../../../field-path.ts'
import type { PackageRange, RangeRequirement, RootRequirement, SolverRequirement } from '../problem.ts'
import type { PlainPackage, PlainProblem } from './plain-problem.ts'

/** The number of the version of each chosen package, by id. */
type Assignment = ReadonlyMap<string, number>

/** Returns the preferred solution by its definition (see `satisfy`), from the list of all solutions; undefined when there is none. */
export function preferredSolution(problem: PlainProblem): Assignment | undefined {
  const solutions = allSolutions(problem)
  return solutions.length === 0 ? undefined : answerAll(problem, solutions)
}

export function isSolvable(problem: PlainProblem): boolean {
  return allSolutions(problem).length > 0
}

/** Returns every choice of a version, or none, for each package with which all requirements hold, with unneeded packages too. */
function allSolutions({ packages, roots, exclusions }: PlainProblem): Assignment[] {
  let partial: Map<string, number>[] = [new Map()]
  for (const { id, versions } of packages) {
    partial = partial.flatMap((chosen) => [chosen, ...versions.map((_, version) => new Map([...chosen, [id, version]]))])
  }
  const required = (chosen: Assignment): readonly RangeRequirement[] => packages.flatMap((each) => requirementsIn(each, chosen))
  return partial.filter(
    (chosen) =>
      [...roots, ...required(chosen)].every((demand) => isMet(demand, chosen)) &&
      !exclusions.some(({ together }) => together.every((choice) => isThere(choice, chosen))),
  )
}

function requirementsIn({ id, requirements }: PlainPackage, chosen: Assignment): readonly SolverRequirement[] {
  return requirements[chosen.get(id) ?? -1] ?? []
}

export function isMet({ anyOf, optional }: RangeRequirement, chosen: Assignment): boolean {
  return anyOf.some((choice) => isThere(choice, chosen) || (optional === true && !chosen.has(choice.package)))
}

export function isThere({ package: id, versions }: PackageRange, chosen: Assignment): boolean {
  const version = chosen.get(id)
  return version !== undefined && ((versions >> BigInt(version)) & 1n) === 1n
}

/** Answers one question after the other, each with the first answer that some solution has. */
function answerAll(problem: PlainProblem, solutions: readonly Assignment[]): Assignment {
  const chosen = new Map<string, number>()
  const wanted = new Set<string>()
  const kept = new Set(problem.packages.filter(({ keep, rises }) => keep !== undefined && !rises).map((each) => each.id))
  let left = solutions
  let isAtLast = false
  for (;;) {
    const demands = openDemands(problem, chosen)
    const required = demands.filter((each) => each.anyOf.length === 1 && !isLast(each)).flatMap(({ anyOf }) => anyOf)
    const needed = [...wanted, ...required.map((choice) => choice.package)].filter((each) => !chosen.has(each)).sort(compareText)
    const id = needed.find((each) => kept.has(each)) ?? needed[0]
    if (id !== undefined) {
      const version = inPreference(problem, id, isAtLast ? 'last' : 'first').find((each) =>
        left.some((solution) => solution.get(id) === each),
      )
      left = left.filter((solution) => solution.get(id) === version)
      chosen.set(id, version ?? -1)
      continue
    }
    const open = demands.find(
      (demand) => (demand.anyOf.length > 1 || isLast(demand)) && !demand.anyOf.some((choice) => isThere(choice, chosen)),
    )
    if (open === undefined) return chosen
    isAtLast ||= isLast(open)
    const choice = open.anyOf.find((each) => left.some((solution) => isThere(each, solution)))
    left = left.filter((solution) => choice !== undefined && isThere(choice, solution))
    wanted.add(choice?.package ?? '')
  }
}

/** Returns the requirements of the root requirements and the chosen versions, in the order of the questions. */
function openDemands({ packages, roots }: PlainProblem, chosen: Assignment): readonly AskedDemand[] {
  const byWish = (a: SolverRequirement, b: SolverRequirement): number => compareText(a.wants, b.wants)
  const sorted = [...packages].sort((a, b) => compareText(a.id, b.id))
  const required = sorted.flatMap((each) => [...requirementsIn(each, chosen)].sort(byWish))
  const asked: readonly AskedDemand[] = [...[...roots].sort((a, b) => compareText(a.id, b.id)), ...required]
  return [...asked.filter((each) => !isLast(each)), ...asked.filter(isLast)].filter(({ optional }) => !optional)
}

type AskedDemand = RangeRequirement & Pick<RootRequirement, 'isLast'>

function isLast({ isLast }: AskedDemand): boolean {
  return isLast === true
}

function inPreference({ packages }: PlainProblem, id: string, asked: 'first' | 'last'): number[] {
  const found = packages.find((each) => each.id === id)
  const numbers = (found?.versions ?? []).map((_, number) => number)
  const rises = found?.rises === true && asked === 'first'
  return found?.keep === undefined || rises ? numbers : [found.keep, ...numbers.filter((number) => number !== found.keep)]
}
