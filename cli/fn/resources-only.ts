import type { FolderPackage, PackageDocument } from '../../src/folder/package.ts'
import { missingField } from '../../src/pipeline/package-tree.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { isKptfile } from '../../src/resource-list/package-of.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import type { KrmFunction } from '../../src/run.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'

/**
 * Returns a folder whose documents that are no resources, such as a workflow of GitHub or the values of a chart, are text that stays as it
 * is, with a warning for each. kpt refuses a package with such a file.
 */
export function resourcesOf({ files, list, results }: FolderPackage): FolderPackage {
  const others = new Map<KrmObject, Result>()
  const withoutOthers = ({ object, ...text }: PackageDocument, path: string): PackageDocument => {
    const missing = object && missingField(object, path)
    if (object === undefined || missing === undefined) return { ...text, ...(object && { object }) }
    others.set(object, leftAlone(object, missing))
    return text
  }
  const kept = files.map((file) => ({ ...file, documents: file.documents.map((document) => withoutOthers(document, file.path)) }))
  const items = list.items.filter((item) => !others.has(item))
  return { files: kept, list: ResourceList.of(items, list.functionConfig, list), results: [...results, ...others.values()] }
}

function leftAlone(object: KrmObject, missing: string): Result {
  const path = missing.replaceAll('`', '').split('.')
  const message = 'must be set in a resource, so the function does not get this; a file that is no resource can be named in .krmignore'
  return faultToResult(object, { severity: 'warning', rule: 'not-a-resource', path, message })
}

/** Returns a function that is refused if it removes or renames a Kptfile: a folder without one is no package. */
export function keepingKptfiles(run: KrmFunction): KrmFunction {
  return (list) => {
    const kptfiles = list.items.filter(({ kind, file }) => kind === 'Kptfile' && isKptfile(file?.path ?? ''))
    run(list)
    const left = new Set(list.items)
    const lost = kptfiles.filter((kptfile) => !left.has(kptfile) || kptfile.kind !== 'Kptfile' || !isKptfile(kptfile.file?.path ?? ''))
    if (lost.length > 0) throw new FunctionError(lost.map(neededKptfile))
  }
}

function neededKptfile(kptfile: KrmObject): Result {
  const path = quoteText(kptfile.file?.path ?? '')
  const message = `must stay in ${path}, since a folder without a Kptfile is no package; the function removes it, changes its kind or moves it`
  return faultToResult(kptfile, { severity: 'error', rule: 'needed-by-render', path: ['kind'], message })
}
