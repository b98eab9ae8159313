import { asUrl } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import { scalarText } from '../json.ts'
import { folderOf } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { countOf } from '../wording.ts'
import type { DraftDeployment } from './options.ts'

const DIRECTORY = ['spec', 'git', 'directory']

/** Deployments with their folders in git, and a warning if a folder is that of the rendered package. */
export interface PlacedDrafts {
  readonly drafts: readonly DraftDeployment[]
  readonly results: readonly Result[]
}

/**
 * Returns deployments with the folders of their rendered packages, where several Repositories of one git repository and branch name no
 * directory: each of them would deploy the packages at the top, and with them those of all others.
 *
 * @param out  the folder below which `render` will write a package that is not there yet, if it is known
 */
export function inRenderedFolders(drafts: readonly DraftDeployment[], out?: string): PlacedDrafts {
  const moved = new Map<DraftDeployment, string>()
  for (const own of groupBy(drafts, ({ url, branch, tag }) => `${asUrl(url)} ${tag ?? branch}`).values()) {
    if (own.every(({ repository }) => repository === own[0].repository)) continue
    for (const draft of own) {
      const folder = hasDirectory(draft) ? undefined : (renderedFolder(draft) ?? folderBelow(out, draft))
      if (folder !== undefined) moved.set(draft, folder)
    }
  }
  return {
    drafts: drafts.map((draft) => ({ ...draft, folder: moved.get(draft) ?? draft.folder })),
    results: warningFor(moved),
  }
}

function hasDirectory({ repositoryObject }: DraftDeployment): boolean {
  return /[^./]/.test(scalarText(repositoryObject.get(DIRECTORY)))
}

/** Returns the folder of the only rendered package, or the one above all rendered packages; undefined if it is not known. */
function renderedFolder({ contents, packageName }: DraftDeployment): string | undefined {
  const folders = contents.map(({ isRendered, inGit }) => (isRendered ? inGit : undefined))
  const [first] = folders
  if (first === undefined || packageName !== undefined) return first
  const above = folderOf(first)
  return folders.every((folder) => folder !== undefined && folderOf(folder) === above) ? above : undefined
}

/** Returns the folder that `render` gives to packages which are not known to be rendered. */
function folderBelow(out: string | undefined, { contents, repository, packageName }: DraftDeployment): string | undefined {
  if (out === undefined || (packageName === undefined && contents.some(({ isRendered }) => isRendered))) return undefined
  return [out, repository, packageName].filter(Boolean).join('/')
}

function warningFor(moved: ReadonlyMap<DraftDeployment, string>): readonly Result[] {
  const [entry] = moved
  if (entry === undefined) return []
  const [{ repositoryObject, packageName }, folder] = entry
  const count = new Set([...moved.keys()].map(({ namespace, repository }) => `${namespace}/${repository}`)).size
  const directory = packageName === undefined ? folder : folder.slice(0, -packageName.length - 1)
  const others = count === 1 ? '' : `, here and in ${countOf(count - 1, 'other Repository')} of one git repository and branch`
  const message = `must be set${others}: the path is where \`render\` writes the packages, if that repository is this one; write \`directory: ${quoteText(directory).slice(1, -1)}\``
  return [faultToResult(repositoryObject, { severity: 'warning', rule: 'sync-same-folder', path: DIRECTORY, message })]
}
