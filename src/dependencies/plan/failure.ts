import { listNames, listSome } from '../finding.ts'
import type { Answer } from '../resolve/answer.ts'
import type { Fact, Requirement } from '../resolve/problem.ts'
import type { Cause } from '../resolve/rule.ts'
import type { Failure } from './plan.ts'
import type { Origin, Planning } from './planning.ts'
import type { WayOut } from './way-out.ts'

/** Why a part has no plan, and what would let it have one. */
export function failuresOf({ facts, outcome }: Answer, planning: Planning, waysOut: readonly WayOut[]): Failure[] {
  if (outcome.type !== 'unsolvable') return about(facts, planning).map((each) => ({ ...each, reason: 'exceeded', sentences: [] }))
  const { causes, sentences } = outcome.explanation
  const requirements = causes.flatMap((cause) => (cause.type === 'requirement' ? [cause.requirement] : []))
  const told = causes.flatMap(factOrRequirement)
  const way = waysOut.find(({ unsolved }) => facts.every(({ id }) => !unsolved.has(id)))
  const explained = [...sentences, ...(way === undefined ? [] : [describeWay(way, told, planning)])]
  const asked = requirements.length > 0 ? requirements : told
  return about([...asked, ...facts], planning).map((each) => ({ ...each, reason: 'unresolvable', sentences: explained }))
}

// The place is that of the first requirement: it is what a person can change.
function about(causes: readonly (Fact | Requirement)[], planning: Planning): Pick<Failure, 'ecosystem' | 'packages' | 'place'>[] {
  const origins = causes.flatMap((cause): readonly Origin[] => {
    const origin = planning.originOf(cause)
    return origin === undefined ? [] : [origin]
  })
  const [first] = origins
  if (first === undefined) return []
  const packages = [...new Set(origins.flatMap(({ dependent }) => (dependent === undefined ? [] : [dependent.id])))]
  return [{ ecosystem: first.universe.ecosystem, packages, place: first.place }]
}

function factOrRequirement(cause: Cause): (Fact | Requirement)[] {
  if (cause.type === 'exclusion') return []
  return [cause.type === 'fact' ? cause.fact : cause.requirement]
}

/** `Set upgrades: all to let resolve-dependencies move d to 1.4.0.` */
function describeWay({ settings, moves }: WayOut, causes: readonly (Fact | Requirement)[], planning: Planning): string {
  const about = causes.flatMap((cause) => ('id' in cause ? [cause.id] : []))
  const moved = about.flatMap((id) => (moves.has(id) && planning.node(id) !== undefined ? [`${id} to ${moves.get(id)}`] : []))
  if (moved.length === 0) return `With ${settings} there is a solution.`
  return `Set ${settings} to let resolve-dependencies move ${listNames(listSome(moved))}.`
}
