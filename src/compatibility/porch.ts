import { groupBy } from '../group-by.ts'
import { type JsonValue, scalarText } from '../json.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { quoteText } from '../schema/describe-value.ts'
import { OWN_API, OWNER_ANNOTATION, OWNER_LABEL, PORCH_GROUP } from '../well-known.ts'
import { countOf } from '../wording.ts'
import { isVariant, isVariantSet, pipelineFunctions, recordsAt, type WrittenFunction } from './pipeline-functions.ts'
import type { SystemDifferences, SystemFault } from './system-differences.ts'

const LOCAL_CONFIG = 'config.kubernetes.io/local-config'

/** The differences of Porch 1.5, its API server and its controllers (docs/porch.md). */
export const PORCH_DIFFERENCES: SystemDifferences = {
  // The API server refuses these values or drops the field; the controller ignores `name`, and so makes other packages.
  refused: new Set(['string-revision', 'not-in-api', 'single-entry', 'ignored-by-porch', 'upstream-revision', 'function-program']),
  replaced: new Set(['upstream-revision-ignored']),
  faults: (items) => [
    ...missingWorkspaces(items),
    ...pipelineFunctions(items).flatMap((fn) => [...droppedFunctionFields(fn), ...programs(fn)]),
    ...items.flatMap(droppedPoints),
    ...items.flatMap(foreignKinds),
    ...blockedSets(items),
  ],
}

/**
 * Returns an error for each upstream with a revision and without a workspace. The controllers set the number to -1, the placeholder of the
 * main branch (Porch v1.5 isValidUpstream), so no package is made. The proposed workspace is that of the PackageRevision with the number;
 * `vN`, as Porch names workspaces, where no revision of the package is known.
 */
function missingWorkspaces(items: readonly KrmObject[]): readonly SystemFault[] {
  const published = items.filter(({ kind, apiVersion = '' }) => kind === 'PackageRevision' && groupOf(apiVersion) === PORCH_GROUP)
  const byPackage = groupBy(published, (object) => packageKey(object.get(['spec', 'repository']), object.get(['spec', 'packageName'])))
  return items
    .filter((object) => isVariantSet(object) || isVariant(object))
    .flatMap((object): readonly SystemFault[] => {
      const [repo, packageName, revision, workspace] = ['repo', 'package', 'revision', 'workspaceName'].map((field) =>
        object.get(['spec', 'upstream', field]),
      )
      const number = revisionNumber(revision)
      if (number === undefined || number <= 0 || scalarText(workspace) !== '') return []
      const known = byPackage.get(packageKey(repo, packageName))
      const proposed = known === undefined ? `v${number}` : workspaceOf(known, number)
      const hint = proposed === undefined ? '' : `; the workspace of revision ${number} is ${quoteText(proposed)}`
      return [
        {
          object,
          severity: 'error',
          rule: 'porch-needs-workspace',
          path: ['spec', 'upstream', 'workspaceName'],
          message: `must be set beside 'revision', which Porch ignores: it would wait for the placeholder of the main branch, and make no package${hint}`,
          ...(proposed !== undefined && { proposedValue: proposed }),
        },
      ]
    })
}

function packageKey(repo: JsonValue | undefined, packageName: JsonValue | undefined): string {
  return JSON.stringify([scalarText(repo), scalarText(packageName)])
}

function workspaceOf(revisions: readonly KrmObject[], number: number): string | undefined {
  const found = revisions.find((object) => revisionNumber(writtenRevision(object)) === number)
  return scalarText(found?.get(['spec', 'workspaceName'])) || undefined
}

const DROPPED: Readonly<Record<string, string>> = {
  configRef: 'so the function would run without its config; name the file in `configPath`',
  when: 'so the function would always run',
  point: 'so one source would go to every injection point of its kind',
}

/** Returns an error for a field that the API of Porch 1.5 has not: its API server drops the field. */
function dropped(object: KrmObject, path: readonly (string | number)[], field: string): SystemFault {
  const message = `must not be set for Porch 1.5, whose API server drops it, ${DROPPED[field]}`
  return { object, severity: 'error', rule: 'porch-drops-field', path: [...path, field], message, atKey: true }
}

function droppedFunctionFields({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  return ['configRef', 'when'].filter((field) => Object.hasOwn(fields, field)).map((field) => dropped(object, path, field))
}

function droppedPoints(object: KrmObject): readonly SystemFault[] {
  const lists = isVariant(object)
    ? [['spec', 'injectors']]
    : isVariantSet(object)
      ? recordsAt(object, ['spec', 'targets']).map((_, index) => ['spec', 'targets', index, 'template', 'injectors'])
      : []
  return lists.flatMap((list) =>
    recordsAt(object, list).flatMap((injector, index) =>
      Object.hasOwn(injector, 'point') ? [dropped(object, [...list, index], 'point')] : [],
    ),
  )
}

/** Returns an error for a program in a Kptfile: Porch renders without programs of the machine (docs/kpt-render.md R44). */
function programs({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  if (object.kind !== 'Kptfile' || !Object.hasOwn(fields, 'exec')) return []
  const message = 'must be an image for Porch, which runs no programs: every render of the package fails'
  return [{ object, severity: 'error', rule: 'porch-runs-no-programs', path: [...path, 'exec'], message }]
}

/** Returns a warning for an object of our own kinds that a deployment would send to the API server, which has no such kind. */
function foreignKinds(object: KrmObject): readonly SystemFault[] {
  const { apiVersion = '', kind = '', annotations } = object
  if (groupOf(apiVersion) !== groupOf(OWN_API) || annotations.get(LOCAL_CONFIG) === 'true') return []
  return [
    {
      object,
      severity: 'warning',
      rule: 'porch-unknown-kind',
      path: ['metadata', 'annotations', LOCAL_CONFIG],
      message: `must be 'true', so that kpt and kubectl do not send ${kind} to the API server, which has no such kind`,
      proposedValue: 'true',
    },
  ]
}

/**
 * Returns a warning for each set without a uid whose variants are among the files. A controller with the set of the files makes variants of
 * the same names, finds that they exist, and stalls.
 */
function blockedSets(items: readonly KrmObject[]): readonly SystemFault[] {
  const unmarked = items.filter((object) => isVariant(object) && !object.labels.get(OWNER_LABEL))
  const variants = groupBy(unmarked, ({ annotations }) => annotations.get(OWNER_ANNOTATION) ?? '')
  return items.filter(isVariantSet).flatMap((object): readonly SystemFault[] => {
    const made = variants.get(`${object.namespace ?? 'default'}/${object.name ?? ''}`) ?? []
    if (made.length === 0 || scalarText(object.get(['metadata', 'uid'])) !== '') return []
    const message = `must be that of the set in the cluster: without it, Porch's controller takes ${countOf(made.length, 'PackageVariant')} of the set in these files for those of others, and stalls; apply the set only, or the variants only, or write the uid into the variants (krm-variants adopt)`
    return [{ object, severity: 'warning', rule: 'porch-blocked-set', path: ['metadata', 'uid'], message }]
  })
}
