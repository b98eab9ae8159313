import type { JsonRecord } from '../json.ts'
import type { UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import type { CloneFlavour } from './clone/flavour.ts'

/** Where a revision of an upstream package is in git. */
export interface UpstreamOrigin {
  readonly repo: string
  /** The package's folder in the repository. */
  readonly directory: string
  /** As it was asked for: `v1`. */
  readonly ref: string
  /** The ref that was found for it: `DIRECTORY/v1`, the tag of this package alone, or `ref` itself. */
  readonly resolvedRef: string
  readonly commit?: string
  /** Whether the ref is a tag that names a version: such a tag is published, and must stay where it is. */
  readonly isPublished?: boolean
}

/** `upstream` and `upstreamLock` of a Kptfile; without a commit there is no lock. */
export interface WrittenOrigin {
  readonly upstream: JsonRecord
  readonly upstreamLock?: JsonRecord
}

/** An origin as kpt writes it (kpt internal/util/fetch), or as Porch does (porch pkg/kpt/clone.go): docs/porch.md has the differences. */
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

/** A folder without the slashes around it. */
export function bareFolder(folder: string): string {
  return folder.replace(/^\/+|\/+$/g, '')
}

/** A repository without the ending that kpt cuts and Porch adds. */
export function bareRepo(repo: string): string {
  return repo.replace(/\.git\/?$/, '').replace(/\/+$/, '')
}
