import { CATALOG, type CatalogFunction } from '../../catalog/catalog.ts'
import { DEFAULT_PREFIX } from '../../pipeline/image.ts'
import type { BuiltinFunction } from '../../pipeline/match.ts'
import { evaluate } from '../../run.ts'

/** Returns a function of the catalog at the versions whose answers ours gives, under the names of its images. */
function catalogBuiltin(fn: CatalogFunction): BuiltinFunction {
  return {
    name: fn.name,
    repositories: ['gcr.io/kpt-fn', DEFAULT_PREFIX],
    versions: fn.versions,
    run: (version) => (input) => evaluate(fn.at(version), input),
  }
}

/** The functions of the catalog that run in this process. */
export const CATALOG_BUILTINS: readonly BuiltinFunction[] = CATALOG.map(catalogBuiltin)
