import type { FieldPath } from '../field-path.ts'
import { isMatrix } from '../fleet/sets.ts'
import { definedEntries, groupBy } from '../group-by.ts'
import { type JsonRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { quoteText } from '../schema/describe-value.ts'
import { isPackageVariant } from '../variant/find-variant.ts'
import { FLEET_API, PORCH_GROUP } from '../well-known.ts'
import { isVariantSet, recordsAt } from './pipeline-functions.ts'
import type { SystemFault } from './system-differences.ts'

/** An upstream that names a revision by number, with its place. */
interface NumberedUpstream {
  readonly object: KrmObject
  readonly path: FieldPath
  readonly number: number
  /** '' if the upstream names no workspace. */
  readonly workspace: string
  /** The PackageRevisions of the package; undefined if none is known. */
  readonly revisions: readonly KrmObject[] | undefined
}

/**
 * Returns an error for each upstream with a revision and without a workspace. The controllers set the number to -1, the placeholder of the
 * main branch (Porch v1.5 isValidUpstream), so no package is made. The proposed workspace is that of the PackageRevision with the number.
 * Where no revision of the package is known it is a guess, `vN`, under a rule of its own.
 */
export function missingWorkspaces(items: readonly KrmObject[]): readonly SystemFault[] {
  return numberedUpstreams(items).flatMap(({ object, path, number, workspace, revisions }): readonly SystemFault[] => {
    if (workspace !== '') return []
    const proposed = revisions === undefined ? `v${number}` : workspaceOf(revisions, number)
    return [
      {
        object,
        severity: 'error',
        rule: revisions === undefined ? 'porch-unknown-workspace' : 'porch-needs-workspace',
        path: [...path, 'workspaceName'],
        message: `must be set beside 'revision', which Porch ignores: it would wait for the placeholder of the main branch, and make no package${describeProposed(proposed, number, revisions !== undefined)}`,
        ...(proposed !== undefined && { proposedValue: proposed }),
      },
    ]
  })
}

function describeProposed(proposed: string | undefined, number: number, isKnown: boolean): string {
  if (proposed === undefined) return ''
  if (isKnown) return `; the workspace of revision ${number} is ${quoteText(proposed)}`
  return `; no PackageRevision of the package says which: the workspace of revision ${number} is probably ${quoteText(proposed)}, but people choose the name`
}

/**
 * Returns an error for each upstream whose revision and workspace are those of different PackageRevisions: `render` takes the revision,
 * Porch the workspace.
 */
export function otherWorkspaces(items: readonly KrmObject[]): readonly SystemFault[] {
  return numberedUpstreams(items).flatMap(({ object, path, number, workspace, revisions = [] }): readonly SystemFault[] => {
    const proposed = workspaceOf(revisions, number)
    if (workspace === '' || proposed === undefined || proposed === workspace) return []
    const message = `must be ${quoteText(proposed)}, the workspace of revision ${number}, got ${quoteText(workspace)}: Porch takes the workspace, krm-variants the revision`
    return [{ object, severity: 'error', rule: 'other-workspace', path: [...path, 'workspaceName'], message, proposedValue: proposed }]
  })
}

function numberedUpstreams(items: readonly KrmObject[]): readonly NumberedUpstream[] {
  const published = items.filter(({ kind, apiVersion = '' }) => kind === 'PackageRevision' && groupOf(apiVersion) === PORCH_GROUP)
  const byPackage = groupBy(published, (object) => packageKey(object.get(['spec', 'repository']), object.get(['spec', 'packageName'])))
  return items.flatMap((object) =>
    upstreamsOf(object).flatMap(({ path, fields }): readonly NumberedUpstream[] => {
      const number = revisionNumber(lookup(fields, 'revision'))
      if (number === undefined || number <= 0) return []
      const workspace = scalarText(lookup(fields, 'workspaceName'))
      const revisions = byPackage.get(packageKey(lookup(fields, 'repo'), lookup(fields, 'package')))
      return [{ object, path, number, workspace, revisions }]
    }),
  )
}

/** Returns the upstreams of a set, a variant, a matrix or a PackageRevisionSet, which matrices name. */
function upstreamsOf(object: KrmObject): readonly { readonly path: FieldPath; readonly fields: JsonRecord }[] {
  const path = ['spec', 'upstream']
  if (isVariantSet(object) || isPackageVariant(object)) return [{ path, fields: fieldsAt(object, path) }]
  if (!isMatrix(object) && !isRevisionSet(object)) return []
  return recordsAt(object, ['spec', 'upstreams']).map((fields, index) => ({ path: ['spec', 'upstreams', index], fields }))
}

function fieldsAt(object: KrmObject, path: FieldPath): JsonRecord {
  const fields = ['repo', 'package', 'revision', 'workspaceName']
  return Object.fromEntries(definedEntries(fields.map((field) => [field, object.get([...path, field])])))
}

function isRevisionSet({ apiVersion = '', kind }: KrmObject): boolean {
  return kind === 'PackageRevisionSet' && groupOf(apiVersion) === groupOf(FLEET_API)
}

function packageKey(repo: JsonValue | undefined, packageName: JsonValue | undefined): string {
  return JSON.stringify([scalarText(repo), scalarText(packageName)])
}

function workspaceOf(revisions: readonly KrmObject[], number: number): string | undefined {
  const found = revisions.find((object) => revisionNumber(writtenRevision(object)) === number)
  return scalarText(found?.get(['spec', 'workspaceName'])) || undefined
}
