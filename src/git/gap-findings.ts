import { posix } from 'node:path'
import { compareNames, type FileTree, folderTree, type TreeEntry } from '../folder/file-tree.ts'
import { findNamedFiles, holdsResources } from '../folder/find-package-files.ts'
import { groupBy } from '../group-by.ts'
import { folderOf, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { countOf, nameFirst } from '../wording.ts'
import type { CheckoutGap } from './checkout-gaps.ts'

/** The file that stands for all files of a submodule. */
const ANY_FILE = '.yaml'

/**
 * Returns an error for the files of a fleet that its checkout leaves out and that no `.krmignore` names: one for each reason.
 *
 * @param name       returns the name of a file in findings
 * @param isSkipped  returns true for the folder of a package whose files are not asked for
 */
export function gapFindings(
  tree: FileTree,
  gaps: readonly CheckoutGap[],
  { name, isSkipped }: { readonly name: (path: string) => string; readonly isSkipped: (folder: string, kptfile?: CheckoutGap) => boolean },
): readonly Result[] {
  if (gaps.length === 0) return []
  const byFile = new Map(gaps.map((gap) => [gap.reason === 'submodule' ? posix.join(gap.path, ANY_FILE) : gap.path, gap]))
  const whole = withGaps(tree, [...byFile.keys()])
  const skipped = new Map<string, boolean>([['', false]])
  const isInSkipped = (folder: string): boolean => {
    const hasKptfile = () => whole.list(folder).some(({ name: own, type }) => own === KPTFILE && type === 'file')
    const found =
      skipped.get(folder) ?? (isInSkipped(folderOf(folder)) || (hasKptfile() && isSkipped(folder, byFile.get(posix.join(folder, KPTFILE)))))
    skipped.set(folder, found)
    return found
  }
  const asked = findNamedFiles(whole, holdsResources).filter((path) => byFile.has(path) && !isInSkipped(folderOf(path)))
  const found = asked.flatMap((path) => byFile.get(path) ?? [])
  return [...groupBy(found, ({ reason }) => reason).values()].flatMap((group) => gapFinding(group, name))
}

/** Returns the error about files that a checkout leaves out, all for the reason of the first; none without files. */
export function gapFinding(gaps: readonly CheckoutGap[], name: (path: string) => string): readonly Result[] {
  const [gap] = gaps
  if (gap === undefined) return []
  const [first = '', ...others] = gaps.map(({ path }) => name(path))
  const more =
    others.length === 0
      ? ''
      : `, nor ${others.length === 1 ? 'is' : 'are'} ${countOf(others.length, 'other file')} (${nameFirst(others.map(quoteText), 3)})`
  const why =
    gap.reason === 'sparse'
      ? 'git has it, and the sparse checkout leaves it out; `git sparse-checkout add` with its folder brings it'
      : 'its submodule is not checked out; `git submodule update --init` brings it'
  const message = `is not read${more}: ${why}; what is no part of the fleet can be named in .krmignore`
  return [{ severity: 'error', message, file: { path: first, index: 0 }, tags: { rule: 'not-checked-out' } }]
}

/** Returns a tree with more files, whose folders may be missing. Only the files of the tree itself can be read. */
function withGaps(tree: FileTree, paths: readonly string[]): FileTree {
  const missing = folderTree(paths, () => new Uint8Array())
  const onDisk = new Set([''])
  return {
    list: (folder) => {
      const own = onDisk.has(folder) ? tree.list(folder) : []
      for (const { name, type } of own) if (type === 'folder') onDisk.add(posix.join(folder, name))
      const names = new Set(own.map(({ name }) => name))
      const entries: readonly TreeEntry[] = [...own, ...missing.list(folder).filter(({ name }) => !names.has(name))]
      return [...entries].sort(compareNames)
    },
    read: (path) =>
      onDisk.has(folderOf(path)) && tree.list(folderOf(path)).some(({ name }) => name === posix.basename(path))
        ? tree.read(path)
        : missing.read(path),
  }
}
