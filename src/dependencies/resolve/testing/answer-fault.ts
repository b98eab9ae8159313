import type { UnsolvableExplanation } from '../explain.ts'
import type { ExternalCause } from '../external-incompatibility.ts'
import type { PackageRange, SolverRequirement } from '../problem.ts'
import { firstLook, type PartAnswer, satisfy } from '../satisfy.ts'
import { isSingle, numbersIn } from '../version-set.ts'
import { isMet, isSolvable, isThere, preferredSolution } from './brute-force.ts'
import { type PlainPackage, type PlainProblem, problemOf } from './plain-problem.ts'

type Versions = ReadonlyMap<string, number>

const LIMITS = { maxSteps: 1_000_000 }

/** Checks the answer to a small problem against its definition. Returns the first fault in words; undefined when there is none. */
export function answerFault(problem: PlainProblem): string | undefined {
  const answers = satisfy(problemOf(problem), LIMITS)
  const reversed = satisfy(problemOf(reverse(problem)), LIMITS)
  if (format(answers) !== format(reversed)) return `the order of the input matters: ${format(answers)}, ${format(reversed)}`
  const wide = satisfy(problemOf(widen(problem)), LIMITS)
  if (formatOutcome(answers, 0) !== formatOutcome(wide, MORE)) return `unneeded versions matter: ${formatOutcome(wide, MORE)}`
  const expected = preferredSolution(problem)
  const looked = [problem, reverse(problem)].flatMap((each) => firstLook(problemOf(each), LIMITS.maxSteps) ?? [])
  const wrong = looked.find((versions) => expected === undefined || formatVersions(versions) !== formatVersions(expected))
  if (wrong !== undefined) return `${formatVersions(wrong)} at first look`
  const explanations = answers.flatMap(({ outcome }) => (outcome.type === 'unsolvable' ? [outcome.explanation] : []))
  if (explanations.length === 0) return solutionFault(answers, expected)
  if (expected !== undefined) return `no solution instead of ${formatVersions(expected)}`
  return firstFault([...explanations.map((each) => explanationFault(problem, each)), ...answers.map((each) => partFault(problem, each))])
}

function solutionFault(answers: readonly PartAnswer[], expected: Versions | undefined): string | undefined {
  const found = formatVersions(new Map(answers.flatMap((answer) => [...versionsIn(answer)])))
  const wanted = expected === undefined ? 'no solution' : formatVersions(expected)
  return found === wanted ? undefined : `${found} instead of ${wanted}`
}

/**
 * Checks that the causes contradict each other, that none can be removed, and that no given cause can be removed even with the
 * requirements of all packages. Returns the first fault.
 */
function explanationFault(problem: PlainProblem, { causes, isSmallest }: UnsolvableExplanation): string | undefined {
  const single = causes.flatMap(eachVersion)
  const given = causes.filter((cause) => isGiven(problem, cause))
  const known = requirementsIn(problem).filter((cause) => !isGiven(problem, cause))
  const holdTogether = (some: readonly ExternalCause[]): boolean => isSolvable(withCauses(problem, some))
  return firstFault([
    isSmallest ? undefined : 'it is not known whether the explanation is the smallest',
    holdTogether(causes) ? 'the explanation is no contradiction' : undefined,
    ...single.map((cause) => (holdTogether(single.filter((other) => other !== cause)) ? undefined : `no need for ${formatCause(cause)}`)),
    ...given.map((cause) =>
      holdTogether([...known, ...given.filter((other) => other !== cause)]) ? undefined : `no need for the given ${formatCause(cause)}`,
    ),
  ])
}

/**
 * Checks that the solution of a part meets the root requirements and requirements of the part and breaks no exclusion. Returns the fault.
 */
function partFault(problem: PlainProblem, answer: PartAnswer): string | undefined {
  if (answer.outcome.type !== 'solved') return undefined
  const fixed = fixedVersions(problem)
  const versions = versionsIn(answer)
  const free = new Map([...versions].filter(([id]) => !fixed.has(id)))
  const required = problem.packages.flatMap(({ id, requirements }) => requirements[free.get(id) ?? -1] ?? [])
  const isWhole = [...answer.roots, ...required].every((demand) => isMet(demand, versions))
  const isExcluded = problem.exclusions.some(({ together }) => together.every((choice) => isThere(choice, free)))
  return isWhole && !isExcluded ? undefined : `a part that does not hold: ${formatVersions(versions)}`
}

/** Returns the same problem with every list reversed. */
function reverse({ packages, roots, exclusions }: PlainProblem): PlainProblem {
  const turned = packages.map((each) => ({ ...each, requirements: each.requirements.map((some) => [...some].reverse()) }))
  return { packages: turned.reverse(), roots: [...roots].reverse(), exclusions: [...exclusions].reverse() }
}

const MORE = 40

/** Returns the same problem with more versions than `lowBits` keeps; no choice allows the added versions. */
function widen({ packages, roots, exclusions }: PlainProblem): PlainProblem {
  const moved = (choices: readonly PackageRange[]): PackageRange[] =>
    choices.map((each) => ({ ...each, versions: each.versions << BigInt(MORE) }))
  const more = Array.from({ length: MORE }, (_, number) => number)
  return {
    packages: packages.map(({ id, versions, keep, rises, requirements }) => ({
      id,
      versions: [...more.map((number) => `0.0.${number}`), ...versions],
      keep: keep === undefined ? undefined : keep + MORE,
      rises,
      requirements: [...more.map(() => []), ...requirements.map((each) => each.map((one) => ({ ...one, anyOf: moved(one.anyOf) })))],
    })),
    roots: roots.map((root) => ({ ...root, anyOf: moved(root.anyOf) })),
    exclusions: exclusions.map((exclusion) => ({ ...exclusion, together: moved(exclusion.together) })),
  }
}

/** Returns the versions of all parts as text, or `no solution` if a part has none. */
function formatOutcome(answers: readonly PartAnswer[], more: number): string {
  if (answers.some(({ outcome }) => outcome.type !== 'solved')) return 'no solution'
  return formatVersions(new Map(answers.flatMap((answer) => [...versionsIn(answer)]).map(([id, version]) => [id, version - more])))
}

function versionsIn({ outcome }: PartAnswer): Versions {
  return outcome.type === 'solved' ? outcome.versions : new Map()
}

function format(answers: readonly PartAnswer[]): string {
  return answers
    .map(({ outcome }) =>
      outcome.type === 'unsolvable' ? outcome.explanation.sentences.join(' ') : formatVersions(versionsIn({ roots: [], outcome })),
    )
    .join('; ')
}

function formatVersions(versions: Versions): string {
  return JSON.stringify([...versions].sort())
}

function formatCause(cause: ExternalCause): string {
  if (cause.type === 'requirement') return `${cause.package} ${cause.versions} requires ${cause.requirement.wants}`
  return cause.type === 'root' ? cause.root.text : cause.exclusion.text
}

function firstFault(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined)
}

/** Returns the problem that has these causes alone. */
function withCauses({ packages }: PlainProblem, causes: readonly ExternalCause[]): PlainProblem {
  return {
    packages: packages.map((each) => ({ ...each, requirements: each.versions.map((_, version) => requiredBy(each, version, causes)) })),
    roots: causes.flatMap((cause) => (cause.type === 'root' ? [cause.root] : [])),
    exclusions: causes.flatMap((cause) => (cause.type === 'exclusion' ? [cause.exclusion] : [])),
  }
}

function requiredBy({ id }: PlainPackage, version: number, causes: readonly ExternalCause[]): SolverRequirement[] {
  return causes.flatMap((cause) =>
    cause.type === 'requirement' && cause.package === id && has(cause.versions, version) ? [cause.requirement] : [],
  )
}

/** Returns each requirement of each version as a cause. */
function requirementsIn({ packages }: PlainProblem): ExternalCause[] {
  return packages.flatMap(({ id, requirements }) =>
    requirements.flatMap((each, version) =>
      each.map((requirement) => ({ type: 'requirement', package: id, versions: 1n << BigInt(version), requirement }) as const),
    ),
  )
}

/** Returns one cause for each version of a cause. */
function eachVersion(cause: ExternalCause): ExternalCause[] {
  if (cause.type !== 'requirement') return [cause]
  return numbersIn(cause.versions).map((version) => ({ ...cause, versions: 1n << BigInt(version) }))
}

/** Returns true for a cause about users' objects: a root requirement, an exclusion, or a requirement of a fixed version. */
function isGiven(problem: PlainProblem, cause: ExternalCause): boolean {
  return cause.type !== 'requirement' || cause.versions === fixedVersions(problem).get(cause.package)
}

/** Returns the version of each package for which a root requirement allows one version only. */
function fixedVersions({ roots }: PlainProblem): ReadonlyMap<string, bigint> {
  const fixed = new Map<string, bigint>()
  for (const { anyOf, optional, isLast } of roots) {
    const [only] = anyOf
    if (anyOf.length === 1 && only !== undefined && !optional && !isLast && isSingle(only.versions) && !fixed.has(only.package))
      fixed.set(only.package, only.versions)
  }
  return fixed
}

function has(versions: bigint, version: number): boolean {
  return ((versions >> BigInt(version)) & 1n) === 1n
}
