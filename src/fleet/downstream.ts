import type { JsonValue } from '../json.ts'
import type { FleetObject } from './fleet.ts'

/** The repository and package that a PackageVariant writes to. */
export interface VariantDownstream {
  readonly repo: string
  readonly package: string
}

/** Returns the downstream of a variant of the list; undefined if the variant names none (docs/porch.md 31). */
export function downstreamOf({ object }: FleetObject): VariantDownstream | undefined {
  return downstreamFrom(object.get(['spec', 'downstream', 'repo']), object.get(['spec', 'downstream', 'package']))
}

/** Returns the downstream of two fields; undefined if one of the fields is not a string. */
export function downstreamFrom(repo: JsonValue | undefined, packageName: JsonValue | undefined): VariantDownstream | undefined {
  return typeof repo === 'string' && typeof packageName === 'string' ? { repo, package: packageName } : undefined
}

/**
 * Returns a text that identifies a downstream, '' for undefined. The text begins with the length of the repository's name, since names
 * may contain any character.
 */
export function downstreamKey(downstream: VariantDownstream | undefined): string {
  return downstream === undefined ? '' : `${downstream.repo.length} ${downstream.repo} ${downstream.package}`
}
