import { CATALOG, evaluateCatalogFunction } from '../../catalog/catalog.ts'
import type { CatalogFunction } from '../../catalog/catalog-function.ts'
import { configFindings } from '../../catalog/config-findings.ts'
import { versionNotes } from '../../catalog/version-notes.ts'
import { DEFAULT_PREFIX } from '../../pipeline/image.ts'
import type { BuiltinFunction } from '../../pipeline/match.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { evaluateDocuments } from '../../run.ts'

/** The functions, with their versions, that edit documents as they edit items: they read no annotations of places, and add no objects. */
const EDITS_DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'apply-replacements': ['v0.1.2', 'v0.1.1'],
  'apply-setters': ['v0.2.1', 'v0.2.0', 'v0.1.1'],
  'remove-local-config-resources': ['v0.1.0'],
  'set-annotations': ['v0.1.4'],
  'set-image': ['v0.1.1'],
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
    configFindings: (version, config) => configFindings(fn, version, config),
    run: (version) => {
      const edits = EDITS_DOCUMENTS[fn.name]?.includes(version) === true
      const edit = (list: ResourceList) => evaluateDocuments(fn.at(version), list)
      return Object.assign((input: string) => evaluateCatalogFunction(fn, version, input), { ...(edits && { edit }) })
    },
  }
}

/** The functions of the catalog that run in this process. */
export const CATALOG_BUILTINS: readonly BuiltinFunction[] = CATALOG.map(catalogBuiltin)
