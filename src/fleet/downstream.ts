import type { JsonValue } from '../json.ts'
import type { FleetObject } from './fleet.ts'

/** Where a package variant goes. */
export interface VariantDownstream {
  readonly repo: string
  readonly package: string
}

/** The downstream that a variant of the list has; undefined for one that says none (docs/porch.md 31). */
export function downstreamOf({ object }: FleetObject): VariantDownstream | undefined {
  return downstreamFrom(object.get(['spec', 'downstream', 'repo']), object.get(['spec', 'downstream', 'package']))
}

/** The downstream that two fields say; undefined where one of them is no text. */
export function downstreamFrom(repo: JsonValue | undefined, packageName: JsonValue | undefined): VariantDownstream | undefined {
  return typeof repo === 'string' && typeof packageName === 'string' ? { repo, package: packageName } : undefined
}

/** One text for a downstream, '' for none; names may hold any character, so the length says where the first ends. */
export function downstreamKey(downstream: VariantDownstream | undefined): string {
  return downstream === undefined ? '' : `${downstream.repo.length} ${downstream.repo} ${downstream.package}`
}
