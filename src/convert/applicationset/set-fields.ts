import type { FieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { faultToResult } from '../../schema/fault.ts'
import { asQuestion, nearestName } from '../../schema/nearest-name.ts'

/** The fields that convert reads: `'all'` for a field with everything in it, a text for a field that it refuses, with the reason. */
type Fields = { readonly [field: string]: Fields | 'all' | readonly [Fields | 'all'] | { readonly refused: string } }

const refused = (reason: string) => ({ refused: reason })

const all = (...fields: readonly string[]): Fields => Object.fromEntries(fields.map((field) => [field, 'all' as const]))

const SOURCE: Fields = {
  ...all('repoURL', 'targetRevision', 'path', 'name'),
  chart: refused('is a chart of a repository: helm pull brings it into the folder, then name its `path`'),
  ref: refused('names values of another source, which convert does not follow'),
  plugin: refused('is a program that only Argo CD runs'),
  kustomize: refused('changes the build in Argo CD: write the change into the kustomization of the folder'),
  directory: {
    ...all('recurse', 'include', 'exclude'),
    jsonnet: refused('needs Jsonnet: write its output into the folder'),
  },
  helm: {
    ...all('releaseName', 'valueFiles', 'ignoreMissingValueFiles', 'values', 'valuesObject'),
    parameters: [all('name', 'value', 'forceString')],
    ...all('namespace', 'kubeVersion', 'apiVersions', 'version', 'skipTests'),
    skipSchemaValidation: refused('has no counterpart in `import --helm`'),
    skipCrds: refused('leaves objects out: convert keeps them'),
    fileParameters: refused('reads files as values: write them into a file of `valueFiles`'),
    passCredentials: refused('needs a repository of charts'),
  },
}

const TEMPLATE: Fields = {
  metadata: all('name', 'namespace', 'labels', 'annotations', 'finalizers', 'creationTimestamp'),
  spec: {
    project: 'all',
    source: SOURCE,
    sources: [SOURCE],
    sourceHydrator: refused('renders into git, as `krm-variants render` does'),
    destination: all('name', 'server', 'namespace'),
    syncPolicy: {
      automated: all('enabled', 'prune', 'selfHeal', 'allowEmpty'),
      syncOptions: 'all',
      retry: { ...all('limit', 'refresh'), backoff: all('duration', 'factor', 'maxDuration') },
      managedNamespaceMetadata: all('labels', 'annotations'),
    },
    ...all('ignoreDifferences', 'info', 'revisionHistoryLimit'),
  },
}

const REMOTE = 'asks a service, whose answer is in no folder: write its parameters into a list generator'

const GENERATOR: Fields = {
  list: { elements: 'all', elementsYaml: 'all', template: TEMPLATE },
  clusters: {
    ...all('selector', 'values'),
    template: TEMPLATE,
    flatList: refused('gives one Application a list of clusters, which convert does not follow'),
  },
  git: {
    ...all('repoURL', 'revision', 'directories', 'files', 'values', 'pathParamPrefix', 'requeueAfterSeconds'),
    template: TEMPLATE,
  },
  scmProvider: refused(REMOTE),
  pullRequest: refused(REMOTE),
  clusterDecisionResource: refused(`${REMOTE}, or name the clusters by a clusters generator`),
  plugin: refused(REMOTE),
  selector: 'all',
}

const NESTED: Fields = {
  ...GENERATOR,
  matrix: { generators: [GENERATOR], template: TEMPLATE },
  merge: { generators: [GENERATOR], mergeKeys: 'all', template: TEMPLATE },
}

const SPEC: Fields = {
  ...all('goTemplate', 'goTemplateOptions', 'templatePatch'),
  generators: [
    {
      ...GENERATOR,
      matrix: { generators: [NESTED], template: TEMPLATE },
      merge: { generators: [NESTED], mergeKeys: 'all', template: TEMPLATE },
    },
  ],
  template: TEMPLATE,
  strategy: refused('orders the Applications: rings of a matrix give the order, so remove the field and add `rings` afterwards'),
  ...all('syncPolicy', 'preservedFields', 'ignoreApplicationDifferences', 'applyNestedSelectors'),
}

/** Returns an error for each field of an ApplicationSet that convert does not follow. A field without a value is none. */
export function refusedFields(set: KrmObject): readonly Result[] {
  return refusedIn(set, set.get(['spec']), SPEC, ['spec'])
}

/** Returns an error for each field of a rendered `templatePatch` that convert does not follow. */
export function refusedPatchFields(set: KrmObject, patch: JsonValue): readonly Result[] {
  return refusedIn(set, patch, TEMPLATE, ['spec', 'templatePatch'])
}

/** Returns an error at a field of an ApplicationSet. */
export function setFault(set: KrmObject, path: FieldPath, message: string, atKey = false): Result {
  return faultToResult(set, { severity: 'error', rule: 'applicationset-field', path, message, atKey })
}

function refusedIn(set: KrmObject, value: JsonValue | undefined, fields: Fields, path: FieldPath): readonly Result[] {
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, each]): readonly Result[] => {
    const own = [...path, key]
    if (isUnset(each)) return []
    const known = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (known === 'all') return []
    if (known === undefined) {
      const near = asQuestion(nearestName(key, Object.keys(fields)))
      return [setFault(set, own, `is no field that convert reads${near}`, true)]
    }
    if (isReason(known)) return [setFault(set, own, known.refused, true)]
    if (!isItems(known)) return refusedIn(set, each, known, own)
    const [items] = known
    return Array.isArray(each) && items !== 'all' ? each.flatMap((item, index) => refusedIn(set, item, items, [...own, index])) : []
  })
}

function isReason(known: Fields[string]): known is { readonly refused: string } {
  return typeof known === 'object' && 'refused' in known && typeof known.refused === 'string'
}

function isItems(known: Exclude<Fields[string], 'all'>): known is readonly [Fields | 'all'] {
  return Array.isArray(known)
}

function isUnset(value: JsonValue): boolean {
  if (value === null || value === '' || value === false) return true
  return typeof value === 'object' && Object.values(value).every(isUnset) && Object.keys(value).length === 0
}
