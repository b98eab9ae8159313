import { writtenObject } from '../../../testdata/written-objects.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, formatResult, type Result } from '../../result.ts'
import { rootPackage } from '../list-packages.ts'
import type { VariantPackage } from '../variant-package.ts'

/** Returns a list of documents by file, and the package of the list. */
export function writtenPackage(files: Readonly<Record<string, string>>): { readonly list: ResourceList; readonly pkg: VariantPackage } {
  const list = ResourceList.of(Object.entries(files).map(([path, text]) => writtenObject(text, path)))
  return { list, pkg: rootPackage(list) }
}

/** Returns the results of a run as lines: what the run returns, else what its error holds. */
export function linesOf(run: () => readonly Result[]): readonly string[] {
  try {
    return run().map(formatResult)
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(formatResult)
    throw error
  }
}
