import type { PackageFiles } from '../merge/package-files.ts'
import { isSameContent } from '../merge/same-content.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import type { SourcePackage } from './upstream/source-package.ts'

/** The files of an update in which anything can change. */
export interface MergeScope {
  /** Whether a file, of whichever side, is one of them. */
  has(path: string): boolean
  /** Whether it is in a subpackage that comes or goes. */
  isPassing(path: string): boolean
}

/**
 * The part of two revisions of a package that an update has to look at: resources are merged file by file, so files that are the same in both
 * stay as the downstream has them. A subpackage of which any file differs is looked at whole, since it comes and goes as a whole.
 */
function mergeScope(original: PackageFiles, upstream: PackageFiles): MergeScope {
  const changed = [...new Set([...original.keys(), ...upstream.keys()])].filter(
    (path) => !isSameContent(original.get(path), upstream.get(path)),
  )
  const [before, after] = [subpackagesOf(original), subpackagesOf(upstream)]
  const touched = [...new Set([...before, ...after])].filter((folder) => changed.some((path) => isBelow(path, folder)))
  const passing = touched.filter((folder) => before.has(folder) !== after.has(folder))
  const files = new Set(changed)
  return {
    has: (path) => files.has(path) || touched.some((folder) => isBelow(path, folder)),
    isPassing: (path) => passing.some((folder) => isBelow(path, folder)),
  }
}

/** The files for which a test holds. */
export function only(files: PackageFiles, has: (path: string) => boolean): PackageFiles {
  return new Map([...files].filter(([path]) => has(path)))
}

function subpackagesOf(files: PackageFiles): ReadonlySet<string> {
  return new Set([...files.keys()].filter((path) => path.endsWith(`/${KPTFILE}`)).map(folderOf))
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

/** The scope of each update from one upstream package to another, worked out once. */
export class MergeScopes {
  readonly #scopes = new Map<SourcePackage, Map<SourcePackage, MergeScope>>()

  of(original: SourcePackage, upstream: SourcePackage): MergeScope {
    const from = this.#scopes.get(original) ?? new Map<SourcePackage, MergeScope>()
    this.#scopes.set(original, from)
    const scope = from.get(upstream) ?? mergeScope(original.files, upstream.files)
    from.set(upstream, scope)
    return scope
  }
}
