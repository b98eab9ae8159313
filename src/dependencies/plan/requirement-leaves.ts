import type { AlternativesRequirement, Requirement } from '../universe.ts'

/** A requirement that is not made of others. */
export type Leaf = Exclude<Requirement, AlternativesRequirement>

/** The requirements that a requirement is made of, in their order. */
export function leavesOf(requirement: Requirement): Leaf[] {
  return requirement.type === 'alternatives' ? requirement.alternatives.flatMap(leavesOf) : [requirement]
}
