import { splitDocuments } from '../folder/split-documents.ts'
import { printableLines } from '../printable.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { formatResult, hasErrors } from '../result.ts'
import { evaluate, type KrmFunction, type Outcome, resultsOf } from '../run.ts'
import { APPLY_REPLACEMENTS } from './apply-replacements/apply-replacements.ts'
import { APPLY_SETTERS } from './apply-setters/apply-setters.ts'
import type { CatalogFunction } from './catalog-function.ts'
import { CREATE_SETTERS } from './create-setters/create-setters.ts'
import { ENSURE_NAME_SUBSTRING } from './ensure-name-substring/ensure-name-substring.ts'
import { LIST_SETTERS } from './list-setters/list-setters.ts'
import { REMOVE_LOCAL_CONFIG_RESOURCES } from './remove-local-config-resources/remove-local-config-resources.ts'
import { SEARCH_REPLACE } from './search-replace/search-replace.ts'
import { SET_ANNOTATIONS } from './set-annotations/set-annotations.ts'
import { SET_IMAGE } from './set-image/set-image.ts'
import { SET_LABELS } from './set-labels/set-labels.ts'
import { SET_NAMESPACE } from './set-namespace/set-namespace.ts'

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

/**
 * The functions and versions on the Go SDK, which reads a ResourceList alone; all others are on the framework of kyaml, which reads a
 * list of any kind.
 */
const ON_GO_SDK: Readonly<Record<string, readonly string[]>> = {
  'apply-replacements': ['v0.1.2', 'v0.1.1'],
  'set-image': ['v0.1.1', 'master'],
  'set-labels': ['v0.2.1', 'v0.2.0'],
  'set-namespace': ['v0.4.1', 'master'],
}

/**
 * Evaluates a function of the catalog on the text of a list. Fields of the list that are not known stay. As kyaml's framework, functions
 * that are not on the Go SDK also take resources without a list; then their results are not printed.
 */
export function evaluateCatalogFunction(fn: CatalogFunction, version: string, input: string): Outcome {
  if (ON_GO_SDK[fn.name]?.includes(version) === true) return evaluate(fn.at(version), input, 'extended')
  const bare = ANY_LIST.test(input) ? undefined : bareResources(input)
  return bare === undefined ? evaluate(fn.at(version), input, 'any') : evaluateBare(fn.at(version), bare, input)
}

/** Matches a list in block style, which is not parsed a second time. */
const ANY_LIST = /^(?:items|functionConfig):/m

/** Returns the resources of a text that has no list; undefined if a document is no resource. */
function bareResources(input: string): readonly KrmObject[] | undefined {
  const { chunks, faults } = splitDocuments(input)
  const objects = chunks.filter(({ isEmpty }) => !isEmpty).map(({ text }) => KrmObject.fromDocument(text))
  const isSound = faults.length === 0 && objects.length > 0
  return isSound && objects.every(isResource) ? objects : undefined
}

function isResource(object: KrmObject): boolean {
  return object.isMap() && object.kind !== 'ResourceList' && ['items', 'functionConfig'].every((key) => object.get([key]) === undefined)
}

function evaluateBare(fn: KrmFunction, resources: readonly KrmObject[], input: string): Outcome {
  const list = ResourceList.of(resources)
  const results = resultsOf(fn, list)
  if (hasErrors(results))
    return { stdout: input, stderr: printableLines(results.map((each) => `${formatResult(each)}\n`).join('')), exitCode: 1 }
  return { stdout: list.items.map((item) => item.toText()).join('---\n'), stderr: '', exitCode: 0 }
}
