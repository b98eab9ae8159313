import type { FleetObject } from './fleet.ts'

/** Where a package variant goes. */
export interface Downstream {
  readonly repo: string
  readonly package: string
}

/** The downstream that a variant of the list has; undefined for one that says none (docs/porch.md 31). */
export function downstreamOf({ object }: FleetObject): Downstream | undefined {
  const repo = object.get(['spec', 'downstream', 'repo'])
  const packageName = object.get(['spec', 'downstream', 'package'])
  return typeof repo === 'string' && typeof packageName === 'string' ? { repo, package: packageName } : undefined
}

/** One text for a downstream, '' for none; names may hold any character, so the length says where the first ends. */
export function downstreamKey(downstream: Downstream | undefined): string {
  return downstream === undefined ? '' : `${downstream.repo.length} ${downstream.repo} ${downstream.package}`
}
