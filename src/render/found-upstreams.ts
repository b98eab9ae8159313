import type { FleetVariant } from '../fleet/fleet-variants.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { kptfileDocumentFaults, upstreamNameFaults } from '../upstream/upstream-faults.ts'
import type { UpstreamLibrary } from '../upstream/upstream-library.ts'
import type { UpstreamRevision } from '../upstream/upstream-search.ts'
import { GroupedFindings } from './grouped-findings.ts'

/** The upstream of each variant, and the findings about missing upstreams and unreadable files. */
interface FoundUpstreams {
  readonly revisions: ReadonlyMap<FleetVariant, UpstreamRevision>
  readonly results: readonly Result[]
}

/**
 * Finds the upstream package of every variant. A fault that many variants share is reported once, as are the findings of a package's
 * files.
 */
export function upstreamsOfVariants(variants: readonly FleetVariant[], library: UpstreamLibrary): FoundUpstreams {
  const faults = new GroupedFindings()
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
  // The findings of a package that the run itself makes are reported when the package is made.
  const sources = new Set([...revisions.values()].flatMap(({ source, maker }) => (maker === undefined ? source : [])))
  return {
    revisions,
    results: [
      ...faults.results(),
      ...[...sources].flatMap(({ files, faults: own, results }) => [...own, ...kptfileDocumentFaults(files), ...results]),
    ],
  }
}
