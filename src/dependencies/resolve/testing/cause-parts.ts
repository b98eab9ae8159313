import type { Requirement } from '../problem.ts'
import type { Cause } from '../rule.ts'
import { isSingle, membersOf } from '../version-set.ts'
import type { PlainPackage, PlainProblem } from './plain-problem.ts'

/** A problem with nothing but these causes. */
export function withCauses({ packages }: PlainProblem, causes: readonly Cause[]): PlainProblem {
  return {
    packages: packages.map((each) => ({ ...each, requirements: each.versions.map((_, version) => requiredBy(each, version, causes)) })),
    facts: causes.flatMap((cause) => (cause.type === 'fact' ? [cause.fact] : [])),
    exclusions: causes.flatMap((cause) => (cause.type === 'exclusion' ? [cause.exclusion] : [])),
  }
}

function requiredBy({ id }: PlainPackage, version: number, causes: readonly Cause[]): Requirement[] {
  return causes.flatMap((cause) =>
    cause.type === 'requirement' && cause.package === id && has(cause.versions, version) ? [cause.requirement] : [],
  )
}

/** Every requirement of every version, as a cause each. */
export function requirementsIn({ packages }: PlainProblem): Cause[] {
  return packages.flatMap(({ id, requirements }) =>
    requirements.flatMap((each, version) =>
      each.map((requirement) => ({ type: 'requirement', package: id, versions: 1n << BigInt(version), requirement }) as const),
    ),
  )
}

/** A cause for each version that it is about. */
export function eachVersion(cause: Cause): Cause[] {
  if (cause.type !== 'requirement') return [cause]
  return membersOf(cause.versions).map((version) => ({ ...cause, versions: 1n << BigInt(version) }))
}

/** Whether it is about users' objects: facts, exclusions, and what an object that stays requires. */
export function isGiven(problem: PlainProblem, cause: Cause): boolean {
  return cause.type !== 'requirement' || cause.versions === fixedVersions(problem).get(cause.package)
}

/** The version of each package that a fact leaves no other. */
export function fixedVersions({ facts }: PlainProblem): ReadonlyMap<string, bigint> {
  const fixed = new Map<string, bigint>()
  for (const { anyOf, optional, isLast } of facts) {
    const [only] = anyOf
    if (anyOf.length === 1 && only !== undefined && !optional && !isLast && isSingle(only.versions) && !fixed.has(only.package))
      fixed.set(only.package, only.versions)
  }
  return fixed
}

function has(versions: bigint, version: number): boolean {
  return ((versions >> BigInt(version)) & 1n) === 1n
}
