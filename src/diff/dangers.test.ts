import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { readPackageFile } from '../package/read-package.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { DANGER_RULES, type DangerousChange, dangersOf, WIDE_CHANGE } from './dangers.ts'
import { fieldChanges } from './field-changes.ts'

const ROWS = readFileSync(fileURLToPath(new URL('../../docs/dangers.md', import.meta.url)), 'utf8').matchAll(/^\| `([a-z-]+)` \|/gm)

test('docs/dangers.md lists the dangers in their order', () => {
  expect(Array.from(ROWS, ([, id]) => id)).toEqual([...DANGER_RULES.map(({ id }) => id), WIDE_CHANGE])
})

/** Two states of an object, the second '' if it is deleted, the first '' if it is new. */
type States = readonly [before: string, after: string]

function changeOf([before, after]: States): DangerousChange {
  const [was, is] = [before, after].map((text) => (text === '' ? undefined : parse(text)))
  const isRenamed = was !== undefined && is !== undefined && was.metadata?.name !== is.metadata?.name
  const op = was === undefined ? 'create' : is === undefined ? 'delete' : isRenamed ? 'rename' : 'change'
  return { op, fields: was && is ? fieldChanges(was, is) : [], ...(was && { before: was }), ...(is && { after: is }) }
}

const object = (kind: string, apiVersion: string, more = '') =>
  `{kind: ${kind}, apiVersion: ${apiVersion}, metadata: {name: a}${more && `, ${more}`}}`
const named = (name: string, text: string) => text.replace('name: a', `name: ${name}`)
const claim = (fields: string) => object('PersistentVolumeClaim', 'v1', `spec: {${fields}}`)
const deployment = (fields: string) => object('Deployment', 'apps/v1', `spec: {${fields}}`)
const pod = (fields: string) => deployment(`template: {spec: {${fields}}}`)
const container = (fields: string) => pod(`containers: [{name: main, ${fields}}]`)
const role = (rules: string) => object('Role', 'rbac.authorization.k8s.io/v1', `rules: [${rules}]`)
const rule = (groups: string, resources: string, verbs: string) => `{apiGroups: [${groups}], resources: [${resources}], verbs: [${verbs}]}`
const binding = (name: string, subjects: string) =>
  object('ClusterRoleBinding', 'rbac.authorization.k8s.io/v1', `roleRef: {kind: ClusterRole, name: ${name}}, subjects: [${subjects}]`)
const definition = (served: string) =>
  object(
    'CustomResourceDefinition',
    'apiextensions.k8s.io/v1',
    `spec: {versions: [{name: v1, served: ${served}}, {name: v2, served: true}]}`,
  )
const webhook = (more: string) =>
  object('ValidatingWebhookConfiguration', 'admissionregistration.k8s.io/v1', `webhooks: [{name: w${more}}]`)
const budget = (spec: string) => object('PodDisruptionBudget', 'policy/v1', `spec: {${spec}}`)

/** For each row, a change that has the danger, and changes that nearly have it. */
const CASES: Readonly<Record<string, readonly [has: States, ...nearly: States[]]>> = {
  'namespace-deleted': [
    [object('Namespace', 'v1'), ''],
    ['', object('Namespace', 'v1')],
    [object('Namespace', 'example.com/v1'), ''],
  ],
  'volume-claim-deleted': [
    [claim('a: 1'), named('b', claim('a: 1'))],
    [claim('volumeName: x'), claim('volumeName: x')],
  ],
  'volume-deleted': [
    [object('PersistentVolume', 'v1'), ''],
    ['', object('PersistentVolume', 'v1')],
  ],
  'definition-deleted': [
    [definition('true'), ''],
    [definition('true'), definition('true')],
  ],
  'version-not-served': [
    [definition('true'), definition('false')],
    [definition('false'), definition('true')],
  ],
  'stateful-set-deleted': [
    [object('StatefulSet', 'apps/v1'), ''],
    [object('Deployment', 'apps/v1'), ''],
  ],
  'immutable-selector': [
    [deployment('selector: {matchLabels: {a: b}}'), deployment('selector: {matchLabels: {a: c}}')],
    [deployment('selector: {matchLabels: {a: b}}, replicas: 1'), deployment('selector: {matchLabels: {a: b}}, replicas: 2')],
    [object('Service', 'v1', 'spec: {selector: {a: b}}'), object('Service', 'v1', 'spec: {selector: {a: c}}')],
  ],
  'immutable-stateful-set': [
    [object('StatefulSet', 'apps/v1', 'spec: {serviceName: a}'), object('StatefulSet', 'apps/v1', 'spec: {serviceName: b}')],
    [object('StatefulSet', 'apps/v1', 'spec: {minReadySeconds: 1}'), object('StatefulSet', 'apps/v1', 'spec: {minReadySeconds: 2}')],
  ],
  'immutable-job': [
    [object('Job', 'batch/v1', 'spec: {template: {a: 1}}'), object('Job', 'batch/v1', 'spec: {template: {a: 2}}')],
    [object('Job', 'batch/v1', 'spec: {suspend: true}'), object('Job', 'batch/v1', 'spec: {suspend: false}')],
    [object('CronJob', 'batch/v1', 'spec: {jobTemplate: {a: 1}}'), object('CronJob', 'batch/v1', 'spec: {jobTemplate: {a: 2}}')],
  ],
  'immutable-cluster-ip': [
    [object('Service', 'v1', 'spec: {clusterIP: 10.0.0.1}'), object('Service', 'v1', 'spec: {clusterIP: 10.0.0.2}')],
    [object('Service', 'v1', 'spec: {clusterIP: 10.0.0.1}'), object('Service', 'v1', 'spec: {}')],
  ],
  'immutable-volume-claim': [
    [claim('resources: {requests: {storage: 10Gi}}'), claim('resources: {requests: {storage: 9000Mi}}')],
    [claim('resources: {requests: {storage: 10Gi}}'), claim('resources: {requests: {storage: 10241Mi}}')],
  ],
  'immutable-data': [
    [object('ConfigMap', 'v1', 'immutable: true, data: {a: b}'), object('ConfigMap', 'v1', 'immutable: true, data: {a: c}')],
    [object('ConfigMap', 'v1', 'data: {a: b}'), object('ConfigMap', 'v1', 'immutable: true, data: {a: c}')],
  ],
  'immutable-role-ref': [
    [binding('view', ''), binding('edit', '')],
    [binding('view', ''), binding('view', '{kind: User, name: ada}')],
  ],
  'immutable-storage-class': [
    [object('StorageClass', 'storage.k8s.io/v1', 'provisioner: a'), object('StorageClass', 'storage.k8s.io/v1', 'provisioner: b')],
    [
      object('StorageClass', 'storage.k8s.io/v1', 'allowVolumeExpansion: false'),
      object('StorageClass', 'storage.k8s.io/v1', 'allowVolumeExpansion: true'),
    ],
  ],
  'no-replicas': [
    [deployment('replicas: 1'), deployment('replicas: 0')],
    [deployment('replicas: 0'), deployment('replicas: 1')],
    ['', deployment('replicas: 0')],
  ],
  'wider-access': [
    [role(rule('apps', 'deployments', 'get')), role(rule('apps', '"*"', 'get'))],
    [role(rule('apps', '"*"', '"*"')), role(rule('apps', '"*"', 'get'))],
    [role(rule('""', 'secrets', 'get, list')), role(rule('""', 'secrets, pods', 'get'))],
    [binding('view', ''), binding('view', '{kind: User, name: ada}')],
  ],
  privileged: [
    [container('image: "a:1"'), container('image: "a:1", securityContext: {privileged: true}')],
    [container('image: "a:1", securityContext: {privileged: true}'), container('image: "a:2", securityContext: {privileged: true}')],
  ],
  'host-path': [
    ['', pod('volumes: [{name: v, hostPath: {path: /}}]')],
    ['', pod('volumes: [{name: v, emptyDir: {}}]')],
  ],
  'host-namespace': [
    [pod('hostNetwork: false'), pod('hostNetwork: true')],
    [pod('hostNetwork: true'), pod('hostNetwork: true, a: 1')],
  ],
  'floating-image': [
    [container('image: "a:1"'), container('image: "registry:5000/a"')],
    [container('image: "a:1"'), container('image: "registry:5000/a:2"')],
    ['', container('image: "a@sha256:0123"')],
    [container('image: a'), container('image: a, args: [b]')],
  ],
  'failing-webhook': [
    [webhook(', failurePolicy: Ignore'), webhook('')],
    [webhook(''), webhook(', failurePolicy: Fail')],
  ],
  'no-disruption-allowed': [
    [budget('maxUnavailable: 1'), budget('maxUnavailable: 0')],
    [budget('maxUnavailable: 1'), budget('minAvailable: 1')],
    [budget('maxUnavailable: 0'), budget('maxUnavailable: 0, a: 1')],
  ],
}

test('each danger has its cases', () => {
  expect(Object.keys(CASES)).toEqual(DANGER_RULES.map(({ id }) => id))
})

test.each(Object.entries(CASES))('%s is found, and not in what is nearly one', (id, [has, ...nearly]) => {
  const found = (states: States) => dangersOf(changeOf(states)).map((danger) => danger.rule)
  expect(found(has)).toContain(id)
  expect(nearly.filter((states) => found(states).includes(id))).toEqual([])
})

test('a subject of cluster-admin is wider access', () => {
  const states: States = [binding('cluster-admin', ''), binding('cluster-admin', '{kind: User, name: ada}')]
  expect(dangersOf(changeOf(states))).toMatchObject([{ rule: 'wider-access', path: 'subjects[0]' }])
})

// Manifests of public repositories. They are not part of this repository.
const REAL = '../shared/real'

test.runIf(SHARED_MUST_BE_THERE || existsSync(REAL))('no object of real manifests is dangerous when it does not change', () => {
  const files = readdirSync(REAL, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
  const objects = files.flatMap((path) => readPackageFile(path, readFileSync(join(REAL, path))).file?.documents ?? [])
  const isPlain = (each: KrmObject) => each.aliases().length === 0 && each.duplicateKeys().length === 0
  const values = objects.flatMap(({ object: each }) => (each !== undefined && isPlain(each) ? [each.toJson()] : []))
  expect(values.length).toBeGreaterThan(500)
  const found = values.flatMap((value) => dangersOf({ op: 'change', before: value, after: value, fields: fieldChanges(value, value) }))
  expect(found).toEqual([])
  expect(values.flatMap((value) => dangersOf({ op: 'create', after: value, fields: [] })).length).toBeGreaterThan(10)
})
