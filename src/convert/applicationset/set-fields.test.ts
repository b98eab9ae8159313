import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { refusedFields, setFault } from './set-fields.ts'

const setOf = (spec: JsonRecord) =>
  KrmObject.fromDocument(JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', metadata: { name: 's' }, spec }), {
    path: 'set.yaml',
    index: 0,
    line: 1,
  })

const messages = (spec: JsonRecord) => refusedFields(setOf(spec)).map(({ message }) => message)

const TEMPLATE = {
  metadata: { name: 'a', labels: { any: 'x' }, finalizers: ['f'] },
  spec: {
    project: 'p',
    source: { repoURL: 'u', path: 'p', directory: { recurse: true, include: '*.yaml' }, helm: { parameters: [{ name: 'a', value: 'b' }] } },
    destination: { name: 'n', namespace: 'ns' },
    syncPolicy: { automated: { prune: true }, syncOptions: ['a=b'], retry: { backoff: { duration: '5s' } } },
    ignoreDifferences: [{ anything: 1 }],
  },
}

test('a set with fields that convert reads has no fault', () => {
  const list = { list: { elements: [{ any: { thing: 1 } }], template: TEMPLATE }, selector: { matchLabels: { a: 'b' } } }
  const git = { git: { repoURL: 'u', revision: 'r', directories: [{ path: 'x' }], pathParamPrefix: 'p' } }
  const matrix = { matrix: { generators: [list, { merge: { generators: [git, { clusters: {} }], mergeKeys: ['a'] } }] } }
  expect(messages({ goTemplate: true, generators: [list, git, matrix], template: TEMPLATE, syncPolicy: { any: 1 } })).toEqual([])
})

test.each<[string, JsonRecord, string]>([
  ['a chart', { template: { spec: { source: { chart: 'c' } } } }, '`spec.template.spec.source.chart` is a chart of a repository: '],
  [
    'a source of several',
    { template: { spec: { sources: [{ path: 'x' }, { ref: 'r' }] } } },
    '`spec.template.spec.sources[1].ref` names values of another source, ',
  ],
  [
    'Jsonnet',
    { template: { spec: { source: { directory: { jsonnet: { tlas: [] } } } } } },
    '`spec.template.spec.source.directory.jsonnet` needs Jsonnet: ',
  ],
  [
    'a field of a parameter of helm',
    { template: { spec: { source: { helm: { parameters: [{ name: 'a' }, { nmae: 'b' }] } } } } },
    "`spec.template.spec.source.helm.parameters[1].nmae` is no field that convert reads; did you mean 'name'?",
  ],
  [
    'a generator that asks a service',
    { generators: [{ pullRequest: { github: {} } }] },
    '`spec.generators[0].pullRequest` asks a service, ',
  ],
  [
    'a generator in a matrix',
    { generators: [{ matrix: { generators: [{ list: {} }, { plugin: { a: 1 } }] } }] },
    '`spec.generators[0].matrix.generators[1].plugin` asks a service, ',
  ],
  [
    'a third matrix in two others',
    { generators: [{ matrix: { generators: [{ matrix: { generators: [{ matrix: { generators: [{}, { a: 1 }] } }] } }] } }] },
    '`spec.generators[0].matrix.generators[0].matrix.generators[0].matrix` is no field that convert reads',
  ],
  ['the steps of a rollout', { strategy: { type: 'RollingSync' } }, '`spec.strategy` orders the Applications: '],
  ['an unknown field', { goTemplat: true }, "`spec.goTemplat` is no field that convert reads; did you mean 'goTemplate'?"],
  ['a key that every record has', { constructor: { a: 1 } }, '`spec.constructor` is no field that convert reads'],
])('%s is refused', (_, spec, message) => {
  const [first, ...others] = messages(spec)
  expect([first?.startsWith(message) ? message : first, others]).toEqual([message, []])
})

test('every refused field has its own fault, in the order of the text', () => {
  expect(
    refusedFields(setOf({ template: { spec: { sourceHydrator: 'x' } }, strategy: { type: 'y' }, b: 1 })).map(({ field }) => field?.path),
  ).toEqual([
    ['spec', 'template', 'spec', 'sourceHydrator'],
    ['spec', 'strategy'],
    ['spec', 'b'],
  ])
})

test('a field without a value is no fault', () => {
  const empty = { plugin: {}, kustomize: null, chart: '', ref: false, unknown: [] }
  expect(messages({ template: { spec: { source: empty } }, strategy: {} })).toEqual([])
})

test.each([0, true, [null], { a: null }])('a field with the value %j has one', (value) => {
  expect(messages({ strategy: value })).toHaveLength(1)
})

test('what is no map or list where one belongs is left to the generators', () => {
  expect(messages({ generators: 'x', template: [] })).toEqual([])
})

test('a fault names the set, the field and its place', () => {
  const result = setFault(setOf({ a: 1 }), ['spec', 'a'], 'must go')
  expect(result).toMatchObject({
    severity: 'error',
    message: '`spec.a` must go',
    tags: { rule: 'applicationset-field' },
    file: { path: 'set.yaml' },
  })
  expect(result.field?.path).toEqual(['spec', 'a'])
})

const ALL = (...names: readonly string[]): JsonRecord => Object.fromEntries(names.map((name) => [name, 'x']))

const WHOLE_TEMPLATE = {
  metadata: ALL('name', 'namespace', 'labels', 'annotations', 'finalizers', 'creationTimestamp'),
  spec: {
    ...ALL('project', 'ignoreDifferences', 'info', 'revisionHistoryLimit'),
    source: {
      ...ALL('repoURL', 'targetRevision', 'path', 'name'),
      directory: ALL('recurse', 'include', 'exclude'),
      helm: {
        ...ALL('releaseName', 'valueFiles', 'ignoreMissingValueFiles', 'values', 'valuesObject', 'namespace', 'kubeVersion', 'apiVersions'),
        ...ALL('version', 'skipTests'),
        parameters: [ALL('name', 'value', 'forceString')],
      },
    },
    destination: ALL('name', 'server', 'namespace'),
    syncPolicy: {
      automated: ALL('enabled', 'prune', 'selfHeal', 'allowEmpty'),
      syncOptions: 'x',
      retry: { ...ALL('limit', 'refresh'), backoff: ALL('duration', 'factor', 'maxDuration') },
      managedNamespaceMetadata: ALL('labels', 'annotations'),
    },
  },
}

const GENERATORS = {
  list: { elements: 'x', template: WHOLE_TEMPLATE },
  clusters: { ...ALL('selector', 'values'), template: WHOLE_TEMPLATE },
  git: {
    ...ALL('repoURL', 'revision', 'directories', 'files', 'values', 'pathParamPrefix', 'requeueAfterSeconds'),
    template: WHOLE_TEMPLATE,
  },
  selector: 'x',
}

test('every field that convert reads is known, at each depth of generators', () => {
  const matrix = { generators: [GENERATORS], template: WHOLE_TEMPLATE }
  const nested = { ...GENERATORS, matrix, merge: { ...matrix, mergeKeys: 'x' } }
  const outer = { generators: [nested], template: WHOLE_TEMPLATE }
  const spec = {
    ...ALL(
      'goTemplate',
      'goTemplateOptions',
      'templatePatch',
      'syncPolicy',
      'preservedFields',
      'ignoreApplicationDifferences',
      'applyNestedSelectors',
    ),
    generators: [{ ...GENERATORS, matrix: outer, merge: { ...outer, mergeKeys: 'x' } }],
    template: WHOLE_TEMPLATE,
  }
  expect(messages(spec)).toEqual([])
})

test('every field that convert refuses is refused with a reason', () => {
  const source = {
    ...ALL('chart', 'ref', 'plugin', 'kustomize'),
    directory: ALL('jsonnet'),
    helm: ALL('skipSchemaValidation', 'skipCrds', 'fileParameters', 'passCredentials'),
  }
  const generator = {
    clusters: ALL('flatList'),
    ...ALL('scmProvider', 'pullRequest', 'clusterDecisionResource', 'plugin'),
  }
  const spec = { template: { spec: { source, sourceHydrator: 'x' } }, generators: [generator], ...ALL('strategy') }
  const found = refusedFields(setOf(spec))
  expect(found.map(({ field }) => field?.path.at(-1))).toEqual([
    ...['chart', 'ref', 'plugin', 'kustomize', 'jsonnet', 'skipSchemaValidation', 'skipCrds', 'fileParameters', 'passCredentials'],
    ...['sourceHydrator', 'flatList', 'scmProvider', 'pullRequest', 'clusterDecisionResource', 'plugin'],
    ...['strategy'],
  ])
  expect(found.filter(({ message }) => message.includes('is no field that convert reads'))).toEqual([])
})
