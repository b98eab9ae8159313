import { decodePackageVariant } from '../src/kinds/package-variant.ts'
import { decodePackageVariantSet } from '../src/kinds/package-variant-set.ts'
import type { KrmObject } from '../src/resource-list/krm-object.ts'
import { FunctionError, type Result } from '../src/result.ts'

/** Every fault and warning about a PackageVariantSet, errors first. */
export function packageVariantSetResults(object: KrmObject): readonly Result[] {
  return resultsOf(() => decodePackageVariantSet(object))
}

/** Every fault and warning about a PackageVariant, errors first. */
export function packageVariantResults(object: KrmObject): readonly Result[] {
  return resultsOf(() => decodePackageVariant(object))
}

/** Returns what a decoder says, whether or not it gives a value. */
function resultsOf(decode: () => { readonly warnings: readonly Result[] }): readonly Result[] {
  try {
    return decode().warnings
  } catch (error) {
    if (error instanceof FunctionError) return error.results
    throw error
  }
}
