import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import type { FleetVariant } from './fleet-variants.ts'
import { ToldTogether } from './told-together.ts'
import type { UpstreamLibrary, UpstreamRevision } from './upstream/upstream-library.ts'

/** The upstream of each variant, and those that cannot be had. */
export interface FoundUpstreams {
  readonly revisions: ReadonlyMap<FleetVariant, UpstreamRevision>
  readonly results: readonly Result[]
}

/** Looks for the upstream package of every variant. What many variants lack is told once; what there is to say of a package's files too. */
export function findUpstreams(variants: readonly FleetVariant[], library: UpstreamLibrary): FoundUpstreams {
  const lookups = variants.map((variant) => ({ variant, lookup: library.wanted(variant) }))
  const faults = new ToldTogether()
  for (const { variant, lookup } of lookups) if ('fault' in lookup) faults.add(variant.name, [faultToResult(variant.object, lookup.fault)])
  const revisions = new Map(lookups.flatMap(({ variant, lookup }) => ('revision' in lookup ? [[variant, lookup.revision] as const] : [])))
  const sources = new Set([...revisions.values()].map(({ source }) => source))
  return { revisions, results: [...faults.results(), ...[...sources].flatMap(({ faults: own, results }) => [...own, ...results])] }
}
