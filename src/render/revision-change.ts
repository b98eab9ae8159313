import type { KptfileUpstream, UpdateStrategy } from '../kinds/kptfile-upstream.ts'
import type { RenderOptions } from './options.ts'
import { bareFolder, bareRepo, type UpstreamOrigin } from './origin.ts'

/**
 * How a package gets from what its Kptfile says to a revision: `none` where it is there already, `named` where the same commit has another
 * name now, `merged` where it is another one. Without commits to compare, the place and the ref count.
 */
export function revisionChange({ upstream, upstreamLock }: KptfileUpstream, origin: UpstreamOrigin): 'none' | 'named' | 'merged' {
  const at = upstreamLock ?? upstream
  if (at === undefined || bareFolder(at.directory) !== bareFolder(origin.directory)) return 'merged'
  const isNamed = at.ref === origin.ref || at.ref === origin.resolvedRef
  const commit = upstreamLock?.commit ?? ''
  if (commit !== '' && origin.commit !== undefined) return commit !== origin.commit ? 'merged' : isNamed ? 'none' : 'named'
  return isNamed && bareRepo(at.repo) === bareRepo(origin.repo) ? 'none' : 'merged'
}

/** How a package is brought to another revision: as the options say, else as its Kptfile does. */
export function strategyOf({ upstream }: KptfileUpstream, { updateStrategy }: Pick<RenderOptions, 'updateStrategy'>): UpdateStrategy {
  return updateStrategy ?? upstream?.updateStrategy ?? 'resource-merge'
}
