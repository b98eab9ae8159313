import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { decode } from '../schema/validate.ts'
import type { Validator } from '../schema/validator.ts'
import { objectNameFaults } from './metadata-rules.ts'
import { PACKAGE_REVISION_SET_SCHEMA, type UpstreamEntryFields } from './package-revision-set-schema.ts'
import { revisionNumber } from './revision.ts'
import { namesRevision, OTHER_WORDS, upstreamFaults, writtenUpstream } from './upstream-rules.ts'
import type { Upstream } from './variant-set.ts'

/** A decoded and valid PackageRevisionSet (fleet.krm-variants.dev/v1alpha1). */
export interface PackageRevisionSet {
  readonly upstreams: readonly UpstreamEntry[]
}

/** An entry of `spec.upstreams`: an upstream, or the name of a PackageRevisionSet that has the upstreams. */
export type UpstreamEntry =
  | { readonly path: FieldPath; readonly upstream: Upstream }
  | { readonly path: FieldPath; readonly packageRevisionSet: string }

export const UPSTREAMS_PATH: FieldPath = ['spec', 'upstreams']

/** Other words for the fields of an entry, with the fields that they most likely stand for. */
export const UPSTREAM_ENTRY_WORDS: Readonly<Record<string, readonly string[]>> = {
  ...OTHER_WORDS,
  set: ['packageRevisionSet'],
  upstream: ['upstreams'],
}

const VALIDATOR: Validator<typeof PACKAGE_REVISION_SET_SCHEMA> = {
  schema: PACKAGE_REVISION_SET_SCHEMA,
  formerNames: UPSTREAM_ENTRY_WORDS,
  rules: ({ metadata, spec }) => [...objectNameFaults(metadata), ...upstreamEntryFaults(spec.upstreams)],
}

/**
 * Decodes a PackageRevisionSet.
 *
 * @throws FunctionError  with every fault
 */
export function decodePackageRevisionSet(object: KrmObject): { set: PackageRevisionSet; warnings: Result[] } {
  const { value, warnings } = decode(object, VALIDATOR)
  return { set: { upstreams: decodeUpstreamEntries(object, value.spec.upstreams) }, warnings }
}

/** Decodes the valid entries of `spec.upstreams`. */
export function decodeUpstreamEntries(object: KrmObject, entries: readonly UpstreamEntryFields[]): readonly UpstreamEntry[] {
  return entries.map(({ packageRevisionSet, repo = '', package: packageName = '', revision, workspaceName }, index) => {
    const path = [...UPSTREAMS_PATH, index]
    if (packageRevisionSet !== undefined) return { path, packageRevisionSet }
    const fields = {
      repo,
      package: packageName,
      ...(revision !== undefined && { revision }),
      ...(workspaceName !== undefined && { workspaceName }),
    }
    return { path, upstream: { ...fields, written: writtenUpstream(fields), object, path } }
  })
}

/** Returns the faults of the entries of `spec.upstreams` that the schema cannot express: what an entry must and must not have. */
export function upstreamEntryFaults(entries: readonly UpstreamEntryFields[]): readonly Fault[] {
  return entries.flatMap((entry, index) => entryFaults(entry, [...UPSTREAMS_PATH, index]))
}

const OWN_FIELDS = ['repo', 'package', 'revision', 'workspaceName'] as const

function entryFaults(entry: UpstreamEntryFields, path: FieldPath): readonly Fault[] {
  const beside = OWN_FIELDS.filter((field) => entry[field] !== undefined)
  if (entry.packageRevisionSet !== undefined)
    return beside.map((field) => ({
      severity: 'error',
      rule: 'upstream-entry',
      path: [...path, field],
      message: "must not be set beside 'packageRevisionSet', whose upstreams have their own",
      atKey: true,
    }))
  const missing = (['repo', 'package'] as const).filter((field) => entry[field] === undefined)
  if (missing.length > 0)
    return [
      {
        severity: 'error',
        rule: 'upstream-entry',
        path,
        message: `must have 'repo' and 'package', or 'packageRevisionSet', got ${beside.length === 0 ? 'none of them' : beside.map((field) => `'${field}'`).join(' and ')}`,
      },
    ]
  const noRevision: Fault = {
    severity: 'error',
    rule: 'upstream-revision',
    path,
    message: "must have 'revision' or 'workspaceName'",
    place: [...path, 'revision'],
    atKey: true,
  }
  return [...upstreamFaults(entry, path), ...(namesRevision(entry) ? besideRevision(entry, path) : [noRevision])]
}

/**
 * Returns a warning if an upstream has a revision, by which it is found, and the workspace of another revision by its name: `v2` beside 1.
 * Porch needs both and takes the workspace.
 */
function besideRevision({ revision, workspaceName = '' }: UpstreamEntryFields, path: FieldPath): readonly Fault[] {
  const number = revisionNumber(revision)
  if (number === undefined || number <= 0 || !/^v[0-9]+$/.test(workspaceName) || revisionNumber(workspaceName) === number) return []
  const message = `must be the workspace of revision ${number}, by which the upstream is found, got ${quoteText(workspaceName)}, which Porch would take in its place`
  return [{ severity: 'warning', rule: 'workspace-beside-revision', path: [...path, 'workspaceName'], message }]
}
