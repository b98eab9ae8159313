import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { fieldChanges } from '../field-changes.ts'
import type { DangerousChange } from './danger-rule.ts'
import { asksCluster } from './outages.ts'
import { judgedChange, dangerPaths as paths } from './testing/judged-changes.ts'

const kindOf = (apiVersion: string, kind: string, spec: JsonRecord, metadata: JsonRecord = {}): JsonRecord => ({
  apiVersion,
  kind,
  metadata: { name: kind.toLowerCase(), ...metadata },
  spec,
})
const deployment = (labels: JsonRecord, spec: JsonRecord = {}, metadata: JsonRecord = {}) =>
  kindOf('apps/v1', 'Deployment', { template: { metadata: { labels }, spec: { containers: [{ name: 'a' }] } }, ...spec }, metadata)
const service = (selector?: JsonRecord, metadata: JsonRecord = {}) => kindOf('v1', 'Service', { ...(selector && { selector }) }, metadata)
const budget = (spec: JsonRecord, metadata: JsonRecord = {}) =>
  kindOf('policy/v1', 'PodDisruptionBudget', { selector: { matchLabels: { app: 'web' } }, ...spec }, metadata)

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['that loses a port', { ports: [{ port: 80 }, { port: 81 }] }, { ports: [{ port: 80 }] }, ['spec.ports[81/TCP]']],
  ['whose port names the protocol it had', { ports: [{ port: 80 }] }, { ports: [{ port: 80, protocol: 'TCP' }] }, []],
  ['whose port has another protocol', { ports: [{ port: 80 }] }, { ports: [{ port: 80, protocol: 'UDP' }] }, ['spec.ports[80/TCP]']],
  ['that is reached from outside no more', { type: 'LoadBalancer' }, {}, ['spec.type']],
  ['that is reached from nodes no more', { type: 'NodePort' }, { type: 'ClusterIP' }, ['spec.type']],
  ['that names the type it had', {}, { type: 'ClusterIP' }, []],
  ['that is reached from farther', { type: 'NodePort' }, { type: 'LoadBalancer' }, []],
])('clients of a Service %s: case %#', (_, before, after, expected) => {
  expect(paths('service-unreachable', judgedChange(kindOf('v1', 'Service', before), kindOf('v1', 'Service', after)))).toEqual(expected)
})

const WEB = { app: 'web' }
const OTHER = { app: 'other' }

test.each<[string, JsonRecord, JsonRecord, readonly JsonRecord[], readonly string[]]>([
  ['no pods any more', service(WEB), service(OTHER), [deployment(WEB)], ['spec.selector.app']],
  ['other pods', service(WEB), service(OTHER), [deployment(WEB), deployment(OTHER, {}, { name: 'b' })], []],
  ['none before and after', service({ app: 'x' }), service(OTHER), [deployment(WEB)], []],
  ['those of another namespace alone', service(WEB), service(OTHER), [deployment(WEB, {}, { namespace: 'x' })], []],
  ['none by itself, for other controllers', service(WEB), service(), [deployment(WEB)], []],
])('a Service whose selector changes selects %s', (_, before, after, beside, expected) => {
  expect(paths('service-unreachable', judgedChange(before, after, ...beside))).toEqual(expected)
})

test('a workload whose labels change takes a Service its pods, unless another workload has the labels, or the Service never had pods', () => {
  const path = 'spec.template.metadata.labels.app'
  const lost = (...beside: readonly JsonRecord[]) =>
    paths('service-unreachable', judgedChange(deployment(WEB), deployment(OTHER), ...beside))
  expect(lost(service(WEB))).toEqual([path])
  expect(lost(service(WEB), deployment(WEB, {}, { name: 'b' }))).toEqual([])
  expect(lost(service({ app: 'x' }))).toEqual([])
  expect(lost(service(WEB, { namespace: 'x' }))).toEqual([])
  expect(lost(kindOf('serving.example.com/v1', 'Service', { selector: WEB }))).toEqual([])
  expect(paths('service-unreachable', judgedChange(deployment(WEB), deployment(WEB, { replicas: 2 }), service(WEB)))).toEqual([])
})

test('a Service that comes with the other labels had no pods to lose', () => {
  const [before, after] = [deployment(WEB), deployment(OTHER)]
  const objects = () => ({ before: [before], after: [after, service(WEB)] })
  expect(paths('service-unreachable', { op: 'change', before, after, fields: fieldChanges(before, after), objects })).toEqual([])
})

test('a workload that is deleted takes a Service of the same cluster its pods, with no field that says so', () => {
  const before = deployment(WEB)
  const objects = () => ({ before: [before, service(WEB)], after: [service(WEB)] })
  expect(paths('service-unreachable', { op: 'delete', before, fields: [], objects })).toEqual([''])
})

const role = (rest: JsonRecord) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' }, ...rest })

test.each<[string, DangerousChange, boolean]>([
  ['the selector of a Service', judgedChange(service(WEB), service(OTHER)), true],
  ['the type of a Service', judgedChange(kindOf('v1', 'Service', {}), kindOf('v1', 'Service', { type: 'NodePort' })), false],
  ['the labels of pods', judgedChange(deployment(WEB), deployment(OTHER)), true],
  ['the replicas of pods', judgedChange(deployment(WEB), deployment(WEB, { replicas: 2 })), false],
  ['the aggregation of a ClusterRole', judgedChange(role({}), role({ aggregationRule: { clusterRoleSelectors: [] } })), true],
  ['the labels of a ClusterRole', judgedChange(role({}), role({ metadata: { name: 'r', labels: WEB } })), true],
  ['the rules of a ClusterRole', judgedChange(role({}), role({ rules: [] })), false],
  ['the labels of an object without pods', judgedChange(kindOf('v1', 'Thing', {}), kindOf('v1', 'Thing', {}, { labels: WEB })), false],
])('a change of %s depends on the other packages of the cluster: %#', (_, change, expected) => {
  expect(asksCluster(change)).toBe(expected)
})

test('a workload that is deleted depends on the other packages, one that is created does not', () => {
  expect(asksCluster({ op: 'delete', before: deployment(WEB), fields: [] })).toBe(true)
  expect(asksCluster({ op: 'create', after: deployment(WEB), fields: [] })).toBe(false)
})

/** Returns a workload whose rollout may stop this many pods. */
function rollout(kind: string, maxUnavailable: string | number, replicas?: number): JsonRecord {
  const strategy = { rollingUpdate: { maxUnavailable } }
  const field = kind === 'Deployment' ? { strategy } : { updateStrategy: strategy }
  return kindOf('apps/v1', kind, { ...field, ...(replicas !== undefined && { replicas }) })
}

test.each<[JsonRecord, string | undefined]>([
  [rollout('Deployment', '100%'), 'spec.strategy.rollingUpdate.maxUnavailable'],
  [rollout('Deployment', '99%'), undefined],
  [rollout('Deployment', 3, 3), 'spec.strategy.rollingUpdate.maxUnavailable'],
  [rollout('Deployment', 4, 3), 'spec.strategy.rollingUpdate.maxUnavailable'],
  [rollout('Deployment', 2, 3), undefined],
  [rollout('Deployment', 2, 2), 'spec.strategy.rollingUpdate.maxUnavailable'],
  [rollout('Deployment', 1, 1), undefined],
  [rollout('Deployment', 1), undefined],
  [rollout('StatefulSet', 2, 2), 'spec.updateStrategy.rollingUpdate.maxUnavailable'],
  [rollout('DaemonSet', '100%'), 'spec.updateStrategy.rollingUpdate.maxUnavailable'],
  [rollout('DaemonSet', 5, 2), undefined],
  [{ ...rollout('Deployment', '100%'), apiVersion: 'example.com/v1' }, undefined],
])('a rollout of %j may stop every pod: %j', (after, path) => {
  const { spec: _, ...without } = after
  expect(paths('all-unavailable', judgedChange({ ...without, spec: {} }, after))).toEqual(path === undefined ? [] : [path])
  expect(paths('all-unavailable', judgedChange(after, after))).toEqual([])
})

const webhooks = (entries: readonly JsonRecord[], version = 'v1'): JsonRecord => ({
  apiVersion: `admissionregistration.k8s.io/${version}`,
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'w' },
  webhooks: entries,
})
const hook = (failurePolicy?: string, rest: JsonRecord = {}): JsonRecord => ({
  name: 'a.example.com',
  ...(failurePolicy !== undefined && { failurePolicy }),
  ...rest,
})

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['Fail instead of Ignore', webhooks([hook('Ignore')]), webhooks([hook('Fail')]), ['webhooks[a.example.com].failurePolicy']],
  ['no policy, which is Fail', webhooks([hook('Ignore')]), webhooks([hook()]), ['webhooks[a.example.com].failurePolicy']],
  ['no policy in v1beta1, which is Ignore', webhooks([], 'v1beta1'), webhooks([hook()], 'v1beta1'), []],
  ['Ignore', webhooks([]), webhooks([hook('Ignore')]), []],
  ['the policy that it had', webhooks([hook()]), webhooks([hook('Fail')]), []],
])('a webhook with %s blocks requests: case %#', (_, before, after, expected) => {
  expect(paths('failing-webhook', judgedChange(before, after))).toEqual(expected)
})

test('webhooks of another group block nothing', () => {
  const of = (policy: string) => ({ ...webhooks([hook(policy)]), apiVersion: 'example.com/v1' })
  expect(paths('failing-webhook', judgedChange(of('Ignore'), of('Fail')))).toEqual([])
})

const scaler = (target: JsonRecord): JsonRecord => kindOf('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef: target })

test.each<[string, JsonRecord, readonly JsonRecord[], readonly string[]]>([
  ['nothing may be unavailable', { maxUnavailable: 0 }, [], ['spec.maxUnavailable']],
  ['no percent may be unavailable', { maxUnavailable: '0%' }, [], ['spec.maxUnavailable']],
  ['one may be unavailable', { maxUnavailable: 1 }, [], []],
  ['all must be available', { minAvailable: '100%' }, [], ['spec.minAvailable']],
  ['as many as there are', { minAvailable: 2 }, [deployment(WEB, { replicas: 2 })], ['spec.minAvailable']],
  ['one less than there are', { minAvailable: 2 }, [deployment(WEB, { replicas: 3 })], []],
  ['the only one that there is by default', { minAvailable: 1 }, [deployment(WEB)], ['spec.minAvailable']],
  ['a percent that is rounded up to all', { minAvailable: '51%' }, [deployment(WEB, { replicas: 1 })], ['spec.minAvailable']],
  ['half of two', { minAvailable: '50%' }, [deployment(WEB, { replicas: 2 })], []],
  ['more than one of two workloads has', { minAvailable: 2 }, [deployment(WEB), deployment(WEB, { replicas: 2 }, { name: 'b' })], []],
  ['no pod at all', { minAvailable: 1 }, [], []],
  ['no pod of a workload that is off', { minAvailable: 0 }, [deployment(WEB, { replicas: 0 })], []],
  ['those of other labels', { minAvailable: 1 }, [deployment(OTHER)], []],
  ['those of another namespace', { minAvailable: 1 }, [deployment(WEB, {}, { namespace: 'x' })], []],
  [
    'what an autoscaler of the workload may raise',
    { minAvailable: 1 },
    [deployment(WEB), scaler({ kind: 'Deployment', name: 'deployment' })],
    [],
  ],
  [
    'what an autoscaler of another workload may not raise',
    { minAvailable: 1 },
    [deployment(WEB), scaler({ kind: 'Deployment', name: 'other' }), scaler({ kind: 'StatefulSet', name: 'deployment' })],
    ['spec.minAvailable'],
  ],
])('a budget by which %s must stay, closed: case %#', (_, spec, beside, expected) => {
  expect(paths('no-disruption-allowed', judgedChange(budget({ maxUnavailable: 5 }), budget(spec), ...beside))).toEqual(expected)
})

test.each<[string, JsonRecord | undefined | null, string, readonly string[]]>([
  ['without a selector', undefined, 'policy/v1', []],
  ['with the selector null', null, 'policy/v1', []],
  ['with an empty selector', {}, 'policy/v1', ['spec.maxUnavailable']],
  ['with an empty selector in v1beta1', {}, 'policy/v1beta1', []],
  ['with a selector in v1beta1', { matchLabels: WEB }, 'policy/v1beta1', ['spec.maxUnavailable']],
])('a budget %s is closed only if its version selects pods by it: case %#', (_, selector, apiVersion, expected) => {
  const of = (spec: JsonRecord) => kindOf(apiVersion, 'PodDisruptionBudget', { ...spec, ...(selector !== undefined && { selector }) })
  expect(paths('no-disruption-allowed', judgedChange(of({ maxUnavailable: 1 }), of({ maxUnavailable: 0 })))).toEqual(expected)
})

test('a budget that was closed before is not closed by the change', () => {
  const [before, after] = [budget({ maxUnavailable: 0 }), budget({ maxUnavailable: '0%' })]
  expect(paths('no-disruption-allowed', judgedChange(before, after))).toEqual([])
})

test('a workload that is scaled down to what a budget of its namespace needs closes the budget, and no other', () => {
  const scaled = (from: number, to: number, ...beside: readonly JsonRecord[]) =>
    paths('no-disruption-allowed', judgedChange(deployment(WEB, { replicas: from }), deployment(WEB, { replicas: to }), ...beside))
  expect(scaled(3, 2, budget({ minAvailable: 2 }))).toEqual(['spec.replicas'])
  expect(scaled(2, 3, budget({ minAvailable: 2 }))).toEqual([])
  expect(scaled(2, 1, budget({ minAvailable: 2 }))).toEqual([])
  expect(scaled(4, 3, budget({ minAvailable: 2 }))).toEqual([])
  expect(scaled(3, 2, budget({ minAvailable: 2 }, { namespace: 'x' }))).toEqual([])
  expect(scaled(3, 2, { ...budget({ minAvailable: 2 }), apiVersion: 'example.com/v1' })).toEqual([])
})

test('only a change from a Service to a Service is one of its ports', () => {
  const ports = (count: number, apiVersion = 'v1') =>
    kindOf(apiVersion, 'Service', { ports: [80, 81].slice(0, count).map((port) => ({ port })) })
  const found = (change: DangerousChange) => paths('service-unreachable', change)
  expect(found(judgedChange(ports(2), ports(1)))).toEqual(['spec.ports[81/TCP]'])
  expect(found({ ...judgedChange(ports(2), ports(1)), op: 'rename' })).toEqual([])
  expect(found(judgedChange(ports(2, 'example.com/v1'), ports(1)))).toEqual([])
  expect(found(judgedChange(ports(2), ports(1, 'example.com/v1')))).toEqual([])
})

test('of a workload of others that says its replicas, a budget needs some too', () => {
  const rollout = (more: JsonRecord) =>
    kindOf('argoproj.io/v1alpha1', 'Rollout', { template: { metadata: { labels: WEB }, spec: { containers: [{ name: 'a' }] } }, ...more })
  const closed = (beside: JsonRecord) =>
    paths('no-disruption-allowed', judgedChange(budget({ maxUnavailable: 5 }), budget({ minAvailable: 2 }), beside))
  expect(closed(rollout({ replicas: 2 }))).toEqual(['spec.minAvailable'])
  expect(closed(rollout({ replicas: 3 }))).toEqual([])
  expect(closed(rollout({}))).toEqual([])
})

test('a change depends on the other packages if a selector or labels change, and not for what only begins alike', () => {
  const change = (before: JsonRecord, after: JsonRecord) => asksCluster(judgedChange(before, after))
  expect(change(service(WEB), service(OTHER))).toBe(true)
  expect(change(kindOf('v1', 'Service', { type: 'NodePort' }), kindOf('v1', 'Service', { type: 'ClusterIP' }))).toBe(false)
  const role = (more: JsonRecord, metadata: JsonRecord = {}) => ({
    ...kindOf('rbac.authorization.k8s.io/v1', 'ClusterRole', {}, metadata),
    rules: [],
    ...more,
  })
  expect(change(role({}), role({ rules: [{ verbs: ['get'] }] }))).toBe(false)
  expect(change(role({}), role({ rules: [{ verbs: ['get'] }] }, { labels: { a: 'b' } }))).toBe(true)
  const selects = (value: string) => ({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: value } }] } })
  expect(change(role(selects('b')), role({ ...selects('c'), rules: [{ verbs: ['get'] }] }))).toBe(true)
})

test('a workload that keeps its replicas closes no budget', () => {
  const one = deployment(WEB, { replicas: 2 })
  const relabelled = deployment(OTHER, { replicas: 2 })
  expect(paths('no-disruption-allowed', judgedChange(relabelled, one, budget({ minAvailable: 2 })))).toEqual([])
})
