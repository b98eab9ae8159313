import type { CatalogFunction } from './catalog-function.ts'

/** The keys of a ConfigMap that a function reads. Of a function that is not here, each key has a meaning. */
const CONFIG_MAP_KEYS: Readonly<Record<string, readonly string[]>> = {
  'ensure-name-substring': ['prepend', 'append'],
  'list-setters': [],
  'remove-local-config-resources': [],
  'search-replace': ['by-value', 'by-value-regex', 'by-path', 'by-file-path', 'put-value', 'put-comment'],
  'set-image': ['name', 'newName', 'newTag', 'digest'],
  'set-namespace': ['namespace'],
}

/** The functions that fail for a key of a ConfigMap that they do not know. */
const REFUSING: ReadonlySet<string> = new Set(['ensure-name-substring', 'search-replace'])

/** The rows of docs/catalog.md that hold for some versions of a function only, by function and version. */
const DIFFERENCES: Readonly<Record<string, readonly number[]>> = {
  'set-image master': [31, 32],
  'set-labels v0.1.5': [25, 28],
  'set-namespace master': [29],
  'set-namespace v0.1.4': [25, 26],
  'set-namespace v0.2.0': [25, 26],
}

/** The facts about a version of a function that a check reports (`BuiltinNotes` of src/pipeline). */
export interface VersionNotes {
  readonly configMapKeys?: readonly string[]
  readonly refusesOtherKeys: boolean
  readonly differences: readonly number[]
}

/** Returns the facts about a version of a function that a check reports. */
export function versionNotes({ name }: Pick<CatalogFunction, 'name'>, version: string): VersionNotes {
  const keys = CONFIG_MAP_KEYS[name]
  const more = name === 'set-namespace' && version === 'master' ? ['namespaceMatcher'] : []
  return {
    ...(keys !== undefined && { configMapKeys: [...keys, ...more] }),
    refusesOtherKeys: REFUSING.has(name),
    differences: DIFFERENCES[`${name} ${version}`] ?? [],
  }
}
