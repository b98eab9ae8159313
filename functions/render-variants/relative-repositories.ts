import type { RenderOptions } from '../../src/render/options.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import type { Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'

/** Kptfiles name a repository as it is written, and kpt reads a path in them from the package, not from the folder of the fleet. */
export function relativeRepositories(config: KrmObject, { repositories }: Pick<RenderOptions, 'repositories'>): readonly Result[] {
  return [...repositories].flatMap(([name, { git }]) => {
    if (git === undefined || !isRelative(git.repo)) return []
    const path = ['spec', 'repositories', name, 'git', 'repo']
    const message = `must be a URL, or begin with '/', for kpt to find it from the packages, which name it as it is written, got ${quoteText(git.repo)}`
    return [faultToResult(config, { severity: 'warning', rule: 'repository-relative', path, message })]
  })
}

/** No URL, and neither HOST:PATH nor a path from the root. */
function isRelative(repo: string): boolean {
  return !repo.includes(':') && !repo.startsWith('/')
}
