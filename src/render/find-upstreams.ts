import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import type { FleetVariant } from './fleet-variants.ts'
import { ToldTogether } from './told-together.ts'
import { upstreamNameFaults } from './upstream/upstream-faults.ts'
import type { UpstreamLibrary, UpstreamRevision } from './upstream/upstream-library.ts'

/** The upstream of each variant, and those that cannot be had. */
export interface FoundUpstreams {
  readonly revisions: ReadonlyMap<FleetVariant, UpstreamRevision>
  readonly results: readonly Result[]
}

/** Looks for the upstream package of every variant. What many variants lack is told once; what there is to say of a package's files too. */
export function findUpstreams(variants: readonly FleetVariant[], library: UpstreamLibrary): FoundUpstreams {
  const faults = new ToldTogether()
  const lookups = variants.flatMap((variant) => {
    const named = upstreamNameFaults(variant.upstream)
    if (named.length > 0) {
      faults.add(
        variant.name,
        named.map((fault) => faultToResult(variant.object, fault)),
      )
      return []
    }
    const lookup = library.wanted(variant)
    if ('fault' in lookup) faults.add(variant.name, [faultToResult(variant.object, lookup.fault)])
    return [{ variant, lookup }]
  })
  const revisions = new Map(lookups.flatMap(({ variant, lookup }) => ('revision' in lookup ? [[variant, lookup.revision] as const] : [])))
  const sources = new Set([...revisions.values()].map(({ source }) => source))
  return { revisions, results: [...faults.results(), ...[...sources].flatMap(({ faults: own, results }) => [...own, ...results])] }
}
