import { compareText } from '../field-path.ts'
import { compareRevisions, revisionNumber, revisionVersion } from '../kinds/revision.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { folderOf, joinPath } from '../resource-list/package-of.ts'
import type { UpstreamOrigin } from './origin.ts'
import type { RepositoryFacts } from './repository-facts.ts'
import type { RevisionOptions } from './repository-options.ts'

/** A package at the revision that a variant or a Kptfile asks for. */
export interface AskedRevision {
  readonly facts: RepositoryFacts
  readonly packageName: string
  /** The names that the revision may have, the likeliest first. */
  readonly names: readonly string[]
}

/** Returns the options that the user set for the revision; none if the user set none. */
function revisionOptions({ facts, names }: AskedRevision): RevisionOptions {
  return names.map((name) => facts.options.revisions.get(name)).find((options) => options !== undefined) ?? {}
}

/** Returns the folders that hold this revision and no other: `catalog/upf@v3`. */
export function revisionFolders(asked: AskedRevision): readonly string[] {
  const { path } = revisionOptions(asked)
  if (path !== undefined) return [path]
  return asked.names.map((name) => `${plainFolder(asked)}@${name}`)
}

/** Returns the folder that holds the package at an unnamed revision: `catalog/upf`. */
export function plainFolder({ facts, packageName }: AskedRevision): string {
  return joinPath(facts.path, packageName)
}

/** Returns the folder of the package in its git repository. */
export function gitDirectory({ facts, packageName }: AskedRevision): string {
  return joinPath(facts.directory, packageName)
}

/** A name of a revision in git, and the refs that a Kptfile records for the name. */
export interface GitName extends Pick<UpstreamOrigin, 'ref' | 'resolvedRef'> {
  /** The name that git resolves: `refs/tags/upf/v3`. */
  readonly name: string
}

/**
 * Returns the names that a revision may have in git: the tag of this package alone, as Porch writes the tag, then the ref as the
 * variant names it. A number is looked up among tags and branches only, since a number could be the beginning of a commit id.
 */
export function gitNames(asked: AskedRevision): readonly GitName[] {
  if (isPinned(asked)) {
    const { ref, resolvedRef, commit = resolvedRef } = folderOrigin(asked)
    return [{ name: commit, ref, resolvedRef }]
  }
  const folders = [...new Set([gitDirectory(asked), asked.packageName])]
  const tags = asked.names.flatMap((own) =>
    folders.map((folder) => ({ name: `refs/tags/${folder}/${own}`, ref: own, resolvedRef: `${folder}/${own}` })),
  )
  const refs = asked.names.flatMap((own) =>
    (isDigits(own) ? [`refs/tags/${own}`, `refs/heads/${own}`] : [own]).map((name) => ({ name, own })),
  )
  return [...tags, ...refs.map(({ name, own }) => ({ name, ref: own, resolvedRef: own }))]
}

/** Returns those names of a revision that are tags, since a branch is no published revision, or the ref that the user configured. */
export function publishedNames(asked: AskedRevision): readonly GitName[] {
  if (isPinned(asked)) return gitNames(asked)
  const isFull = (name: string): boolean => name.startsWith('refs/')
  return gitNames(asked).flatMap((each) => {
    if (isFull(each.name)) return each.name.startsWith('refs/tags/') ? [each] : []
    return [{ ...each, name: `refs/tags/${each.name}` }]
  })
}

/** Returns true if the user's options say which ref or commit of git the revision is. */
function isPinned(asked: AskedRevision): boolean {
  const { ref, commit } = revisionOptions(asked)
  return (ref ?? commit) !== undefined
}

function isDigits(name: string): boolean {
  return /^\d+$/.test(name)
}

/** Returns true if a git tag of this name is a published revision, which must not move: `v1`, `1.4`, `v1.4.0-rc.1`. */
export function isPublishedRef(ref: string): boolean {
  return /^v?\d+(\.\d+)*([-+].*)?$/.test(ref)
}

/** Returns the git origin of a revision that was found in a folder: the user's options for the revision, else its first name. */
export function folderOrigin(asked: AskedRevision): UpstreamOrigin {
  const { ref = asked.names[0] ?? '', resolvedRef = ref, commit } = revisionOptions(asked)
  return { repo: asked.facts.repo, directory: gitDirectory(asked), ref, resolvedRef, ...(commit !== undefined && { commit }) }
}

/** Returns those of the given folders that hold a package at any revision, sorted: `catalog/upf`, `catalog/upf@v3`. */
export function revisionsAmong(folders: readonly string[], plain: string): readonly string[] {
  return folders.filter((folder) => folder === plain || folder.startsWith(`${plain}@`)).sort(compareText)
}

/** Returns those of the given tags that are of the package alone, as Porch writes them: `catalog/upf/v3`. */
export function tagsOfPackage(tags: readonly string[], asked: AskedRevision): readonly string[] {
  const folders = new Set([gitDirectory(asked), asked.packageName])
  return tags.filter((tag) => folders.has(folderOf(tag)))
}

/**
 * Returns the names of the revisions that folders, the user's options, the tags of the package and the tags of the whole repository name;
 * a name may come twice.
 *
 * @param places.beside  the folders beside that of the package
 * @param places.tags    all tags of its repository
 */
export function revisionNames(
  asked: AskedRevision,
  { beside, tags }: { readonly beside: readonly string[]; readonly tags: readonly string[] },
): readonly string[] {
  const plain = plainFolder(asked)
  return [
    ...revisionsAmong(beside, plain).map((folder) => folder.slice(plain.length + 1)),
    ...asked.facts.options.revisions.keys(),
    ...tagsOfPackage(tags, asked).map((tag) => tag.slice(folderOf(tag).length + 1)),
    ...tags.filter((tag) => !tag.includes('/')),
  ]
}

/** Returns those names that stand for a version, the newest first; prereleases only if one of the asked names is a prerelease. */
export function newestFirst(names: readonly string[], asked: readonly string[]): readonly string[] {
  const isPrerelease = (name: string) => (revisionVersion(name)?.pre.length ?? 0) > 0
  const takesPrereleases = asked.some(isPrerelease)
  return [...new Set(names)]
    .flatMap((name) => {
      const version = revisionVersion(name)
      return version === undefined || (version.pre.length > 0 && !takesPrereleases) ? [] : [{ name, version }]
    })
    .sort((a, b) => compareRevisions(b.version, a.version))
    .map(({ name }) => name)
}

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
  // A draft has the number 0, and the state of the main branch -1: both have the name of their workspace.
  return namesOfRevision(facts.tags.get(asked) ?? ((revisionNumber(published) ?? 1) > 0 ? (published ?? asked) : asked))
}

/** Returns the names of the revision that a ref in a Kptfile names: `upf/v2`, the tag of one package, is `v2` as well. */
export function namesOfRef(ref: string, directory: string): readonly string[] {
  const own = directory !== '' && ref.startsWith(`${directory}/`) ? ref.slice(directory.length + 1) : ref
  const last = ref.slice(ref.lastIndexOf('/') + 1)
  return [...new Set([ref, own, last].flatMap(namesOfRevision))]
}
