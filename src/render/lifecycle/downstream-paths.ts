import { isSafePath } from '../../package/safe-path.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { FleetVariant } from '../fleet-variants.ts'

/**
 * What keeps a downstream from being a folder of its own: a way out of the folder of all packages or into git's, or a second spelling of the
 * place of another. Porch has no folders, and no Repository with such a name.
 */
export function downstreamPathFaults({ object, downstream }: FleetVariant): readonly Result[] {
  const { repo, package: packageName } = downstream
  const fault = (field: keyof typeof downstream, message: string): Result =>
    faultToResult(object, { severity: 'error', rule: 'package-path', path: ['spec', 'downstream', field], message })
  const isFolder = isSafePath(repo) && !repo.includes('/')
  return [
    ...(isFolder ? [] : [fault('repo', `must be the name of a folder, without '/' and not '.', '..' or '.git', got ${quoteText(repo)}`)]),
    ...(isSafePath(packageName) ? [] : [fault('package', `must be a package path, ${ALLOWED}, got ${quoteText(packageName)}`)]),
  ]
}

const ALLOWED = "parts joined by '/' and none of them empty, '.', '..' or '.git'"
