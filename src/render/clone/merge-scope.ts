import { type ResourceMove, upstreamMoves } from '../../merge/moved-resources.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import { isSameContent } from '../../merge/same-content.ts'
import { folderOf, KPTFILE } from '../../resource-list/package-of.ts'
import type { SourcePackage } from '../source/source-package.ts'

/** The files that an update may change. */
export interface MergeScope {
  /** Returns true if the update may change the file, on whichever side the file exists. */
  has(path: string): boolean
  /** Returns true if the file is in a subpackage that only one of the two revisions has. */
  isPassing(path: string): boolean
  /** The resources that upstream has in another file than before. */
  readonly moves: readonly ResourceMove[]
}

/**
 * Returns the files that an update must merge. Resources are merged file by file, so a file that is equal in both revisions stays as
 * the downstream has it. If one file of a subpackage differs, all its files are merged, since a subpackage is added or removed as a
 * whole.
 *
 * @example  `app.yaml` and `db/Kptfile` differ → `app.yaml` and all files of `db`
 */
export function mergeScope(original: PackageFiles, upstream: PackageFiles): MergeScope {
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
    moves: upstreamMoves({ base: only(original, (path) => files.has(path)), theirs: only(upstream, (path) => files.has(path)) }),
  }
}

/** Returns the files whose paths pass a test. */
export function only(files: PackageFiles, has: (path: string) => boolean): PackageFiles {
  return new Map([...files].filter(([path]) => has(path)))
}

function subpackagesOf(files: PackageFiles): ReadonlySet<string> {
  return new Set([...files.keys()].filter((path) => path.endsWith(`/${KPTFILE}`)).map(folderOf))
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

/** Remembers the merge scope of each pair of upstream revisions. */
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
