import { expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../../json.ts'
import { dangerPaths, judgedChange, judgedObject } from './testing/judged-changes.ts'

/** Returns an object with other values at some paths, `spec.a.b`; undefined removes a field. */
function withFields(object: JsonRecord, fields: Readonly<Record<string, JsonRecord[string] | undefined>>): JsonRecord {
  return Object.entries(fields).reduce((whole, [path, value]) => setAt(whole, path.split('.'), value), object)
}

function setAt(record: JsonRecord, [key = '', ...rest]: readonly string[], value: JsonRecord[string] | undefined): JsonRecord {
  if (rest.length === 0) {
    const { [key]: _, ...others } = record
    return value === undefined ? others : { ...record, [key]: value }
  }
  const inner = record[key]
  return { ...record, [key]: setAt(asRecord(inner), rest, value) }
}

/** A field that one state has another value of, as in `spec.a: 1 → 2`. */
type Field = readonly [path: string, before: JsonRecord[string] | undefined, after: JsonRecord[string] | undefined]

/** Returns true if the change of a field is refused by a rule, at the field. */
function isRefused(rule: string, kind: string, [path, before, after]: Field, more: JsonRecord = {}): boolean {
  const object = judgedObject(kind, more)
  const found = dangerPaths(rule, judgedChange(withFields(object, { [path]: before }), withFields(object, { [path]: after })))
  return found.some((each) => each === path || each.startsWith(`${path}.`) || path.startsWith(`${each}.`))
}

const A = { a: 'b' }
const B = { a: 'c' }

test.each<[rule: string, kind: string, fixed: readonly string[], free: readonly string[]]>([
  [
    'immutable-selector',
    'apps/v1 Deployment',
    ['spec.selector.matchLabels'],
    ['spec.replicas', 'spec.template.metadata.labels', 'metadata.labels'],
  ],
  ['immutable-selector', 'apps/v1 DaemonSet', ['spec.selector.matchLabels'], ['spec.minReadySeconds']],
  ['immutable-selector', 'apps/v1 ReplicaSet', ['spec.selector.matchLabels'], ['spec.replicas']],
  [
    'immutable-stateful-set',
    'apps/v1 StatefulSet',
    ['spec.serviceName', 'spec.selector.matchLabels', 'spec.podManagementPolicy', 'spec.volumeClaimTemplates'],
    [
      ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'].map((field) => `spec.${field}`),
      ...['spec.persistentVolumeClaimRetentionPolicy.whenDeleted', 'spec.minReadySeconds', 'metadata.labels'],
    ],
  ],
  [
    'immutable-job',
    'batch/v1 Job',
    [
      ...[
        'template',
        'selector',
        'manualSelector',
        'completionMode',
        'podFailurePolicy',
        'backoffLimitPerIndex',
        'managedBy',
        'successPolicy',
      ].map((field) => `spec.${field}`),
      'spec.completions',
    ],
    ['spec.parallelism', 'spec.suspend', 'spec.backoffLimit', 'spec.ttlSecondsAfterFinished', 'metadata.labels'],
  ],
  [
    'immutable-volume',
    'v1 PersistentVolume',
    ['spec.nfs.path', 'spec.hostPath.path', 'spec.volumeMode', 'spec.nodeAffinity'],
    ['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName', 'mountOptions'].map(
      (field) => `spec.${field}`,
    ),
  ],
  ['immutable-secret-type', 'v1 Secret', ['type'], ['data', 'metadata.labels']],
  ['immutable-role-ref', 'rbac.authorization.k8s.io/v1 RoleBinding', ['roleRef.name', 'roleRef.kind'], ['subjects']],
  ['immutable-role-ref', 'rbac.authorization.k8s.io/v1 ClusterRoleBinding', ['roleRef.name'], ['subjects']],
  [
    'immutable-storage-class',
    'storage.k8s.io/v1 StorageClass',
    ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
    ['allowVolumeExpansion', 'metadata.annotations'],
  ],
  [
    'immutable-definition',
    'apiextensions.k8s.io/v1 CustomResourceDefinition',
    ['spec.scope', 'spec.names.kind', 'spec.names.plural', 'spec.group'],
    ['spec.names.shortNames', 'spec.names.singular', 'spec.conversion.strategy'],
  ],
  ['immutable-priority', 'scheduling.k8s.io/v1 PriorityClass', ['value', 'preemptionPolicy'], ['description', 'globalDefault']],
  ['immutable-field', 'networking.k8s.io/v1 IngressClass', ['spec.controller'], ['spec.parameters']],
  ['immutable-field', 'node.k8s.io/v1 RuntimeClass', ['handler'], ['overhead']],
  ['immutable-field', 'discovery.k8s.io/v1 EndpointSlice', ['addressType'], ['ports']],
  ['immutable-field', 'storage.k8s.io/v1 VolumeAttributesClass', ['driverName', 'parameters.a'], ['metadata.labels']],
  ['immutable-field', 'storage.k8s.io/v1 CSIDriver', ['spec.attachRequired', 'spec.volumeLifecycleModes'], ['spec.podInfoOnMount']],
  ['immutable-field', 'v1 ResourceQuota', ['spec.scopes'], ['spec.hard']],
  ['immutable-field', 'resource.k8s.io/v1 ResourceClaim', ['spec.devices'], ['metadata.labels']],
  ['immutable-field', 'resource.k8s.io/v1 ResourceClaimTemplate', ['spec.spec'], ['metadata.labels']],
  [
    'immutable-pod',
    'v1 Pod',
    ['spec.nodeName', 'spec.restartPolicy', 'spec.nodeSelector', 'spec.volumes', 'spec.hostname'],
    ['metadata.labels', 'metadata.annotations'],
  ],
  [
    'immutable-volume-claim',
    'v1 PersistentVolumeClaim',
    ['spec.accessModes', 'spec.volumeMode', 'spec.selector', 'spec.storageClassName', 'spec.volumeName'],
    ['spec.volumeAttributesClassName', 'metadata.labels'],
  ],
])('%s refuses other values of a %s at %j, and none at %j', (rule, kind, fixed, free) => {
  const more = kind.endsWith('Job') ? { spec: { parallelism: 2 } } : {}
  expect(fixed.filter((path) => !isRefused(rule, kind, [path, 'b', 'c'], more) && !isRefused(rule, kind, [path, A, B], more))).toEqual([])
  expect(free.filter((path) => isRefused(rule, kind, [path, 'b', 'c'], more) || isRefused(rule, kind, [path, A, B], more))).toEqual([])
})

test('another group of a kind has no fixed fields, nor has a new object', () => {
  expect(isRefused('immutable-selector', 'example.com/v1 Deployment', ['spec.selector', A, B])).toBe(false)
  const after = judgedObject('apps/v1 Deployment', { spec: { selector: B } })
  expect(dangerPaths('immutable-selector', { op: 'create', after, fields: [] })).toEqual([])
  const renamed = judgedChange(judgedObject('apps/v1 Deployment', { spec: { selector: A } }), after)
  expect(dangerPaths('immutable-selector', { ...renamed, op: 'rename' })).toEqual([])
})

test.each<[string, string, Field, boolean]>([
  ['a map above a fixed field', 'networking.k8s.io/v1 IngressClass', ['spec', undefined, { controller: 'x' }], true],
  ['a map above a fixed field that it lacks', 'networking.k8s.io/v1 IngressClass', ['spec', undefined, { parameters: {} }], false],
  ['a field of a longer name', 'networking.k8s.io/v1 IngressClass', ['spec.controllers', 'a', 'b'], false],
])('%s is refused: %#', (_, kind, field, expected) => {
  expect(isRefused('immutable-field', kind, field)).toBe(expected)
})

test.each<[string, Field, boolean]>([
  ['an affinity that is set once', ['spec.nodeAffinity', undefined, A], false],
  ['an affinity that goes', ['spec.nodeAffinity', A, undefined], true],
  ['a secret that is set once', ['spec.csi.controllerExpandSecretRef', undefined, A], false],
  ['a secret that changes', ['spec.csi.controllerExpandSecretRef', A, undefined], true],
  ['attributes that come', ['spec.volumeAttributesClassName', undefined, 'a'], false],
  ['other attributes', ['spec.volumeAttributesClassName', 'a', 'b'], false],
  ['attributes that go', ['spec.volumeAttributesClassName', 'a', undefined], true],
])('of a volume, %s is refused: case %#', (_, field, expected) => {
  expect(isRefused('immutable-volume', 'v1 PersistentVolume', field, { spec: { csi: { driver: 'd' }, capacity: {} } })).toBe(expected)
})

const CLASS = 'volume.beta.kubernetes.io/storage-class'

test.each<[string, Field, boolean]>([
  ['a larger request', ['spec.resources.requests.storage', '1Gi', '2Gi'], false],
  ['the same request', ['spec.resources.requests.storage', '1Gi', '1024Mi'], false],
  ['a smaller request', ['spec.resources.requests.storage', '2Gi', '1Gi'], true],
  ['a volume that is set once', ['spec.volumeName', undefined, 'v'], false],
  ['a class that is set once', ['spec.storageClassName', undefined, 'fast'], false],
  ['a class that goes', ['spec.storageClassName', 'fast', undefined], true],
])('of a claim, %s is refused: case %#', (_, field, expected) => {
  expect(isRefused('immutable-volume-claim', 'v1 PersistentVolumeClaim', field, { spec: { resources: { requests: {} } } })).toBe(expected)
})

/** Returns true if a change of the spec of an object is refused by a rule. */
function isRefusedSpec(rule: string, kind: string, [before, after]: readonly JsonRecord[], kubernetesVersion?: string): boolean {
  const change = judgedChange(judgedObject(kind, { spec: before ?? {} }), judgedObject(kind, { spec: after ?? {} }))
  return dangerPaths(rule, { ...change, ...(kubernetesVersion && { kubernetesVersion }) }).length > 0
}

const [ONE, TWO] = [{ key: 'one' }, { key: 'two' }]
const GATES = { schedulingGates: [{ name: 'g' }] }
const onNodes = (value: string) => ({ nodeSelector: { zone: value } })
const running = (fields: JsonRecord) => ({ containers: [{ name: 'a', image: 'x:1', ...fields }] })

test.each<[string, JsonRecord, JsonRecord, boolean]>([
  ['another image', running({}), running({ image: 'x:2' }), false],
  [
    'another image of a first container',
    { initContainers: [{ name: 'a', image: 'x:1' }] },
    { initContainers: [{ name: 'a', image: 'x:2' }] },
    false,
  ],
  ['another command', running({ command: ['a'] }), running({ command: ['b'] }), true],
  ['a deadline that comes', {}, { activeDeadlineSeconds: 5 }, false],
  ['a shorter deadline', { activeDeadlineSeconds: 5 }, { activeDeadlineSeconds: 4 }, false],
  ['a longer deadline', { activeDeadlineSeconds: 4 }, { activeDeadlineSeconds: 5 }, true],
  ['a deadline that goes', { activeDeadlineSeconds: 5 }, {}, true],
  ['a toleration more', { tolerations: [ONE] }, { tolerations: [ONE, TWO] }, false],
  [
    'a toleration for longer',
    { tolerations: [{ ...ONE, tolerationSeconds: 1 }] },
    { tolerations: [{ ...ONE, tolerationSeconds: 2 }] },
    false,
  ],
  ['a toleration less', { tolerations: [ONE, TWO] }, { tolerations: [ONE] }, true],
  ['a gate less', { schedulingGates: [{ name: 'g' }, { name: 'h' }] }, GATES, false],
  ['the last gate', GATES, { schedulingGates: [] }, false],
  ['a gate more', GATES, { schedulingGates: [{ name: 'g' }, { name: 'h' }] }, true],
  ['nodes that a waiting Pod is bound to', GATES, { ...GATES, ...onNodes('a') }, false],
  ['nodes that a Pod is bound to', {}, onNodes('a'), true],
  ['other nodes of a waiting Pod', { ...GATES, ...onNodes('a') }, { ...GATES, ...onNodes('b') }, true],
  ['an affinity to nodes of a waiting Pod', GATES, { ...GATES, affinity: { nodeAffinity: { required: {} } } }, false],
  ['an affinity to pods of a waiting Pod', GATES, { ...GATES, affinity: { podAffinity: { required: {} } } }, true],
  ['another account', { serviceAccountName: 'a' }, { serviceAccountName: 'b' }, true],
  ['an account that the server keeps', { serviceAccountName: 'a' }, {}, false],
])('of a Pod, %s is refused: case %#', (_, before, after, expected) => {
  expect(isRefusedSpec('immutable-pod', 'v1 Pod', [before, after])).toBe(expected)
})

const job = (pod: JsonRecord, more: JsonRecord = {}) => ({ template: { spec: pod }, ...more })
const WAITS = { suspend: true }
const indexed = (completions: number, parallelism: number) => ({ completionMode: 'Indexed', completions, parallelism })
const cpu = (value: string) => running({ resources: { requests: { cpu: value } } })

test.each<[string, JsonRecord, JsonRecord, boolean, string?]>([
  ['other nodes', job(onNodes('a')), job(onNodes('b')), true],
  ['other nodes of a suspended one', job(onNodes('a'), WAITS), job(onNodes('b'), WAITS), false],
  ['another image of a suspended one', job(running({}), WAITS), job(running({ image: 'x:2' }), WAITS), true],
  ['other resources of a suspended one', job(cpu('1'), WAITS), job(cpu('2'), WAITS), false],
  ['other resources of a suspended one in a cluster of today', job(cpu('1'), WAITS), job(cpu('2'), WAITS), false, '1.36'],
  ['other resources of a suspended one in an old cluster', job(cpu('1'), WAITS), job(cpu('2'), WAITS), true, '1.35'],
  ['other resources', job(cpu('1')), job(cpu('2')), true],
  ['an affinity to nodes of a suspended one', job({}, WAITS), job({ affinity: { nodeAffinity: { a: {} } } }, WAITS), false],
  ['the end of an affinity to nodes of a suspended one', job({ affinity: { nodeAffinity: { a: {} } } }, WAITS), job({}, WAITS), false],
  [
    'an affinity to pods of a suspended one',
    job({}, WAITS),
    job({ affinity: { nodeAffinity: { a: {} }, podAffinity: { a: {} } } }, WAITS),
    true,
  ],
  ['an account that the server keeps', job({ serviceAccountName: 'a' }), job({}), false],
  ['an account that keeps its other name', job({ serviceAccountName: 'a', serviceAccount: 'a' }), job({ serviceAccount: 'a' }), false],
  ['an account that loses both names', job({ serviceAccountName: 'a', serviceAccount: 'a' }), job({}), true],
  ['completions with the same parallelism', indexed(2, 2), indexed(3, 3), false],
  ['completions without that parallelism', indexed(2, 2), indexed(3, 2), true],
  ['completions', { completions: 2, parallelism: 2 }, { completions: 3, parallelism: 3 }, true],
  ['one completion that is written', {}, { completions: 1 }, false],
  ['one completion that is not written any more', { completions: 1 }, {}, false],
  ['two completions that are written', {}, { completions: 2 }, true],
  ['one completion that is written beside a parallelism', { parallelism: 2 }, { completions: 1, parallelism: 2 }, true],
])('of a Job, %s is refused: case %#', (_, before, after, expected, version) => {
  expect(isRefusedSpec('immutable-job', 'batch/v1 Job', [before, after], version)).toBe(expected)
})

test('the class of a claim that an annotation names is fixed, other annotations are not', () => {
  const claim = (annotations: JsonRecord) => judgedObject('v1 PersistentVolumeClaim', {}, { annotations })
  const refused = (before: JsonRecord, after: JsonRecord) =>
    dangerPaths('immutable-volume-claim', judgedChange(claim(before), claim(after))).length > 0
  expect(refused({ [CLASS]: 'a' }, { [CLASS]: 'b' })).toBe(true)
  expect(refused({ [CLASS]: 'a' }, {})).toBe(true)
  expect(refused({ [CLASS]: 'a', x: '1' }, { [CLASS]: 'a', x: '2' })).toBe(false)
  expect(refused({ [CLASS]: 'a', x: '1' }, { [CLASS]: 'b', x: '2' })).toBe(true)
})

test.each<[string, JsonRecord, JsonRecord, readonly string[]]>([
  ['another clusterIP', { clusterIP: '10.0.0.1' }, { clusterIP: '10.0.0.2' }, ['spec.clusterIP']],
  ['a clusterIP that is left to the server', { clusterIP: '10.0.0.1' }, {}, []],
  ['another first family', { ipFamilies: ['IPv4'] }, { ipFamilies: ['IPv6'] }, ['spec.ipFamilies']],
  ['another second family', { ipFamilies: ['IPv4', 'IPv6'] }, { ipFamilies: ['IPv4'] }, []],
  ['families that come', {}, { ipFamilies: ['IPv4'] }, []],
  ['a clusterIP of a name elsewhere before', { type: 'ExternalName', clusterIP: 'a' }, { clusterIP: 'b' }, []],
  ['a clusterIP of a name elsewhere now', { clusterIP: 'a' }, { type: 'ExternalName', clusterIP: 'b' }, []],
])('of a Service, %s is refused: case %#', (_, before, after, expected) => {
  const service = (spec: JsonRecord) => judgedObject('v1 Service', { spec })
  expect(dangerPaths('immutable-cluster-ip', judgedChange(service(before), service(after)))).toEqual(expected)
})

test('the class of a load balancer is fixed while the Service is one', () => {
  const service = (type: string, loadBalancerClass: string) => judgedObject('v1 Service', { spec: { type, loadBalancerClass } })
  const paths = (was: string, is: string) => dangerPaths('immutable-load-balancer-class', judgedChange(service(was, 'a'), service(is, 'b')))
  expect([paths('LoadBalancer', 'LoadBalancer'), paths('NodePort', 'LoadBalancer'), paths('LoadBalancer', 'NodePort')]).toEqual([
    ['spec.loadBalancerClass'],
    [],
    [],
  ])
})

test.each(['v1 ConfigMap', 'v1 Secret'])('an immutable %s keeps its data, and stays immutable', (kind) => {
  const object = (immutable: boolean, fields: JsonRecord = {}) => judgedObject(kind, { immutable, ...fields })
  const paths = (before: JsonRecord, after: JsonRecord) => dangerPaths('immutable-data', judgedChange(before, after))
  for (const field of ['data', 'binaryData', 'stringData'])
    expect(paths(object(true, { [field]: A }), object(true, { [field]: B }))).toEqual([`${field}.a`])
  expect(paths(object(true), object(false))).toEqual(['immutable'])
  expect(paths(object(false, { data: A }), object(true, { data: B }))).toEqual([])
  expect(paths(object(true, { data: A }), { ...object(true, { data: A }), metadata: { name: 'a', labels: A } })).toEqual([])
})

test('a definition keeps the version in which objects are stored', () => {
  const definition = (...versions: readonly JsonRecord[]) =>
    judgedObject('apiextensions.k8s.io/v1 CustomResourceDefinition', { spec: { versions } })
  const [v1, v2] = [
    { name: 'v1', storage: true },
    { name: 'v2', storage: false },
  ]
  const paths = (before: JsonRecord, after: JsonRecord) => dangerPaths('immutable-definition', judgedChange(before, after))
  expect(paths(definition(v1, v2), definition(v2))).toEqual(['spec.versions[v1]'])
  expect(paths(definition(v1, v2), definition(v1))).toEqual([])
  expect(paths(definition(v1, v2), definition({ ...v1, storage: false }, { ...v2, storage: true }))).toEqual([])
})

test.each(['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'])(
  'a %s whose selector misses its pods is refused, unless it was so before',
  (kind) => {
    const workload = (selected: string, label: string) =>
      judgedObject(`apps/v1 ${kind}`, {
        spec: { selector: { matchLabels: { app: selected } }, template: { metadata: { labels: { app: label } } } },
      })
    const paths = (before: JsonRecord, after: JsonRecord) => dangerPaths('selector-misses-pods', judgedChange(before, after))
    expect(paths(workload('a', 'a'), workload('a', 'b'))).toEqual(['spec.template.metadata.labels'])
    expect(paths(workload('a', 'b'), workload('a', 'c'))).toEqual([])
    expect(paths(workload('a', 'a'), workload('b', 'b'))).toEqual([])
  },
)
