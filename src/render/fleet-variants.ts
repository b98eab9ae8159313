import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'

/** What is kept of a variant while its fleet is planned and rendered: a fleet may have ten thousands. */
export type FleetVariant = Omit<PackageVariant, 'annotations' | 'packageContext' | 'pipeline' | 'injectors'>

/** The variants of a fleet, and every fault of them. */
export interface FleetVariants {
  readonly variants: readonly FleetVariant[]
  readonly results: readonly Result[]
}

/** Decodes PackageVariants; one with faults is left out, and told. */
export function readVariants(objects: readonly KrmObject[]): FleetVariants {
  const variants: FleetVariant[] = []
  const upstreams = new Map<string, PackageVariant['upstream']>()
  const results: Result[] = []
  for (const object of objects) {
    try {
      const { variant, warnings } = decodePackageVariant(object)
      variants.push(planned(variant, upstreams))
      results.push(...warnings)
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error
      results.push(...error.results)
    }
  }
  return { variants, results }
}

/** The variant with all that it asks of its package, read again when that is made. */
export function wholeVariant({ object }: FleetVariant): PackageVariant {
  return decodePackageVariant(object).variant
}

/** @param upstreams  those of other variants, by their text: most have one of a few */
function planned(
  { annotations: _, packageContext: __, pipeline: ___, injectors: ____, ...variant }: PackageVariant,
  upstreams: Map<string, PackageVariant['upstream']>,
): FleetVariant {
  const key = JSON.stringify(variant.upstream)
  const upstream = upstreams.get(key) ?? variant.upstream
  upstreams.set(key, upstream)
  return { ...variant, upstream }
}
