import type { FieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { revisionNumber } from './revision.ts'
import { tolerated } from './rule-fault.ts'
import type { UpstreamFields } from './upstream-schema.ts'

export const UPSTREAM_PATH: FieldPath = ['spec', 'upstream']
export const REVISION_PATH: FieldPath = [...UPSTREAM_PATH, 'revision']

/** Returns true if an upstream names a revision: a number other than 0 (`v0` is 0), a text, or a workspaceName. */
export function namesRevision({ revision = 0, workspaceName = '' }: UpstreamFields): boolean {
  return (revisionNumber(revision) !== 0 && revision !== '') || workspaceName !== ''
}

/** Returns the faults of the revision of an upstream: one that is a string, and one that is out of range. */
export function revisionFaults(upstream: UpstreamFields): Fault[] {
  return [...stringRevisionFaults(upstream), ...revisionRangeFaults(upstream)]
}

/** Returns a warning if the revision is a string, as in seed 000 and public files; the API has an integer (docs/porch.md 3). */
function stringRevisionFaults({ revision }: UpstreamFields): Fault[] {
  if (typeof revision !== 'string') return []
  const number = revisionNumber(revision)
  const taken = number === undefined ? AS_WORKSPACE : `write ${number}${revision === String(number) ? ' without quotes' : ''}`
  return [tolerated('string-revision', REVISION_PATH, `must be an integer, got the string ${quoteText(revision)}; ${taken}`, number)]
}

const AS_WORKSPACE = 'it is taken as workspaceName, the field to write it in, and as it is an API server refuses the variant'

/** Returns an error for a revision below -1, which is the revision of Porch's placeholder for the main branch. */
function revisionRangeFaults({ revision }: UpstreamFields): Fault[] {
  const number = revisionNumber(revision) ?? 0
  if (number >= -1) return []
  const message = `must be the number of a revision: 1 or more, or -1 for the main branch, got ${number}`
  return [{ severity: 'error', rule: 'minimum', path: REVISION_PATH, message }]
}

/** Returns the upstream fields of a variant. A revision such as `v3` becomes a number, since an API server accepts only numbers. */
export function writtenUpstream(upstream: UpstreamFields): JsonRecord {
  const number = typeof upstream.revision === 'string' ? revisionNumber(upstream.revision) : undefined
  return { ...upstream, ...(number !== undefined && { revision: number }) }
}
