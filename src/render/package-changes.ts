import { compareText } from '../field-path.ts'
import { isBytes, type PackageFiles } from '../merge/package-files.ts'
import { equalBytes } from '../merge/same-content.ts'
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

/** Returns true if a file has other objects, another order or another text. */
function isChanged(content: RenderedContent, before: NonNullable<ReturnType<PackageFiles['get']>>): boolean {
  if (isBytes(content) || isBytes(before)) return !isBytes(content) || !isBytes(before) || !equalBytes(content, before)
  if (content.length !== before.length) return true
  return content.some(({ source, object }, index) => {
    const there = before[index]
    return there !== object && (there !== source || object.toText() !== source.toText())
  })
}
