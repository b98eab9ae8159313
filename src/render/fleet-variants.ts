import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'

/** The part of a variant that planning needs and that stays in memory: a fleet may have tens of thousands of variants. */
export type FleetVariant = Omit<PackageVariant, 'annotations' | 'packageContext' | 'pipeline' | 'injectors'>

/** The variants of a fleet, and all their findings. */
export interface FleetVariants {
  readonly variants: readonly FleetVariant[]
  readonly results: readonly Result[]
}

/** Decodes PackageVariants. A variant with faults is left out, and its faults are among the results. */
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

/** Returns the whole variant, decoded again when its package is rendered. */
export function wholeVariant({ object }: FleetVariant): PackageVariant {
  return decodePackageVariant(object).variant
}

/**
 * Returns the part of a variant that planning needs. Equal upstreams share one object, since most variants have one of a few.
 *
 * @param upstreams  the upstreams of other variants, by their text
 */
function planned(
  { annotations: _, packageContext: __, pipeline: ___, injectors: ____, ...variant }: PackageVariant,
  upstreams: Map<string, PackageVariant['upstream']>,
): FleetVariant {
  const key = JSON.stringify(variant.upstream)
  const upstream = upstreams.get(key) ?? variant.upstream
  upstreams.set(key, upstream)
  return { ...variant, upstream }
}
