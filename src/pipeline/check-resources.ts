import type { PackageFile } from '../folder/package.ts'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile } from '../resource-list/package-of.ts'
import { FunctionError, type Result } from '../result.ts'
import { missingField } from './package-tree.ts'
import { functionsIn, type PipelineStep } from './pipeline-steps.ts'
import { type AskedPackage, readOnePackage } from './run-packages.ts'

/** The packages of a folder that run, alone or as clones. */
export interface RunningPackages {
  /** Returns true for the Kptfile of a package that is run as it is; without it packages with functions are. */
  readonly isRun?: ((kptfile: PackageFile) => boolean) | undefined
  /** The upstream packages of variants by folder, each with the pipelines of its variants. */
  readonly cloned: ReadonlyMap<string, readonly JsonValue[]>
}

/**
 * Returns the errors of documents that are no resources in packages that run, as `run` and `render` report them before a function runs.
 * Only packages that have such a document are read once more, with their selectors.
 *
 * @param files  the files of a folder
 * @param open   returns a package of the folder, by its path in the files
 */
export function refusedResources(
  files: readonly PackageFile[],
  open: (folder: string) => AskedPackage,
  { isRun = hasFunctions, cloned }: RunningPackages,
): readonly Result[] {
  const added = new Map(
    Array.from(cloned, ([folder, pipelines]) => [folder, pipelines.map(stepsOfVariant).filter(({ length }) => length > 0)]),
  )
  const isPackage = (file: PackageFile) => isKptfile(file.path) && (isRun(file) || (added.get(folderOf(file.path)) ?? []).length > 0)
  const packages = new Set(files.flatMap((file) => (isPackage(file) ? [folderOf(file.path)] : [])))
  if (packages.size === 0) return []
  const suspects = new Set(files.flatMap((file) => (holdsOther(file) ? (outermost(folderOf(file.path), packages) ?? []) : [])))
  return [...suspects].flatMap((folder) => {
    const pipelines = added.get(folder) ?? []
    return [...(pipelines.length === 0 ? [[]] : pipelines)].flatMap((steps) => {
      const { known } = readOnePackage(open(folder), steps)
      return known instanceof FunctionError ? known.results.filter(({ tags }) => tags.rule === 'not-a-resource') : []
    })
  })
}

/** Returns the functions of the pipeline of a variant. */
function stepsOfVariant(pipeline: JsonValue): readonly PipelineStep[] {
  return functionsIn(KrmObject.fromDocument(JSON.stringify({ kind: 'Kptfile', pipeline })))
}

/** Returns true if an object of a file lists functions. */
export function hasFunctions({ documents }: PackageFile): boolean {
  return documents.some(({ object }) => object !== undefined && functionsIn(object).length > 0)
}

/** Returns true for a file with a document that is no resource. */
function holdsOther({ path, documents }: PackageFile): boolean {
  return documents.some(({ isEmpty, object }) => !isEmpty && (object === undefined || missingField(object, path) !== undefined))
}

/** Returns the uppermost of some folders that is the given one or above it. */
function outermost(folder: string, folders: ReadonlySet<string>): string | undefined {
  const steps = folder.split('/')
  const above = steps.map((_, depth) => steps.slice(0, depth).join('/'))
  return [...above, folder].find((each) => folders.has(each))
}
