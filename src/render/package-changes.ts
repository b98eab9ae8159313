import { compareText } from '../field-path.ts'
import { isBytes, type PackageFiles } from '../merge/package-files.ts'
import { equalBytes } from '../merge/same-content.ts'
import type { RenderedContent, RenderedFiles } from './rendered-package.ts'

/** A file that has to be written or to go. */
export interface ContentChange {
  readonly path: string
  readonly op: 'create' | 'update' | 'delete'
  /** Where upstream changed whether the file can be executed: whether it can from now on. */
  readonly executable?: boolean
}

/** The files in which a rendered package differs from what is there, by path; all of them where nothing is. */
export function packageChanges(files: RenderedFiles, downstream: PackageFiles | undefined): readonly ContentChange[] {
  const written = [...files].flatMap(([path, content]): ContentChange[] => {
    const before = downstream?.get(path)
    if (before === undefined) return [{ path, op: 'create' }]
    return isChanged(content, before) ? [{ path, op: 'update' }] : []
  })
  const gone = [...(downstream?.keys() ?? [])].filter((path) => !files.has(path)).map((path): ContentChange => ({ path, op: 'delete' }))
  return [...written, ...gone].sort((a, b) => compareText(a.path, b.path))
}

/** The same objects in the same order, none with another text, need not be written. */
function isChanged(content: RenderedContent, before: NonNullable<ReturnType<PackageFiles['get']>>): boolean {
  if (isBytes(content) || isBytes(before)) return !isBytes(content) || !isBytes(before) || !equalBytes(content, before)
  if (content.length !== before.length) return true
  return content.some(({ source, object }, index) => {
    const there = before[index]
    return there !== object && (there !== source || object.toText() !== source.toText())
  })
}
