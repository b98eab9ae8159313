import type { PackageFile } from '../package/package.ts'
import { folderOf, isKptfile } from '../resource-list/package-of.ts'
import { FunctionError, type Result } from '../result.ts'
import { missingField } from './package-tree.ts'
import { functionsIn } from './pipeline-steps.ts'
import { type AskedPackage, readPackages } from './run-packages.ts'

/**
 * Returns the errors of documents that are no resources in packages with functions, as `run` reports them before a function runs. Packages
 * without functions have none, unless `isRun` says that they are run: nothing reads them. Only packages that have such a document are read once more, with their selectors.
 *
 * @param files  the files of a folder
 * @param open   returns a package of the folder, by its path in the files
 * @param isRun  returns true for the Kptfile of a package that is run
 */
export function refusedResources(
  files: readonly PackageFile[],
  open: (folder: string) => AskedPackage,
  isRun: (kptfile: PackageFile) => boolean = hasFunctions,
): readonly Result[] {
  const packages = new Set(files.flatMap((file) => (isKptfile(file.path) && isRun(file) ? [folderOf(file.path)] : [])))
  if (packages.size === 0) return []
  const suspects = files.flatMap((file) => (holdsOther(file) ? (outermost(folderOf(file.path), packages) ?? []) : []))
  return readPackages([...new Set(suspects)].map(open)).flatMap(({ known }) =>
    known instanceof FunctionError ? known.results.filter(({ tags }) => tags.rule === 'not-a-resource') : [],
  )
}

function hasFunctions({ documents }: PackageFile): boolean {
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
