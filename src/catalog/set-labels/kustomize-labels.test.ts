import { expect, test } from 'vitest'
import { objectText, run, valuesAfter } from '../testing/run-function.ts'

/** Returns the spec of an object after set-labels v0.1.5 gave the label `app: x`. */
function specAfter(kind: string, apiVersion: string, spec: object): unknown {
  const [value] = valuesAfter('set-labels v0.1.5', { app: 'x' }, objectText(kind, `spec: ${JSON.stringify(spec)}\n`, apiVersion))
  expect(value).toMatchObject({ metadata: { labels: { app: 'x' } } })
  return typeof value === 'object' && value !== null && 'spec' in value ? value.spec : undefined
}

const LABELS = { app: 'x' }
const META = { metadata: { labels: LABELS } }
const SELECTED = { matchLabels: LABELS }
const WORKLOAD = { selector: SELECTED, template: META }

// As kustomize's commonlabels.go.
test.each([
  ['Service', 'v1', { selector: LABELS }],
  ['ReplicationController', 'v1', { selector: LABELS, template: META }],
  ['Deployment', 'apps/v1', WORKLOAD],
  ['ReplicaSet', 'apps/v1', WORKLOAD],
  ['DaemonSet', 'apps/v1', WORKLOAD],
  ['StatefulSet', 'apps/v1', WORKLOAD],
  ['StatefulSet', 'example.com/v1', {}],
  ['Job', 'batch/v1', { template: META }],
  ['Job', 'example.com/v1', {}],
  ['CronJob', 'batch/v1', { jobTemplate: { ...META, spec: { template: META } } }],
  ['PodDisruptionBudget', 'policy/v1', {}],
  ['NetworkPolicy', 'networking.k8s.io/v1', {}],
  ['Till', 'example.com/v1', {}],
])('an empty %s of %s gets the labels that the kind needs', (kind, apiVersion, spec) => {
  expect(specAfter(kind, apiVersion, {})).toEqual(spec)
})

const OLD = { matchLabels: { b: 'y' } }
const BOTH = { matchLabels: { b: 'y', app: 'x' } }

test.each([
  ['Job', 'batch/v1', { selector: OLD }, { selector: BOTH, template: META }],
  [
    'CronJob',
    'batch/v1',
    { jobTemplate: { spec: { selector: OLD } } },
    { jobTemplate: { ...META, spec: { selector: BOTH, template: META } } },
  ],
  ['PodDisruptionBudget', 'policy/v1', { selector: OLD }, { selector: BOTH }],
  ['PodDisruptionBudget', 'example.com/v1', { selector: OLD }, { selector: OLD }],
  [
    'NetworkPolicy',
    'networking.k8s.io/v1',
    { podSelector: OLD, ingress: [{ from: [{ podSelector: OLD }, {}] }], egress: [{ to: [{ podSelector: OLD }] }] },
    { podSelector: BOTH, ingress: [{ from: [{ podSelector: BOTH }, {}] }], egress: [{ to: [{ podSelector: BOTH }] }] },
  ],
])('a %s of %s with a selector gets the labels there, too', (kind, apiVersion, spec, answer) => {
  expect(specAfter(kind, apiVersion, spec)).toEqual(answer)
})

const terms = (selector: object) => ({
  affinity: Object.fromEntries(
    ['podAffinity', 'podAntiAffinity'].map((key) => [
      key,
      {
        preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { labelSelector: selector } }],
        requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector }],
      },
    ]),
  ),
  topologySpreadConstraints: [{ labelSelector: selector }],
})

test.each([
  ['Deployment', 'apps/v1', BOTH],
  ['StatefulSet', 'apps/v1', BOTH],
  ['ReplicaSet', 'apps/v1', OLD],
  ['DaemonSet', 'apps/v1', OLD],
])('the terms that place the pods of a %s of %s', (kind, apiVersion, selector) => {
  const spec = specAfter(kind, apiVersion, { template: { spec: terms(OLD) } })
  expect(spec).toEqual({ selector: SELECTED, template: { ...META, spec: terms(selector) } })
})

test('the claims of a StatefulSet get the labels, and none is made', () => {
  expect(specAfter('StatefulSet', 'apps/v1', { volumeClaimTemplates: [{ spec: {} }, {}] })).toEqual({
    ...WORKLOAD,
    volumeClaimTemplates: [{ spec: {}, ...META }, META],
  })
})

test('the config may add fields, and must have a label', () => {
  const config = (labels: object) => ({
    apiVersion: 'fn.kpt.dev/v1alpha1',
    kind: 'SetLabels',
    metadata: { name: 'c' },
    labels,
    additionalLabelFields: [{ kind: 'Till', path: 'spec/tags', create: true }],
  })
  const till = objectText('Till', 'spec: {}\n', 'example.com/v1')
  expect(valuesAfter('set-labels v0.1.5', config(LABELS), till)).toMatchObject([{ spec: { tags: LABELS } }])
  expect(run('set-labels v0.1.5', config({}), till).join()).toContain('must have a label')
})
