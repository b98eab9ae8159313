import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { readPackageFile } from '../package/read-package.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { DangerousChange } from './danger-rule.ts'
import { DANGER_RULES, dangersOf, WIDE_CHANGE } from './dangers.ts'
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

const volume = (spec: string) => object('PersistentVolume', 'v1', `spec: {${spec}}`)
const balancer = (spec: string) => object('Service', 'v1', `spec: {type: LoadBalancer, ${spec}}`)
const indexed = (spec: string) => object('Job', 'batch/v1', `spec: {completionMode: Indexed, ${spec}}`)
const crd = (spec: string) => object('CustomResourceDefinition', 'apiextensions.k8s.io/v1', `spec: {${spec}}`)
const schema = (text: string) => crd(`versions: [{name: v1, served: true, schema: {openAPIV3Schema: {${text}}}}]`)
const selecting = (labels: string) => deployment(`selector: {matchLabels: {a: b}}, template: {metadata: {labels: {${labels}}}}`)
const enforcing = (level: string) =>
  `{kind: Namespace, apiVersion: v1, metadata: {name: a, labels: {pod-security.kubernetes.io/enforce: ${level}}}}`
const binds = (action: string) =>
  object('ValidatingAdmissionPolicyBinding', 'admissionregistration.k8s.io/v1', `spec: {validationActions: [${action}]}`)

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
  'package-deleted': [
    [object('Provider', 'pkg.crossplane.io/v1', 'spec: {package: "x:v1"}'), ''],
    [
      object('Provider', 'pkg.crossplane.io/v1', 'spec: {package: "x:v1"}'),
      object('Provider', 'pkg.crossplane.io/v1', 'spec: {package: "x:v2"}'),
    ],
    [object('Provider', 'notification.toolkit.fluxcd.io/v1', 'spec: {type: slack}'), ''],
    [object('ProviderConfig', 'pkg.crossplane.io/v1'), ''],
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
    [object('Job', 'batch/v1', 'spec: {completions: 1}'), object('Job', 'batch/v1', 'spec: {}')],
    [indexed('completions: 2, parallelism: 2'), indexed('completions: 3, parallelism: 3')],
  ],
  'immutable-cluster-ip': [
    [object('Service', 'v1', 'spec: {clusterIP: 10.0.0.1}'), object('Service', 'v1', 'spec: {clusterIP: 10.0.0.2}')],
    [object('Service', 'v1', 'spec: {clusterIP: 10.0.0.1}'), object('Service', 'v1', 'spec: {}')],
  ],
  'immutable-load-balancer-class': [
    [balancer('loadBalancerClass: a'), balancer('loadBalancerClass: b')],
    [balancer('loadBalancerIP: 10.0.0.1'), balancer('loadBalancerIP: 10.0.0.2')],
    [balancer('loadBalancerClass: a'), object('Service', 'v1', 'spec: {type: ClusterIP}')],
  ],
  'immutable-volume-claim': [
    [claim('resources: {requests: {storage: 10Gi}}'), claim('resources: {requests: {storage: 9000Mi}}')],
    [claim('resources: {requests: {storage: 10Gi}}'), claim('resources: {requests: {storage: 10241Mi}}')],
    [claim('volumeMode: Filesystem'), claim('')],
  ],
  'immutable-volume': [
    [volume('nfs: {server: a, path: /}'), volume('nfs: {server: b, path: /}')],
    [volume('nfs: {server: a}, capacity: {storage: 1Gi}'), volume('nfs: {server: a}, capacity: {storage: 2Gi}')],
    [volume('nfs: {server: a}, volumeMode: Filesystem'), volume('nfs: {server: a}')],
  ],
  'immutable-data': [
    [object('ConfigMap', 'v1', 'immutable: true, data: {a: b}'), object('ConfigMap', 'v1', 'immutable: true, data: {a: c}')],
    [object('ConfigMap', 'v1', 'data: {a: b}'), object('ConfigMap', 'v1', 'immutable: true, data: {a: c}')],
  ],
  'immutable-secret-type': [
    [object('Secret', 'v1', 'type: Opaque'), object('Secret', 'v1', 'type: kubernetes.io/tls')],
    [object('Secret', 'v1', 'type: Opaque'), object('Secret', 'v1')],
    ['', object('Secret', 'v1', 'type: kubernetes.io/tls')],
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
    [
      object('StorageClass', 'storage.k8s.io/v1', 'provisioner: a, reclaimPolicy: Delete'),
      object('StorageClass', 'storage.k8s.io/v1', 'provisioner: a'),
    ],
  ],
  'immutable-definition': [
    [crd('scope: Namespaced'), crd('scope: Cluster')],
    [crd('scope: Cluster, names: {kind: A, shortNames: [a]}'), crd('scope: Cluster, names: {kind: A, shortNames: [b]}')],
    ['', crd('scope: Cluster')],
  ],
  'immutable-priority': [
    [object('PriorityClass', 'scheduling.k8s.io/v1', 'value: 1'), object('PriorityClass', 'scheduling.k8s.io/v1', 'value: 2')],
    [
      object('PriorityClass', 'scheduling.k8s.io/v1', 'value: 1, preemptionPolicy: PreemptLowerPriority'),
      object('PriorityClass', 'scheduling.k8s.io/v1', 'value: 1'),
    ],
    [
      object('PriorityClass', 'scheduling.k8s.io/v1', 'value: 1, description: a'),
      object('PriorityClass', 'scheduling.k8s.io/v1', 'value: 1, description: b'),
    ],
  ],
  'selector-misses-pods': [
    [selecting('a: b'), selecting('a: c')],
    [selecting('a: b'), selecting('a: b, more: labels')],
    [selecting('a: c'), selecting('a: d')],
  ],
  'limit-below-request': [
    [container('resources: {requests: {cpu: 1}, limits: {cpu: 2}}'), container('resources: {requests: {cpu: 1}, limits: {cpu: 500m}}')],
    [container('resources: {requests: {cpu: 1}}'), container('resources: {requests: {cpu: 1}, limits: {cpu: 1000m}}')],
    [container('resources: {requests: {cpu: 1}}'), container('resources: {requests: {cpu: 1}, limits: {memory: 1}}')],
  ],
  'volume-not-kept': [
    [volume('persistentVolumeReclaimPolicy: Retain'), volume('persistentVolumeReclaimPolicy: Delete')],
    [volume('persistentVolumeReclaimPolicy: Delete'), volume('persistentVolumeReclaimPolicy: Retain')],
    ['', volume('persistentVolumeReclaimPolicy: Delete')],
  ],
  'property-removed': [
    [schema('properties: {spec: {properties: {size: {type: integer}}}}'), schema('properties: {spec: {properties: {}}}')],
    [schema('properties: {spec: {properties: {}}}'), schema('properties: {spec: {properties: {size: {type: integer}}}}')],
    [schema('properties: {spec: {description: a}}'), schema('properties: {spec: {}}')],
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
    [role(`${rule('""', 'secrets', 'get')}, ${rule('""', 'secrets', 'list')}`), role(rule('""', 'secrets', 'get, list'))],
    [
      '',
      object(
        'RoleBinding',
        'rbac.authorization.k8s.io/v1',
        'roleRef: {kind: Role, name: cluster-admin}, subjects: [{kind: User, name: ada}]',
      ),
    ],
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
  'weaker-pod': [
    [container('securityContext: {allowPrivilegeEscalation: false}'), container('image: "a:1"')],
    [container('image: "a:1"'), container('securityContext: {capabilities: {add: [NET_BIND_SERVICE], drop: [ALL]}}')],
    [container('securityContext: {runAsUser: 0}'), container('securityContext: {runAsUser: 0, runAsGroup: 1}')],
    [
      pod('containers: [{name: main, securityContext: {runAsNonRoot: true}}]'),
      pod('securityContext: {runAsNonRoot: true}, containers: [{name: main}]'),
    ],
  ],
  'weaker-pod-security': [
    [enforcing('restricted'), enforcing('baseline')],
    [enforcing('baseline'), enforcing('restricted')],
    [enforcing('privileged'), object('Namespace', 'v1')],
  ],
  'guard-removed': [
    [object('NetworkPolicy', 'networking.k8s.io/v1', 'spec: {}'), ''],
    [
      object('NetworkPolicy', 'networking.k8s.io/v1', 'spec: {ingress: [{from: [{podSelector: {}}]}]}'),
      object('NetworkPolicy', 'networking.k8s.io/v1', 'spec: {ingress: [{from: [{namespaceSelector: {}}]}]}'),
    ],
    [object('NetworkPolicy', 'example.com/v1', 'spec: {}'), ''],
    [binds('Audit'), binds('Deny')],
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

/** Further changes that have a danger: each fault of a row that has several. */
const MORE: readonly (readonly [id: string, ...States])[] = [
  ['package-deleted', object('PackageInstall', 'packaging.carvel.dev/v1alpha1'), ''],
  ['package-deleted', object('ClusterPackage', 'packages.glasskube.dev/v1alpha1'), ''],
  ['immutable-job', object('Job', 'batch/v1', 'spec: {completions: 2}'), object('Job', 'batch/v1', 'spec: {completions: 3}')],
  ['immutable-job', indexed('completions: 2, parallelism: 2'), indexed('completions: 3, parallelism: 2')],
  ['immutable-volume-claim', claim('volumeMode: Filesystem'), claim('volumeMode: Block')],
  ['immutable-volume-claim', claim('storageClassName: fast'), claim('')],
  [
    'immutable-storage-class',
    object('StorageClass', 'storage.k8s.io/v1', 'reclaimPolicy: Retain'),
    object('StorageClass', 'storage.k8s.io/v1'),
  ],
  [
    'volume-not-kept',
    object('StatefulSet', 'apps/v1', 'spec: {}'),
    object('StatefulSet', 'apps/v1', 'spec: {persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}}'),
  ],
  ['wider-access', '', role(rule('""', 'pods/exec', 'create'))],
  ['wider-access', '', role(rule('rbac.authorization.k8s.io', 'roles', 'escalate'))],
  ['wider-access', role(rule('""', 'secrets', 'get')), role(rule('""', 'secrets', 'get, list'))],
  ['wider-access', binding('view', ''), binding('view', '{kind: Group, name: "system:unauthenticated"}')],
  ['weaker-pod', container('image: "a:1"'), container('securityContext: {capabilities: {add: [SYS_ADMIN]}}')],
  ['weaker-pod', container('image: "a:1"'), container('ports: [{containerPort: 80, hostPort: 80}]')],
  ['weaker-pod', container('image: "a:1"'), container('securityContext: {seccompProfile: {type: Unconfined}}')],
  ['weaker-pod', container('image: "a:1"'), container('securityContext: {procMount: Unmasked}')],
  ['weaker-pod', container('securityContext: {runAsNonRoot: true}'), container('image: "a:1"')],
  ['weaker-pod', container('securityContext: {capabilities: {drop: [ALL]}}'), container('image: "a:1"')],
  ['weaker-pod-security', enforcing('baseline'), object('Namespace', 'v1')],
  ['guard-removed', binds('Deny'), binds('Audit')],
  ['guard-removed', object('Ingress', 'networking.k8s.io/v1', 'spec: {tls: [{}]}'), object('Ingress', 'networking.k8s.io/v1', 'spec: {}')],
  [
    'guard-removed',
    object('NetworkPolicy', 'networking.k8s.io/v1', 'spec: {ingress: []}'),
    object('NetworkPolicy', 'networking.k8s.io/v1', 'spec: {ingress: [{}]}'),
  ],
  [
    'guard-removed',
    object('APIService', 'apiregistration.k8s.io/v1', 'spec: {}'),
    object('APIService', 'apiregistration.k8s.io/v1', 'spec: {insecureSkipTLSVerify: true}'),
  ],
]

test.each(MORE)('%s is found in each of its forms: %s → %s', (id, before, after) => {
  expect(dangersOf(changeOf([before, after])).map((danger) => danger.rule)).toContain(id)
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

test('a volume claim may change its volumeAttributesClassName', () => {
  const rules = (before: string, after: string) => dangersOf(changeOf([claim(before), claim(after)])).map(({ rule }) => rule)
  expect(rules('volumeAttributesClassName: slow', 'volumeAttributesClassName: fast')).toEqual([])
  expect(rules('storageClassName: slow', 'storageClassName: fast')).toEqual(['immutable-volume-claim'])
})
