import { pathFault } from '../folder/safe-path.ts'
import { isRefName, printAddress, REF_RULE } from '../git/git-address.ts'
import { revisionNumber } from '../kinds/revision.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import { objectsIn, type PackageFiles } from '../merge/package-files.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, joinPath } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { type Fault, faultToResult } from '../schema/fault.ts'
import { asQuestion, didYouMean, nearestName } from '../schema/nearest-name.ts'
import { secondDocument } from '../variant/list-packages.ts'
import { KPTFILE_API } from '../well-known.ts'
import type { UpstreamOrigin } from './origin.ts'
import type { RepositoryFacts } from './repository-facts.ts'
import {
  type AskedRevision,
  type GitName,
  gitDirectory,
  gitNames,
  plainFolder,
  revisionFolders,
  revisionsAmong,
  tagsOfPackage,
} from './upstream-places.ts'

const UPSTREAM = ['spec', 'upstream']
const MOST_NAMES = 5

/** The places in which a missing package was looked for. */
export interface SearchedPlaces {
  readonly folders: readonly string[]
  /** The folders that exist beside the missing one. */
  readonly beside: readonly string[]
  /** The folders beside that of the repository. */
  readonly besideRepository: readonly string[]
  /** The folders around that of the fleet from which the package would be found. */
  readonly fleets: readonly string[]
  /** The tags of its git repository, the latest version first. */
  readonly tags: readonly string[]
  /** True if git repositories are read at all. */
  readonly hasGit: boolean
  /**
   * A revision that git has under the name of the whole repository, where the package is missing; undefined where no such revision is
   * known.
   */
  readonly withoutPackage?: RevisionContent | undefined
  /** The names of the repositories that the RenderVariants configures. */
  readonly repositories: readonly string[]
}

/** The packages of a revision in git. */
export interface RevisionContent {
  /** The ref as a person writes it: `v1`. */
  readonly ref: string
  /** The folders with a Kptfile, from the top of the repository. */
  readonly packages: readonly string[]
}

/** Returns the fault of a variant whose upstream package is neither in the given folders nor in git. */
export function missingUpstream(asked: AskedRevision, places: SearchedPlaces): Fault {
  const { folders, beside, tags, hasGit, withoutPackage } = places
  const git = asked.facts.options.git
  const inGit = git === undefined ? '' : hasGit ? `, nor in git${listRefs(asked)} of ${quoteText(printAddress(git.repo))}` : NO_GIT
  const nearInGit =
    git !== undefined && hasGit
      ? presentTag(asked, places) || nearTags(asked, tags) || contentOf(asked, withoutPackage) || listTags(tags)
      : ''
  const near = bareRepository(asked, places) || nearPackages(asked, { folders, beside }) || nearInGit
  const remedy = near === '' && git === undefined ? remedyOf(asked, places) : near
  const message = `must name an existing package, found none at ${quoteNames(folders)}${inGit}${remedy}`
  return { severity: 'error', rule: 'upstream-missing', path: UPSTREAM, message }
}

/** Returns the end of a message for a `path` with the content of a bare git repository, in whose folder no package is. */
function bareRepository({ facts: { name, path, options } }: AskedRevision, { beside }: SearchedPlaces): string {
  if (options.git !== undefined || !['objects', 'refs'].every((folder) => beside.includes(joinPath(path, folder)))) return ''
  const option = `spec.repositories.${name}`
  return `; ${quoteText(path)} is a bare git repository: a RenderVariants names it in \`${option}.git.repo\`, not in \`${option}.path\``
}

/**
 * Returns the end of a message that names the option to set: the option of the repository with the nearest name, a folder, or a git URL.
 */
function remedyOf(
  { facts: { name, repo, options, path, isOci } }: AskedRevision,
  { hasGit, repositories, besideRepository: folders, fleets }: SearchedPlaces,
): string {
  if (options.path !== undefined)
    return `; ${quoteText(`spec.repositories.${name}.path`)} of a RenderVariants says so${didYouMean(path, folders)}`
  const [fleet] = fleets
  if (fleet !== undefined)
    return `; the folder ${quoteText(fleet)} has it: run the command there, or name ${quoteText(joinPath(fleet, path))} in \`spec.repositories.${name}.path\` of a RenderVariants`
  const meant = nearestName(name, repositories)
  if (meant !== undefined) return `; \`spec.repositories\` of a RenderVariants must have ${quoteText(name)}, has ${quoteText(meant)}`
  const option = `spec.repositories.${name}`
  const inGit = repo === name ? `${option}.git.repo` : `${option}.git.repo, such as ${quoteText(printAddress(repo))} of its Repository`
  const unread = isOci ? `; packages are not read from OCI, the \`spec.type\` of Repository ${quoteText(name)}` : ''
  return `${unread}; a RenderVariants says where it is: ${option}.path for a folder${hasGit ? `, or ${inGit}` : ''}`
}

const NO_GIT = '; git repositories are read by the tool `krm-variants render`, not by a function'

function listRefs(asked: AskedRevision): string {
  const refs = [...new Set(gitNames(asked).map(shownName))]
  return refs.length === 0 ? ', since no revision is named,' : ` at ${quoteNames(refs)}`
}

/** Returns the ref or commit that git was asked for, as people write it. */
function shownName({ name, resolvedRef }: GitName): string {
  return name.startsWith('refs/') ? resolvedRef : name
}

/** Returns the end of a message for a tag that git has under the asked name: it is no commit, or has no folder of the package. */
function presentTag(asked: AskedRevision, { tags, withoutPackage }: SearchedPlaces): string {
  const present = gitNames(asked).find((each) => tags.includes(shownName(each)) && !each.name.startsWith('refs/heads/'))
  if (present === undefined) return ''
  if (withoutPackage === undefined) return `; the tag ${quoteText(present.resolvedRef)} is no commit`
  if (!tagsOfPackage(tags, asked).includes(withoutPackage.ref)) return ''
  const folder = gitDirectory(asked)
  return `; no folder ${quoteText(folder)} is at ${quoteText(withoutPackage.ref)}${contentOf(asked, withoutPackage)}`
}

/** Returns the end of a message that lists other revisions of the package, by git's tags, or suggests the package with the nearest name. */
function nearTags(asked: AskedRevision, tags: readonly string[]): string {
  const others = tagsOfPackage(tags, asked)
  if (others.length > 0) return `; git has ${quoteNames(others.slice(0, MOST_NAMES))}`
  return didYouMean(gitDirectory(asked), [...new Set(tags.map(folderOf))])
}

/** Says which packages the revision has instead. */
function contentOf(asked: AskedRevision, content: RevisionContent | undefined): string {
  if (content === undefined) return ''
  const { ref, packages } = content
  if (packages.length === 0) return `; ${quoteText(ref)} has no folder with a Kptfile`
  const shown = `; ${quoteText(ref)} has the packages ${quoteNames(packages.slice(0, MOST_NAMES))}`
  const more = packages.length > MOST_NAMES ? ` and ${packages.length - MOST_NAMES} more` : ''
  const wanted = gitDirectory(asked)
  const meant = packages.find((folder) => folder.endsWith(`/${wanted}`) || wanted.endsWith(`/${folder}`))
  return `${shown}${more}${meant === undefined ? didYouMean(wanted, packages) : asQuestion(meant)}`
}

/** Says which tags there are at all. */
function listTags(tags: readonly string[]): string {
  return tags.length === 0 ? '; the repository has no tags' : `; its latest tags are ${quoteNames(tags.slice(0, MOST_NAMES))}`
}

/** Returns the end of a message that names empty folders of the revision, other revisions, or the package with the nearest name. */
function nearPackages(asked: AskedRevision, { folders, beside }: Pick<SearchedPlaces, 'folders' | 'beside'>): string {
  const plain = plainFolder(asked)
  const empty = folders.filter((folder) => beside.includes(folder))
  const others = revisionsAmong(beside, plain).filter((folder) => !empty.includes(folder))
  const [wanted] = revisionFolders(asked)
  const isEmpty = empty.length === 0 ? '' : `; ${quoteNames(empty)} holds no Kptfile and no other file`
  if (others.length === 1 && others[0] === plain && wanted !== undefined)
    return `${isEmpty}; ${quoteText(plain)} holds the newest state: name the folder of each revision with it, ${quoteText(wanted)}`
  if (others.length > 0) return `${isEmpty}; there is ${quoteNames(others.slice(0, MOST_NAMES))}`
  if (isEmpty !== '') return isEmpty
  return didYouMean(
    plain,
    beside.map((folder) => folder.replace(/@[^/]*$/, '')),
  )
}

/** Returns the fault of a folder that exists but has no Kptfile. */
export function noPackage(place: string): Fault {
  const message = `must name a package, but there is no Kptfile in ${quoteText(place)}`
  return { severity: 'error', rule: 'upstream-no-package', path: UPSTREAM, message }
}

/** Returns the fault of a package whose original commit is missing, while its ref resolves to another commit. */
export function otherCommit(
  { ref, commit = '' }: { readonly ref: string; readonly commit?: string },
  { repo, commit: now = '' }: UpstreamOrigin,
): Fault {
  const found = `commit ${shortCommit(commit)} is not in ${quoteText(printAddress(repo))}, where ${quoteText(ref)} is ${shortCommit(now)} now`
  return { severity: 'error', rule: 'upstream-missing', path: UPSTREAM, message: `must name an existing package, ${found}` }
}

/** Returns the fault of an unpublished upstream whose former state is neither on disk nor in git. */
export function missingTree(tree: string, place: string, { hasHistory }: { readonly hasHistory: boolean }): Fault {
  const found = hasHistory
    ? `tree ${shortCommit(tree)} of ${quoteText(place)} is in no commit of this clone, and the package was changed since: bring that state back and commit it, or fetch the whole history of a shallow clone`
    : `the state ${shortCommit(tree)} of ${quoteText(place)} is not in the list, and the package was changed since: undo the change for one run`
  return { severity: 'error', rule: 'upstream-missing', path: UPSTREAM, message: `must name an existing package, ${found}` }
}

/** Returns the first 12 digits of a commit, for messages. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 12)
}

/** Returns the fault of a repository that git cannot read. */
export function gitFault(reason: string): Fault {
  return { severity: 'error', rule: 'upstream-git', path: [...UPSTREAM, 'repo'], message: `cannot be read: ${reason}` }
}

/** Returns the fault of an upstream outside of the fleet: a symbolic link, or a Kptfile that names another folder. */
export function outsideFault(found: string): Fault {
  const message = `must be in a folder of the fleet, ${found}; --allow-outside allows it`
  return { severity: 'error', rule: 'outside-fleet', path: [...UPSTREAM, 'package'], message }
}

/** Returns the fault of a Repository whose address holds a password: every package would carry the password. */
export function secretFault({ name, repo }: RepositoryFacts): Fault {
  const message = `must be a Repository whose \`spec.git.repo\` holds no password, token or query, since packages name their upstream in git: a credential helper of git keeps them (gitcredentials); that of ${quoteText(name)} is ${quoteText(printAddress(repo))} with one`
  return { severity: 'error', rule: 'repository-address', path: [...UPSTREAM, 'repo'], message }
}

/** Returns the faults of an upstream's names, which become folders and names in git. */
export function upstreamNameFaults({ repo, package: packageName, revision, workspaceName }: UpstreamFields): readonly Fault[] {
  const folders = Object.entries({ repo, package: packageName }).flatMap(([field, value]): Fault[] => {
    const fault = pathFault(value)
    if (fault === undefined) return []
    return [{ severity: 'error', rule: 'package-path', path: [...UPSTREAM, field], message: `${fault}, got ${quoteText(value)}` }]
  })
  const names = Object.entries({ revision, workspaceName }).flatMap(([field, value]): Fault[] => {
    if (typeof value !== 'string' || value === '' || revisionNumber(value) !== undefined || isRefName(value)) return []
    const message = `must be a name that git allows for a ref, ${REF_RULE}, got ${quoteText(value)}`
    return [{ severity: 'error', rule: 'revision-name', path: [...UPSTREAM, field], message }]
  })
  return [...folders, ...names]
}

/** Returns the error of the Kptfile of an upstream package that is of another kind or version than `render` writes; none for any other. */
export function upstreamKptfileFaults(kptfile: KrmObject): readonly Result[] {
  return kptfileKindFaults(kptfile, 'the Kptfile of an upstream package')
}

/** Returns the errors of second documents in the Kptfiles of an upstream package: a clone would lose them, as in kpt. */
export function kptfileDocumentFaults(files: PackageFiles): readonly Result[] {
  return [...files].flatMap(([path, content]) => (isKptfile(path) ? objectsIn(content).slice(1).map(secondDocument) : []))
}

/**
 * Returns the error of a Kptfile of another kind or version than kpt reads; none for any other.
 *
 * @param place  the name of the Kptfile in the message: "the Kptfile of an upstream package"
 */
export function kptfileKindFaults(kptfile: KrmObject, place: string): readonly Result[] {
  const { apiVersion = '', kind = '' } = kptfile
  if (kind === 'Kptfile' && apiVersion === KPTFILE_API) return []
  const [path, allowed, found] =
    kind === 'Kptfile' ? (['apiVersion', KPTFILE_API, apiVersion] as const) : (['kind', 'Kptfile', kind] as const)
  const message = `must be '${allowed}' in ${place}, got ${quoteText(found)}`
  return [faultToResult(kptfile, { severity: 'error', rule: 'kptfile', path: [path], message })]
}
