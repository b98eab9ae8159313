import { listNames, listSome } from '../finding.ts'
import type { ExternalCause } from '../resolve/external-incompatibility.ts'
import type { RootRequirement, SolverRequirement } from '../resolve/problem.ts'
import { firstLook, type PartAnswer, satisfy } from '../resolve/satisfy.ts'
import { PackageProblem } from './package-problem.ts'
import type { Plan, PlanFailure, PlanInput, PlanPolicy } from './plan.ts'
import { type Decisions, decisionsIn, decisionsOf, installedDecisions, stepsTo } from './plan-steps.ts'
import { closureOf } from './planned-packages.ts'

/**
 * Returns the plan that meets all requirements of all packages together, found by the solver (`../resolve`).
 * Independent parts fail alone: the plan has the steps of the other parts. If there is a plan without downgrades, it is preferred.
 */
export function satisfyRequirements(input: PlanInput): Plan {
  const { policy } = input
  const rising = { ...input, policy: { ...policy, downgrades: false } }
  const preferred = policy.downgrades ? (planAtFirstLook(rising) ?? solvedPlan(answersTo(rising))) : undefined
  return preferred ?? planAtFirstLook(input) ?? planFollowingAll(input)
}

/** Returns a plan from reading the tried versions only; undefined if that gives no sure solution. */
function planAtFirstLook(input: PlanInput): Plan | undefined {
  const problem = new PackageProblem(input)
  const versions = firstLook(problem, input.maxSteps)
  if (versions === undefined || problem.isDoubtful) return undefined
  return { steps: stepsTo(decisionsOf(versions, problem), problem), failures: [] }
}

interface Answered {
  readonly problem: PackageProblem
  readonly answers: readonly PartAnswer[]
}

function answersTo(input: PlanInput): Answered {
  const problem = new PackageProblem(input, closureOf(input.indexes, input.kinds))
  return { problem, answers: satisfy(problem, input) }
}

/** Returns the plan of answers; undefined if a part has no solution. */
function solvedPlan({ problem, answers }: Answered): Plan | undefined {
  if (answers.some(({ outcome }) => outcome.type !== 'solved')) return undefined
  return { steps: stepsTo(decisionsIn(answers, problem), problem), failures: [] }
}

function planFollowingAll(input: PlanInput): Plan {
  const answered = answersTo(input)
  const solved = solvedPlan(answered)
  if (solved !== undefined) return solved
  const { problem, answers } = answered
  const failed = answers.filter(({ outcome }) => outcome.type !== 'solved')
  const waysOut = findWaysOut(input)
  // A part that fails keeps what is installed.
  const kept: Decisions = new Map([...installedDecisions(problem), ...decisionsIn(answers, problem)])
  return { steps: stepsTo(kept, problem), failures: failed.flatMap((answer) => failuresOf(answer, problem, waysOut)) }
}

/** Returns the reason why a part has no plan, with the first settings that would allow one. */
function failuresOf({ roots, outcome }: PartAnswer, problem: PackageProblem, waysOut: readonly WayOut[]): PlanFailure[] {
  if (outcome.type !== 'unsolvable') return about(roots, problem).map((each) => ({ ...each, reason: 'exceeded', sentences: [] }))
  const { causes, sentences } = outcome.explanation
  const requirements = causes.flatMap((cause) => (cause.type === 'requirement' ? [cause.requirement] : []))
  const all = causes.flatMap(requirementOf)
  const way = waysOut.find(({ unsolved }) => roots.every(({ id }) => !unsolved.has(id)))
  const explained = [...sentences, ...(way === undefined ? [] : [describeWay(way, all, problem)])]
  const asked = requirements.length > 0 ? requirements : all
  return about([...asked, ...roots], problem).map((each) => ({ ...each, reason: 'unresolvable', sentences: explained }))
}

// The place of the failure is that of the first requirement, which a person can change.
function about(
  causes: readonly (RootRequirement | SolverRequirement)[],
  problem: PackageProblem,
): Pick<PlanFailure, 'ecosystem' | 'packages' | 'place'>[] {
  const origins = causes.flatMap((cause) => problem.originOf(cause) ?? [])
  const [first] = origins
  if (first === undefined) return []
  const packages = [...new Set(origins.flatMap(({ dependent }) => dependent?.id ?? []))]
  return [{ ecosystem: first.index.ecosystem, packages, place: first.place }]
}

function requirementOf(cause: ExternalCause): (RootRequirement | SolverRequirement)[] {
  if (cause.type === 'exclusion') return []
  return [cause.type === 'root' ? cause.root : cause.requirement]
}

/** Returns a way out in words: `Set upgrades: all in the ResolveDependencies to move d to 1.4.0.` */
function describeWay(
  { settings, moves }: WayOut,
  causes: readonly (RootRequirement | SolverRequirement)[],
  problem: PackageProblem,
): string {
  const about = causes.flatMap((cause) => ('id' in cause ? [cause.id] : []))
  const moved = about.flatMap((id) => (moves.has(id) && problem.find(id) !== undefined ? [`${id} to ${moves.get(id)}`] : []))
  if (moved.length === 0) return `With ${settings} in the ResolveDependencies there is a solution.`
  return `Set ${settings} in the ResolveDependencies to move ${listNames(listSome(moved))}.`
}

/** Settings that were not chosen, and the result that the solver has with them. */
interface WayOut {
  /** The settings as a person writes them: `upgrades: all`. */
  readonly settings: string
  /** Versions that objects would move to then, by the ids of their packages. */
  readonly moves: ReadonlyMap<string, string>
  /** The roots of the parts that fail even then. */
  readonly unsolved: ReadonlySet<string>
}

// The most steps for one way out, which is worth less than the plan itself.
const STEPS_FOR_A_WAY_OUT = 100_000

/** Returns the result of each more permissive setting, the least permissive first; none if no installed package has another version. */
function findWaysOut(input: PlanInput): WayOut[] {
  const { policy } = input
  const up: PlanPolicy = { ...policy, upgrades: 'all' }
  const canRise = policy.upgrades !== 'all'
  const canFall = !policy.downgrades
  if (!hasOther(input)) return []
  return [
    ...(canRise ? [wayOutBy({ ...input, policy: up }, 'upgrades: all')] : []),
    ...(canFall ? [wayOutBy({ ...input, policy: { ...policy, downgrades: true } }, 'downgrades: true')] : []),
    ...(canRise && canFall ? [wayOutBy({ ...input, policy: { ...up, downgrades: true } }, 'upgrades: all and downgrades: true')] : []),
  ]
}

/** Returns true if an installed package has another known version; else the settings change nothing. */
function hasOther({ indexes }: PlanInput): boolean {
  return indexes.some(({ installs, compare }) =>
    installs.some(({ package: pkg, version }) => pkg.versions.some((each) => version === undefined || compare(each, version) !== 0)),
  )
}

function wayOutBy(input: PlanInput, settings: string): WayOut {
  const problem = new PackageProblem(input, closureOf(input.indexes, input.kinds))
  const answers = satisfy(problem, { maxSteps: Math.min(input.maxSteps, STEPS_FOR_A_WAY_OUT) })
  const candidates = [...decisionsIn(answers, problem)]
  const moved = candidates.filter(([id, { isInstalled }]) => !isInstalled && problem.find(id)?.install !== undefined)
  const unsolved = answers.flatMap(({ roots, outcome }) => (outcome.type === 'solved' ? [] : roots.map(({ id }) => id)))
  return { settings, moves: new Map(moved.map(([id, { text }]) => [id, text])), unsolved: new Set(unsolved) }
}
