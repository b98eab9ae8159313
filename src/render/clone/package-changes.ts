import { compareText } from '../../field-path.ts'
import { PathGate, pathFault } from '../../folder/safe-path.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { equalBytes } from '../../merge/same-content.ts'
import type { Result } from '../../result.ts'
import type { RenderedContent, RenderedFiles } from './rendered-package.ts'

/** A file of a package that must be written or deleted. */
export interface ContentChange {
  readonly path: string
  readonly op: 'create' | 'update' | 'delete'
  /** Set if upstream changed the executable bit: its new value. */
  readonly executable?: boolean
}

/**
 * Returns the files in which a rendered package differs from the existing one, sorted by path; all files if there is no existing
 * package.
 */
export function packageChanges(files: RenderedFiles, downstream: PackageFiles | undefined): readonly ContentChange[] {
  const written = [...files].flatMap(([path, content]): ContentChange[] => {
    const before = downstream?.get(path)
    if (before === undefined) return [{ path, op: 'create' }]
    return isChanged(content, before) ? [{ path, op: 'update' }] : []
  })
  const gone = [...(downstream?.keys() ?? [])].filter((path) => !files.has(path)).map((path): ContentChange => ({ path, op: 'delete' }))
  return [...written, ...gone].sort((a, b) => compareText(a.path, b.path))
}

/**
 * Returns the changes of a package whose functions ran, sorted by path.
 *
 * @param changed  the new bytes of each file that the functions changed; undefined for a deleted file
 * @param before   returns the bytes of a file of the existing package
 */
export function changesAfterRun(
  changes: readonly ContentChange[],
  changed: ReadonlyMap<string, Uint8Array | undefined>,
  before: (path: string) => Uint8Array | undefined,
): readonly ContentChange[] {
  if (changed.size === 0) return changes
  const others = changes.filter(({ path }) => !changed.has(path))
  const own = [...changed].flatMap(([path, bytes]): ContentChange[] => {
    const there = before(path)
    if (bytes === undefined) return there === undefined ? [] : [{ path, op: 'delete' }]
    if (there === undefined) return [{ path, op: 'create' }]
    return equalBytes(bytes, there) ? [] : [{ path, op: 'update' }]
  })
  return [...others, ...own].sort((a, b) => compareText(a.path, b.path))
}

/** Returns true if a file has other objects, another order or another text. */
function isChanged(content: RenderedContent, before: NonNullable<ReturnType<PackageFiles['get']>>): boolean {
  if (isBytes(content) || isBytes(before)) return !isBytes(content) || !isBytes(before) || !equalBytes(content, before)
  if (content.length !== before.length) return true
  return content.some(({ source, object }, index) => {
    const there = before[index]
    return there !== object && (there !== source || object.toText() !== source.toText())
  })
}

/** The path of a file that will be written or deleted. */
export type PathChange = Pick<ContentChange, 'path' | 'op'>

/**
 * Returns errors for files that cannot be written: because of their path, or because of another path of the package. A new file below
 * a link would be written to the link's target. A new file whose path differs from another in case alone would, on some file systems,
 * overwrite that file.
 *
 * @param existing  the paths of all files and links of the package until now
 */
export function unwritableFiles(changes: readonly PathChange[], existing: readonly string[], place: string): readonly Result[] {
  const gate = new PathGate()
  const gone = new Set(changes.flatMap(({ op, path }) => (op === 'delete' ? [path] : [])))
  if (changes.some(({ op }) => op === 'create')) for (const path of existing) if (!gone.has(path)) gate.knows(path)
  for (const { op, path } of changes) {
    const fault = op === 'create' ? undefined : pathFault(path)
    if (op === 'create') gate.admits(path)
    else if (fault !== undefined) gate.refuse(path, 'unsafe-path', fault)
  }
  return gate.results(place)
}
