import type { KrmFunction } from '../run.ts'
import { APPLY_REPLACEMENTS } from './apply-replacements/apply-replacements.ts'
import { APPLY_SETTERS } from './apply-setters/apply-setters.ts'
import { CREATE_SETTERS } from './create-setters/create-setters.ts'
import { ENSURE_NAME_SUBSTRING } from './ensure-name-substring/ensure-name-substring.ts'
import { LIST_SETTERS } from './list-setters/list-setters.ts'
import { REMOVE_LOCAL_CONFIG_RESOURCES } from './remove-local-config-resources/remove-local-config-resources.ts'
import { SEARCH_REPLACE } from './search-replace/search-replace.ts'
import { SET_ANNOTATIONS } from './set-annotations/set-annotations.ts'
import { SET_IMAGE } from './set-image/set-image.ts'
import { SET_LABELS } from './set-labels/set-labels.ts'
import { SET_NAMESPACE } from './set-namespace/set-namespace.ts'

/** A function of the KRM functions catalog (github.com/kptdev/krm-functions-catalog) that is built in. */
export interface CatalogFunction {
  readonly name: string
  /** The built-in versions, newest first: 'v0.4.1'. */
  readonly versions: readonly string[]
  /** Returns the function as it is in a version of the catalog. */
  at(version: string): KrmFunction
}

/** The built-in functions of the catalog, by name. `docs/catalog.md` lists their deliberate differences from the originals. */
export const CATALOG: readonly CatalogFunction[] = [
  APPLY_REPLACEMENTS,
  APPLY_SETTERS,
  CREATE_SETTERS,
  ENSURE_NAME_SUBSTRING,
  LIST_SETTERS,
  REMOVE_LOCAL_CONFIG_RESOURCES,
  SEARCH_REPLACE,
  SET_ANNOTATIONS,
  SET_IMAGE,
  SET_LABELS,
  SET_NAMESPACE,
]
