import type { FieldPath } from '../field-path.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { revisionNumber } from './revision.ts'
import { tolerated } from './rule-fault.ts'
import type { UpstreamFields } from './upstream-schema.ts'

export const UPSTREAM_PATH: FieldPath = ['spec', 'upstream']
export const REVISION_PATH: FieldPath = [...UPSTREAM_PATH, 'revision']

/** Whether it is said which revision: a number other than 0 (`v0` is 0), a revision as text, or a workspaceName. */
export function namesRevision({ revision = 0, workspaceName = '' }: UpstreamFields): boolean {
  return (revisionNumber(revision) !== 0 && revision !== '') || workspaceName !== ''
}

/** Seeds 000 and public files write the revision as a string; the API has an integer (docs/porch.md 3). */
export function stringRevisionFaults({ revision }: UpstreamFields): Fault[] {
  if (typeof revision !== 'string') return []
  const number = revisionNumber(revision)
  const taken = number === undefined ? 'it is taken as workspaceName, which is the field to write it in' : `it is taken as ${number}`
  return [tolerated('string-revision', REVISION_PATH, `must be an integer, got the string ${quoteText(revision)}; ${taken}`, number)]
}
