import { expect, test } from 'vitest'
import { messagesOfRun, objectText, run, valuesAfter } from '../testing/run-function.ts'

const LABEL = { env: 'p' }

/** Returns the paths at which an object has the label, behind a run. */
function labelled(version: string, text: string): readonly string[] {
  return pathsOf(valuesAfter(`set-labels ${version}`, LABEL, text)[0])
}

function pathsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'env' && member === 'p' ? ['.'] : pathsOf(member).map((path) => (path === '.' ? key : `${key}.${path}`)),
  )
}

const OWN = 'metadata.labels'
const TEMPLATE = 'spec.template.metadata.labels'
const SELECTOR = 'spec.selector.matchLabels'
const workload = (kind: string, apiVersion = 'apps/v1') => objectText(kind, 'spec: {template: {spec: {}}}\n', apiVersion)

test.each([
  // [what, object, the paths of v0.2, those of v0.1]
  ['a ConfigMap', objectText('ConfigMap', ''), [OWN], [OWN]],
  ['a Service', objectText('Service', 'spec: {}\n'), [OWN, 'spec.selector'], [OWN, 'spec.selector']],
  ['a Service without spec', objectText('Service', ''), [OWN, 'spec.selector'], [OWN, 'spec.selector']],
  ['a Service of others', objectText('Service', 'spec: {}\n', 'serving.knative.dev/v1beta1'), [OWN], [OWN]],
  ['a ReplicationController', workload('ReplicationController', 'v1'), [OWN, TEMPLATE, 'spec.selector'], [OWN, TEMPLATE, 'spec.selector']],
  ['a Deployment', workload('Deployment'), [OWN, TEMPLATE, SELECTOR], [OWN, TEMPLATE, SELECTOR]],
  ['a ReplicaSet', workload('ReplicaSet'), [OWN, TEMPLATE, SELECTOR], [OWN, TEMPLATE, SELECTOR]],
  ['a DaemonSet', workload('DaemonSet'), [OWN, TEMPLATE, SELECTOR], [OWN, TEMPLATE, SELECTOR]],
  ['a StatefulSet', workload('StatefulSet'), [OWN, TEMPLATE, SELECTOR], [OWN, TEMPLATE, SELECTOR]],
  ['a StatefulSet of others', workload('StatefulSet', 'example.com/v1'), [OWN], [OWN]],
  ['a Deployment without a template', objectText('Deployment', 'spec: {}\n', 'apps/v1'), [OWN, SELECTOR], [OWN, SELECTOR, TEMPLATE]],
  ['a Job', workload('Job', 'batch/v1'), [OWN, TEMPLATE], [OWN, TEMPLATE]],
  ['a Job of others', workload('Job', 'example.com/v1'), [OWN], [OWN]],
  [
    'a Job with a selector',
    objectText('Job', 'spec: {selector: {matchLabels: {env: q}}}\n', 'batch/v1'),
    [OWN, SELECTOR],
    [OWN, SELECTOR, TEMPLATE],
  ],
  [
    'a Job that selects by another label',
    objectText('Job', 'spec: {selector: {matchLabels: {a: b}}}\n', 'batch/v1'),
    [OWN],
    [OWN, SELECTOR, TEMPLATE],
  ],
  [
    'a CronJob',
    objectText('CronJob', 'spec: {jobTemplate: {spec: {template: {spec: {}}}}}\n', 'batch/v1'),
    [OWN, 'spec.jobTemplate.metadata.labels', 'spec.jobTemplate.spec.template.metadata.labels'],
    [OWN, 'spec.jobTemplate.metadata.labels', 'spec.jobTemplate.spec.template.metadata.labels'],
  ],
  [
    'a StatefulSet with claims',
    objectText('StatefulSet', 'spec: {volumeClaimTemplates: [{spec: {}}]}\n', 'apps/v1'),
    [OWN, 'spec.volumeClaimTemplates.0.metadata.labels', SELECTOR],
    [OWN, 'spec.volumeClaimTemplates.0.metadata.labels', SELECTOR, TEMPLATE],
  ],
  [
    'a PodDisruptionBudget that selects by the label',
    objectText('PodDisruptionBudget', 'spec: {selector: {matchLabels: {env: q}}}\n', 'policy/v1'),
    [OWN, SELECTOR],
    [OWN, SELECTOR],
  ],
  [
    'a PodDisruptionBudget that selects by another label',
    objectText('PodDisruptionBudget', 'spec: {selector: {matchLabels: {a: b}}}\n', 'policy/v1'),
    [OWN],
    [OWN, SELECTOR],
  ],
  [
    'a NetworkPolicy that selects by the label',
    objectText(
      'NetworkPolicy',
      'spec: {podSelector: {matchLabels: {env: q}}, ingress: [{from: [{podSelector: {matchLabels: {env: q}}}]}], egress: [{to: [{podSelector: {matchLabels: {env: q}}}]}]}\n',
      'networking.k8s.io/v1',
    ),
    [OWN, 'spec.podSelector.matchLabels', 'spec.ingress.0.from.0.podSelector.matchLabels', 'spec.egress.0.to.0.podSelector.matchLabels'],
    [OWN, 'spec.podSelector.matchLabels', 'spec.ingress.0.from.0.podSelector.matchLabels', 'spec.egress.0.to.0.podSelector.matchLabels'],
  ],
  [
    'pods that are spread by the label',
    objectText(
      'Deployment',
      'spec: {template: {spec: {topologySpreadConstraints: [{labelSelector: {matchLabels: {env: q}}}]}}}\n',
      'apps/v1',
    ),
    [OWN, 'spec.template.spec.topologySpreadConstraints.0.labelSelector.matchLabels', TEMPLATE, SELECTOR],
    [OWN, 'spec.template.spec.topologySpreadConstraints.0.labelSelector.matchLabels', TEMPLATE, SELECTOR],
  ],
  [
    'pods that are spread by another label',
    objectText(
      'Deployment',
      'spec: {template: {spec: {topologySpreadConstraints: [{labelSelector: {matchLabels: {a: b}}}]}}}\n',
      'apps/v1',
    ),
    [OWN, TEMPLATE, SELECTOR],
    [OWN, 'spec.template.spec.topologySpreadConstraints.0.labelSelector.matchLabels', TEMPLATE, SELECTOR],
  ],
])('the label is in %s: v0.2 adds it to no selector of objects that may lack it, v0.1 to all', (_what, text, newer, older) => {
  expect(labelled('v0.2.1', text)).toEqual(expect.arrayContaining(newer))
  expect(labelled('v0.2.1', text)).toHaveLength(newer.length)
  expect(labelled('v0.1.5', text)).toEqual(expect.arrayContaining(older))
  expect(labelled('v0.1.5', text)).toHaveLength(older.length)
})

test('objects for tools alone get no label from v0.2, and one from v0.1', () => {
  const local = objectText('ConfigMap', '  annotations: {config.kubernetes.io/local-config: "true"}\n')
  expect(labelled('v0.2.1', local)).toEqual([])
  expect(messagesOfRun('set-labels', LABEL, local)).toEqual(['no input resources'])
  expect(labelled('v0.1.5', local)).toEqual([OWN])
})

test('v0.2 counts each label in each map, changed or not', () => {
  expect(messagesOfRun('set-labels', { a: '1', b: '2' }, objectText('ConfigMap', '  labels: {a: "1"}\n'))).toEqual([
    'set 2 labels in total',
  ])
  expect(messagesOfRun('set-labels', { a: '1' }, workload('Deployment'))).toEqual(['set 3 labels in total'])
  expect(messagesOfRun('set-labels', {}, objectText('ConfigMap', ''))).toEqual(['no `labels` arguments are given in FunctionConfig'])
})

const config = (kind: string, fields: object, apiVersion = 'fn.kpt.dev/v1alpha1', name = 'c') => ({
  apiVersion,
  kind,
  metadata: { name },
  ...fields,
})

test.each([
  ['set-labels', config('SetLabels', { labels: LABEL }), ['labels:', 'env: p']],
  ['set-labels', config('SetLabels', { labels: LABEL }, 'fn.kpt.dev/v2'), ['labels:', 'env: p']],
  ['set-labels', config('SetLabels', { labels: LABEL }, 'v1'), [expect.stringContaining('`apiVersion` must be')]],
  ['set-labels', config('SetLabelConfig', { labels: LABEL }), [expect.stringContaining('`kind` must be one of')]],
  ['set-labels', config('SetLabels', { labels: { env: 5 } }), [expect.stringContaining('must be a string')]],
  ['set-labels', config('ConfigMap', {}, 'v1', 'function-input'), [expect.stringContaining('a functionConfig must be given')]],
  ['set-labels', config('ConfigMap', { data: LABEL }, 'v1', 'function-input'), ['labels:', 'env: p']],
  ['set-labels', config('ConfigMap', {}, 'v1'), [expect.stringContaining('no `labels` arguments')]],
  ['set-labels v0.1.5', config('SetLabelConfig', { labels: LABEL }), ['labels:', 'env: p']],
  ['set-labels v0.1.5', config('SetLabels', { labels: { env: 5 } }), ['labels:', "env: '5'"]],
  ['set-labels v0.1.5', config('SetLabels', { labels: {} }), ['error: `labels` must have a label']],
  ['set-labels v0.1.5', config('ConfigMap', {}, 'v1'), ['error: `data` must have a label']],
  ['set-labels v0.1.5', config('ConfigMap', { data: LABEL }, 'v2'), [expect.stringContaining('`apiVersion` must be')]],
  [
    'set-labels v0.1.5',
    config('SetLabels', { labels: LABEL, additionalLabelFields: [{ path: 'spec/labels', kind: 'ConfigMap', create: true }] }),
    ['labels:', 'env: p', 'spec:', 'labels:', 'env: p'],
  ],
  [
    'set-labels v0.1.5',
    config('SetLabels', { labels: LABEL, additionalLabelFields: [{ path: 'spec/labels', kind: 'Pod', create: true }] }),
    ['labels:', 'env: p'],
  ],
])('%s with the functionConfig %j', (name, given, expected) => {
  expect(
    run(name, given, objectText('ConfigMap', '')).map((line) => (typeof line === 'string' ? line.replace('"5"', "'5'") : line)),
  ).toEqual(expected)
})

test.each([
  ['labels that are no map', '  labels: x\n', ['v0.2.1', 'v0.1.5'], 'must be a map'],
  ['a label that is a number', '  labels: {a: 5}\n', ['v0.2.1'], 'must be a string'],
  ['no labels but null', '  labels: ~\n', ['v0.2.1'], 'must be a map'],
])('%s are refused', (_what, rest, versions, message) => {
  for (const version of versions)
    expect(run(`set-labels ${version}`, LABEL, objectText('ConfigMap', rest))).toEqual([expect.stringContaining(message)])
})

test('v0.1 refuses two objects of one name, and numbers that JSON does not have', () => {
  const twice = [objectText('ConfigMap', ''), objectText('ConfigMap', '')]
  expect(run('set-labels v0.1.5', LABEL, ...twice)).toEqual([expect.stringContaining("got 'web' for both")])
  expect(run('set-labels v0.2.1', LABEL, ...twice)).toHaveLength(4)
  const numbers = objectText('ConfigMap', 'a: .inf\nb: [-.inf, .nan]\nc: "x.inf"\nd: 1.5\n')
  expect(run('set-labels v0.1.5', LABEL, numbers)).toEqual([
    'error: `a` must be a number of JSON, got .inf',
    'error: `b[0]` must be a number of JSON, got -.inf',
    'error: `b[1]` must be a number of JSON, got .nan',
  ])
})
