import { CATALOG, type CatalogFunction, evaluateCatalogFunction } from '../../catalog/catalog.ts'
import { versionNotes } from '../../catalog/version-notes.ts'
import { DEFAULT_PREFIX } from '../../pipeline/image.ts'
import type { BuiltinFunction } from '../../pipeline/match.ts'

/** The functions, with their versions, that compare and copy values as wholes (`Runner.copiesValues`). */
const COPIES_VALUES: Readonly<Record<string, readonly string[]>> = {
  'apply-setters': ['v0.2.1', 'v0.2.0', 'v0.1.1'],
  'set-annotations': ['v0.1.4'],
  'set-labels': ['v0.2.1', 'v0.2.0'],
  'set-namespace': ['v0.4.1'],
}

/** Returns a function of the catalog at the versions whose answers ours gives, under the names of its images. */
function catalogBuiltin(fn: CatalogFunction): BuiltinFunction {
  return {
    name: fn.name,
    repositories: ['gcr.io/kpt-fn', DEFAULT_PREFIX],
    versions: fn.versions,
    notes: (version) => versionNotes(fn, version),
    run: (version) => {
      const copiesValues = COPIES_VALUES[fn.name]?.includes(version) === true
      return Object.assign((input: string) => evaluateCatalogFunction(fn, version, input), { copiesValues })
    },
  }
}

/** The functions of the catalog that run in this process. */
export const CATALOG_BUILTINS: readonly BuiltinFunction[] = CATALOG.map(catalogBuiltin)
