import { decodePackageVariant, type PackageVariant } from '../kinds/package-variant.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, type Result } from '../result.ts'

/** The variants of a fleet, and every fault of them. */
export interface FleetVariants {
  readonly variants: readonly PackageVariant[]
  readonly results: readonly Result[]
}

/** Decodes PackageVariants; one with faults is left out, and told. */
export function readVariants(objects: readonly KrmObject[]): FleetVariants {
  const variants: PackageVariant[] = []
  const results: Result[] = []
  for (const object of objects) {
    try {
      const { variant, warnings } = decodePackageVariant(object)
      variants.push(variant)
      results.push(...warnings)
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error
      results.push(...error.results)
    }
  }
  return { variants, results }
}
