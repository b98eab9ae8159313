import { isSafePath } from '../../package/safe-path.ts'
import type { Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import type { FleetVariant } from '../fleet-variants.ts'

/**
 * Returns the faults of a downstream that is no safe folder of its own: outside of the folder of all packages, inside `.git`, or a
 * second spelling of another folder. Porch has no folders, and no Repository with such a name.
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
