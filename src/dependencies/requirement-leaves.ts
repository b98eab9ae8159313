import type { AlternativesRequirement, PackageRequirement, Requirement } from './universe.ts'

/** A requirement that is not made of others. */
export type Leaf = Exclude<Requirement, AlternativesRequirement>

/** The requirements that a requirement is made of, in their order. */
export function leavesOf(requirement: Requirement): Leaf[] {
  return requirement.type === 'alternatives' ? requirement.alternatives.flatMap(leavesOf) : [requirement]
}

/** The packages that a requirement asks for, those of alternatives among them. */
export function packagesIn(requirement: Requirement): PackageRequirement[] {
  return leavesOf(requirement).filter((leaf) => leaf.type === 'package')
}
