import { revisionNumber } from '../../kinds/revision.ts'
import type { UpstreamFields } from '../../kinds/upstream-schema.ts'

/** The revision number of Porch for the state of the main branch that was never published. */
const MAIN_BRANCH = -1

/** Returns the names that a revision has in folders and tags, the likeliest first: `v3` and `3` for a number, since Porch writes both. */
function namesOfRevision(revision: string): readonly string[] {
  const number = revisionNumber(revision)
  return number === undefined ? [revision] : [`v${number}`, `${number}`]
}

/**
 * Returns the names of the revision that a variant asks for, the likeliest first; none when the variant names no revision.
 *
 * @param facts.branch      the branch of the repository, for revision -1
 * @param facts.tags        floating tags, and the revision that each points to
 * @param facts.workspaces  numbers of revisions by the names of their workspaces
 */
export function namesAskedFor(
  { revision, workspaceName = '' }: UpstreamFields,
  facts: { readonly branch: string; readonly tags: ReadonlyMap<string, string>; readonly workspaces: ReadonlyMap<string, string> },
): readonly string[] {
  if (revision === MAIN_BRANCH) return [facts.branch]
  const asked = revision === undefined || revision === 0 || revision === '' ? workspaceName : String(revision)
  if (asked === '') return []
  const published = facts.workspaces.get(asked)
  return namesOfRevision(facts.tags.get(asked) ?? (published !== undefined && published !== '0' ? published : asked))
}

/** Returns the names of the revision that a ref in a Kptfile names: `upf/v2`, the tag of one package, is `v2` as well. */
export function namesOfRef(ref: string, directory: string): readonly string[] {
  const own = directory !== '' && ref.startsWith(`${directory}/`) ? ref.slice(directory.length + 1) : ref
  const last = ref.slice(ref.lastIndexOf('/') + 1)
  return [...new Set([ref, own, last].flatMap(namesOfRevision))]
}
