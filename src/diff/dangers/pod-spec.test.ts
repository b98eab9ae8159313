import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  containersOf,
  groupKindOf,
  groupOfObject,
  hasGroupKind,
  isSameObject,
  nameOfRecord,
  namespaceOfRecord,
  podLabelsOf,
  podSpecOf,
  podTemplatesOf,
} from './pod-spec.ts'
import { judgedObject } from './testing/judged-changes.ts'

const TEMPLATE = '{metadata: {labels: {app: till, level: 2}}, spec: {containers: [{name: c}]}}'
const POD = { containers: [{ name: 'c' }] }
const METADATA = { labels: { app: 'till', level: 2 } }

test.each<readonly [kind: string, fields: string, path: string]>([
  ['batch/v1 CronJob', `{spec: {jobTemplate: {spec: {template: ${TEMPLATE}}}}}`, 'spec.jobTemplate.spec.template.spec'],
  ['v1 PodTemplate', `{template: ${TEMPLATE}}`, 'template.spec'],
  ...[
    'v1 ReplicationController',
    'batch/v1 Job',
    'apps/v1 Deployment',
    'apps/v1 DaemonSet',
    'apps/v1 ReplicaSet',
    'apps/v1 StatefulSet',
  ].map((kind) => [kind, `{spec: {template: ${TEMPLATE}}}`, 'spec.template.spec'] as const),
])('a %s has the spec and the metadata of its pods in %s', (kind, fields, path) => {
  const object = judgedObject(kind, parse(fields))
  expect(podSpecOf(object)).toEqual({ path, value: POD, metadata: METADATA })
  expect(podTemplatesOf(object)).toEqual([{ path, value: POD, metadata: METADATA }])
  expect([...(podLabelsOf(object) ?? [])]).toEqual([
    ['app', 'till'],
    ['level', '2'],
  ])
})

test('a Pod is the template of itself', () => {
  const pod = judgedObject('v1 Pod', { spec: POD }, { labels: { app: 'till' } })
  expect(podTemplatesOf(pod)).toEqual([{ path: 'spec', value: POD, metadata: { name: 'a', labels: { app: 'till' } } }])
  expect([...(podLabelsOf(pod) ?? [])]).toEqual([['app', 'till']])
})

test.each([
  ['apps/v1 Deployment', '{spec: {template: {spec: text}}}', 'without a map as the spec of its pods'],
  ['v1 Service', `{spec: {template: ${TEMPLATE}}}`, 'of another kind of the core group'],
  ['extensions/v1beta1 Thing', `{spec: {template: ${TEMPLATE}}}`, 'of a group of Kubernetes without a dot'],
  ['policy.k8s.io/v1 Thing', `{spec: {template: ${TEMPLATE}}}`, 'of a group of Kubernetes with a dot'],
])('a %s with %s has no templates: it is one %s', (kind, fields) => {
  expect(podSpecOf(judgedObject(kind, parse(fields)))).toBeUndefined()
  expect(podTemplatesOf(judgedObject(kind, parse(fields)))).toEqual([])
})

test.each([
  ['argoproj.io/v1alpha1 Rollout', `{spec: {template: ${TEMPLATE}}}`, ['spec.template.spec']],
  [
    'jobset.x-k8s.io/v1 JobSet',
    `{spec: {jobs: [{name: a, template: ${TEMPLATE}}, {podTemplate: ${TEMPLATE}}]}}`,
    ['spec.jobs[a].template.spec', 'spec.jobs[1].podTemplate.spec'],
  ],
  [
    'example.org/v1 Two',
    `{spec: {workerTemplate: ${TEMPLATE}, masters: {template: ${TEMPLATE}}}}`,
    ['spec.workerTemplate.spec', 'spec.masters.template.spec'],
  ],
  // A template of something else may have one of pods in it.
  ['example.org/v1 Deep', `{spec: {jobTemplate: {spec: {template: ${TEMPLATE}}}}}`, ['spec.jobTemplate.spec.template.spec']],
  ['example.org/v1 Other', `{spec: {templates: ${TEMPLATE}}}`, []],
  ['example.org/v1 NoList', '{spec: {template: {spec: {containers: {a: {}}}}}}', []],
  ['example.org/v1 NoSpec', `{template: ${TEMPLATE}}`, []],
  ['example.org/v1 Text', '{spec: text}', []],
])('a %s with %s has templates at %j', (kind, fields, paths) => {
  const templates = podTemplatesOf(judgedObject(kind, parse(fields)))
  expect(templates).toEqual(paths.map((path) => ({ path, value: POD, metadata: METADATA })))
})

test('an object that is absent has no pods', () => {
  expect(podSpecOf(undefined)).toBeUndefined()
  expect(podTemplatesOf(undefined)).toEqual([])
  expect(podLabelsOf(undefined)).toBeUndefined()
  expect(containersOf(undefined)).toEqual([])
})

test('a template without metadata has none, and its pods have no labels', () => {
  const job = judgedObject('batch/v1 Job', { spec: { template: { spec: POD } } })
  expect(podSpecOf(job)).toEqual({ path: 'spec.template.spec', value: POD, metadata: {} })
  expect(podLabelsOf(job)).toEqual(new Map())
})

test('the labels of pods are those of the first template, also of a workload whose template has no spec', () => {
  const labelled = (app: string) => ({ metadata: { labels: { app } }, spec: POD })
  const own = judgedObject('example.org/v1 Two', { spec: { aTemplate: labelled('a'), bTemplate: labelled('b') } })
  expect(podLabelsOf(own)).toEqual(new Map([['app', 'a']]))
  const draft = judgedObject('apps/v1 Deployment', { spec: { template: { metadata: { labels: { app: 'a' } } } } })
  expect(podLabelsOf(draft)).toEqual(new Map([['app', 'a']]))
  expect(podLabelsOf(judgedObject('v1 ConfigMap', {}, { labels: { app: 'a' } }))).toBeUndefined()
  expect(podLabelsOf(judgedObject('example.org/v1 None', { spec: {} }))).toBeUndefined()
})

test('containers of all three lists are found, those without a name by their position', () => {
  const pod = parse('{ephemeralContainers: [{name: e}], initContainers: [{name: i}], containers: [text, {name: c}, {image: x}]}')
  expect(containersOf(judgedObject('v1 Pod', { spec: pod }))).toEqual([
    { path: 'spec.containers[c]', value: { name: 'c' }, pod },
    { path: 'spec.containers[2]', value: { image: 'x' }, pod },
    { path: 'spec.initContainers[i]', value: { name: 'i' }, pod },
    { path: 'spec.ephemeralContainers[e]', value: { name: 'e' }, pod },
  ])
  expect(containersOf(judgedObject('v1 Pod', { spec: { containers: { name: 'c' } } }))).toEqual([])
})

test('an object is named by its group and kind', () => {
  const [service, set] = [judgedObject('v1 Service'), judgedObject('apps/v1 StatefulSet')]
  expect([service, set, undefined].map(groupKindOf)).toEqual([' Service', 'apps StatefulSet', ' '])
  expect([service, set, undefined].map(groupOfObject)).toEqual(['', 'apps', ''])
  expect(hasGroupKind(set, 'apps', 'StatefulSet')).toBe(true)
  expect(hasGroupKind(set, '', 'StatefulSet')).toBe(false)
  expect(hasGroupKind(undefined, '', '')).toBe(false)
})

test('the name and namespace of an object are those of its metadata, or empty', () => {
  const placed = judgedObject('v1 Service', {}, { namespace: 'n' })
  expect([placed, judgedObject('v1 Service'), undefined].map(nameOfRecord)).toEqual(['a', 'a', ''])
  expect([placed, judgedObject('v1 Service'), undefined].map(namespaceOfRecord)).toEqual(['n', '', ''])
})

test('two states of one object have an equal group, kind, namespace and name', () => {
  const object = judgedObject('apps/v1 Deployment', {}, { namespace: 'n' })
  expect(isSameObject(object, judgedObject('apps/v1beta1 Deployment', { spec: {} }, { namespace: 'n' }))).toBe(true)
  const others = [
    judgedObject('apps/v1 DaemonSet', {}, { namespace: 'n' }),
    judgedObject('example.org/v1 Deployment', {}, { namespace: 'n' }),
    judgedObject('apps/v1 Deployment', {}, { namespace: 'm' }),
    judgedObject('apps/v1 Deployment', {}, { namespace: 'n', name: 'b' }),
    undefined,
  ]
  expect(others.filter((other) => isSameObject(object, other))).toEqual([])
})
