import type { PackageFile } from '../../folder/package.ts'
import { type ResourceMove, upstreamMoves } from '../../merge/moved-resources.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import { isSameContent } from '../../merge/same-content.ts'
import { remember } from '../../remember.ts'
import { folderOf, KPTFILE } from '../../resource-list/package-of.ts'
import type { SourcePackage } from '../../upstream/source-package.ts'

/** The files that an update may change. */
export interface MergeScope {
  /** Returns true if the update may change the file, on whichever side the file exists. */
  has(path: string): boolean
  /** Returns true if the file is in a subpackage that the new revision does not have. */
  isPassing(path: string): boolean
  /** The resources that upstream has in another file than before. */
  readonly moves: readonly ResourceMove[]
}

/** A revision of the upstream package, and the text around the objects of its files. */
interface Side {
  readonly files: PackageFiles
  readonly layouts: SourcePackage['layouts']
}

/** Returns true if two files have the same text around their objects, the same line breaks and the same end. */
function isLaidOutAlike(a: PackageFile | undefined, b: PackageFile | undefined): boolean {
  if (a === undefined || b === undefined || a.documents.length !== b.documents.length) return a === b
  return a.documents.every(({ separator, before, object, text, after }, at) => {
    const other = b.documents[at]
    if (separator !== other?.separator || before !== other.before || after !== other.after) return false
    if (object === undefined) return text === other.text
    return text.endsWith('\n') === other.text.endsWith('\n') && text.includes('\r\n') === other.text.includes('\r\n')
  })
}

/**
 * Returns the files that an update must merge. Resources are merged file by file, so a file that is equal in both revisions stays as
 * the downstream has it. If one file of a subpackage differs, all its files are merged, since a subpackage is added or removed as a
 * whole.
 *
 * @example  `app.yaml` and `db/Kptfile` differ → `app.yaml` and all files of `db`
 */
export function mergeScope({ files: original, ...former }: Side, { files: upstream, ...later }: Side): MergeScope {
  const changed = [...new Set([...original.keys(), ...upstream.keys()])].filter(
    (path) => !isSameContent(original.get(path), upstream.get(path)) || !isLaidOutAlike(former.layouts.get(path), later.layouts.get(path)),
  )
  const [before, after] = [subpackagesOf(original), subpackagesOf(upstream)]
  const touched = [...new Set([...before, ...after])].filter((folder) => changed.some((path) => isBelow(path, folder)))
  const passing = touched.filter((folder) => before.has(folder) && !after.has(folder))
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
    const from = remember(this.#scopes, original, () => new Map<SourcePackage, MergeScope>())
    return remember(from, upstream, () => mergeScope(original, upstream))
  }
}
