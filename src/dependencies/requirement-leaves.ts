import type { AlternativesRequirement, PackageRequirement, Requirement } from './universe.ts'

/** A requirement without alternatives. */
export type Leaf = Exclude<Requirement, AlternativesRequirement>

/** Returns the leaves of a requirement's alternatives in their order; a requirement without alternatives is its only leaf. */
export function leavesOf(requirement: Requirement): Leaf[] {
  return requirement.type === 'alternatives' ? requirement.alternatives.flatMap(leavesOf) : [requirement]
}

/** Returns the requirements on packages among the leaves of a requirement. */
export function packagesIn(requirement: Requirement): PackageRequirement[] {
  return leavesOf(requirement).filter((leaf) => leaf.type === 'package')
}
