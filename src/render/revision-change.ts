import type { KptfileUpstream, UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import type { RenderOptions } from './options.ts'
import { bareFolder, bareRepo, type UpstreamOrigin } from './origin.ts'

/**
 * Returns how a package reaches a revision from the state that its Kptfile records: `none` if the package is at the revision, `named`
 * if the same commit has another name now, `merged` for another commit. If a commit is unknown, repository, folder and ref are
 * compared.
 */
export function revisionChange({ upstream, upstreamLock }: KptfileUpstream, origin: UpstreamOrigin): 'none' | 'named' | 'merged' {
  const at = upstreamLock ?? upstream
  if (at === undefined || bareFolder(at.directory) !== bareFolder(origin.directory)) return 'merged'
  const isNamed = at.ref === origin.ref || at.ref === origin.resolvedRef
  const commit = upstreamLock?.commit ?? ''
  if (commit !== '' && origin.commit !== undefined) return commit !== origin.commit ? 'merged' : isNamed ? 'none' : 'named'
  return isNamed && bareRepo(at.repo) === bareRepo(origin.repo) ? 'none' : 'merged'
}

/** Returns the update strategy of a package: that of the options, else that of its Kptfile, else `resource-merge`. */
export function strategyOf({ upstream }: KptfileUpstream, { updateStrategy }: Pick<RenderOptions, 'updateStrategy'>): UpdateStrategy {
  return updateStrategy ?? upstream?.updateStrategy ?? 'resource-merge'
}
