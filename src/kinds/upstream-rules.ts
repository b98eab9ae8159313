import type { FieldPath } from '../field-path.ts'
import type { JsonRecord } from '../json.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { revisionNumber } from './revision.ts'
import { tolerated } from './rule-fault.ts'
import type { UpstreamFields } from './upstream-schema.ts'

export const UPSTREAM_PATH: FieldPath = ['spec', 'upstream']
export const REVISION_PATH: FieldPath = [...UPSTREAM_PATH, 'revision']

/** Words of other tools for the fields of an upstream or downstream, with the fields that they most likely stand for. */
export const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  repository: ['repo'],
  url: ['repo'],
  directory: ['package'],
  folder: ['package'],
  path: ['package'],
  version: ['revision'],
  tag: ['revision'],
  ref: ['workspaceName'],
  branch: ['workspaceName'],
}

/** Returns true if an upstream names a revision: a number other than 0 (`v0` is 0), a text, or a workspaceName. */
export function namesRevision({ revision = 0, workspaceName = '' }: Partial<UpstreamFields>): boolean {
  return (revisionNumber(revision) !== 0 && revision !== '') || workspaceName !== ''
}

/** Returns the faults of the values of an upstream at `path`: a revision that is a string or out of range, and an address for a name. */
export function upstreamFaults(upstream: Partial<UpstreamFields>, path: FieldPath): Fault[] {
  return [...stringRevisionFaults(upstream, path), ...revisionRangeFaults(upstream, path), ...addressFaults(upstream, path)]
}

/** Returns a warning if the revision is a string, as in seed 000 and public files; the API has an integer (docs/porch.md 3). */
function stringRevisionFaults({ revision }: Partial<UpstreamFields>, path: FieldPath): Fault[] {
  if (typeof revision !== 'string') return []
  const number = revisionNumber(revision)
  const taken =
    number === undefined
      ? AS_WORKSPACE
      : number === 0
        ? NO_REVISION
        : `write ${number}${revision === String(number) ? ' without quotes' : ''}`
  const message = `must be an integer, got the string ${quoteText(revision)}; ${taken}`
  return [tolerated('string-revision', [...path, 'revision'], message, number === 0 ? undefined : number)]
}

/** Returns a warning if the repository is the address of a git repository: the field has the name of a Repository. */
function addressFaults({ repo }: Partial<UpstreamFields>, path: FieldPath): Fault[] {
  if (!/:\/\/|^[\w.-]+@[\w.-]+:/.test(repo ?? '')) return []
  const message =
    'must be the name of a Repository, whose spec.git.repo has the address, or of a repository in RenderVariants; got an address'
  return [tolerated('repository-name', [...path, 'repo'], message)]
}

const NO_REVISION = '0 is no revision; the first is 1'

const AS_WORKSPACE = 'it is taken as workspaceName, the field to write it in, and as it is an API server refuses the variant'

/**
 * Returns an error for a revision below -1, which is the revision of Porch's placeholder for the main branch, and for one that is too large
 * to be read as written.
 */
function revisionRangeFaults({ revision }: Partial<UpstreamFields>, path: FieldPath): Fault[] {
  const number = revisionNumber(revision) ?? 0
  if (number > Number.MAX_SAFE_INTEGER) {
    const most = `must be the number of a revision, at most ${Number.MAX_SAFE_INTEGER}, got a larger one`
    return [{ severity: 'error', rule: 'minimum', path: [...path, 'revision'], message: most }]
  }
  if (number >= -1) return []
  const message = `must be the number of a revision: 1 or more, or -1 for the main branch, got ${number}`
  return [{ severity: 'error', rule: 'minimum', path: [...path, 'revision'], message }]
}

/** Returns the upstream fields of a variant. A revision such as `v3` becomes a number, since an API server accepts only numbers. */
export function writtenUpstream(upstream: UpstreamFields): JsonRecord {
  const number = typeof upstream.revision === 'string' ? revisionNumber(upstream.revision) : undefined
  return { ...upstream, ...(number !== undefined && { revision: number }) }
}
