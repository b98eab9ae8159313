import type { JsonRecord } from '../json.ts'
import type { GitRevision, KptfileUpstream, UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import type { CloneFlavour } from './repository-options.ts'

/** The place of an upstream revision in git. */
export interface UpstreamOrigin {
  readonly repo: string
  /** The package's folder in the repository. */
  readonly directory: string
  /** The ref that the variant asks for: `v1`. */
  readonly ref: string
  /** The ref that was found: `DIRECTORY/v1`, the tag of this package alone, or `ref` itself. */
  readonly resolvedRef: string
  readonly commit?: string
  /** True if the ref is a tag that names a version: such a tag is published and must not move. */
  readonly isPublished?: boolean
  /** The git tree of the package's folder, for an unpublished package that a variant of the same fleet makes. */
  readonly tree?: string
}

/** The values of `upstream` and `upstreamLock` in a Kptfile; no lock without a commit. */
export interface WrittenOrigin {
  readonly upstream: JsonRecord
  readonly upstreamLock?: JsonRecord
}

/**
 * Returns an origin in the form of kpt (kpt internal/util/fetch) or of Porch (porch pkg/kpt/clone.go); docs/porch.md lists the
 * differences.
 */
export function writeOrigin(origin: UpstreamOrigin, flavour: CloneFlavour, updateStrategy: UpdateStrategy): WrittenOrigin {
  const { ref, resolvedRef, commit } = origin
  const place = PLACES[flavour](origin)
  const git = { ...place, ref: flavour === 'kpt' ? ref : resolvedRef }
  return {
    upstream: { type: 'git', git, ...(flavour === 'kpt' && { updateStrategy }) },
    ...(commit !== undefined && { upstreamLock: { type: 'git', git: { ...place, ref: resolvedRef, commit } } }),
  }
}

const PLACES: Readonly<Record<CloneFlavour, (origin: UpstreamOrigin) => { readonly repo: string; readonly directory: string }>> = {
  kpt: ({ repo, directory }) => ({ repo: repo.replace(/\.git$/, ''), directory: `/${bareFolder(directory)}` }),
  porch: ({ repo, directory }) => ({ repo: repo.endsWith('.git') ? repo : `${repo}.git`, directory: bareFolder(directory) }),
}

/** Returns a folder without the slashes around it: `/catalog/upf/` → `catalog/upf`. */
export function bareFolder(folder: string): string {
  return folder.replace(/^\/+|\/+$/g, '')
}

/** Returns a repository URL without `.git` and slashes at its end, since kpt removes `.git` and Porch adds it. */
export function bareRepo(repo: string): string {
  return repo.replace(/\.git\/?$/, '').replace(/\/+$/, '')
}

/**
 * Returns true if a Kptfile asks for another revision than its package is at: `upstream` v2, `upstreamLock` v1. The tag of the package
 * alone and its short form are one revision: `net/v1`, `v1`. Without a lock, the package is at `upstream`.
 */
export function asksForUpdate({ upstream, upstreamLock }: KptfileUpstream): boolean {
  if (upstream === undefined || upstreamLock === undefined) return false
  const [wanted, present] = [upstream, upstreamLock].map(revisionKey)
  return wanted !== present
}

function revisionKey({ repo, directory, ref }: GitRevision): string {
  const folder = bareFolder(directory)
  const above = ref.slice(0, Math.max(ref.lastIndexOf('/'), 0))
  const isOwnTag = above !== '' && (folder === above || folder.endsWith(`/${above}`))
  return JSON.stringify([bareRepo(repo), folder, isOwnTag ? ref.slice(above.length + 1) : ref])
}
