import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { ruleOfObject } from './kubernetes-lists.ts'
import { mergeFields } from './merge-fields.ts'

const pod = (...containers: JsonValue[]): JsonValue => ({ apiVersion: 'v1', kind: 'Pod', spec: { containers } })
const c = (name: string, more: object = {}): JsonValue => ({ name, image: `${name}:1`, ...more })

// kyaml walk/associative_sequence.go.
test.each<[string, JsonValue[], JsonValue[], JsonValue[], JsonValue[]]>([
  [
    'entries are merged by name',
    [c('a'), c('b')],
    [c('a', { image: 'a:2' }), c('b')],
    [c('a', { tty: true }), c('b')],
    [c('a', { image: 'a:2', tty: true }), c('b')],
  ],
  ["both add: the downstream's come first", [c('a')], [c('a'), c('u')], [c('a'), c('d')], [c('a'), c('d'), c('u')]],
  ['upstream removes', [c('a'), c('b')], [c('b')], [c('a'), c('b'), c('d')], [c('b'), c('d')]],
  ['upstream removes what was changed', [c('a'), c('b')], [c('b')], [c('a', { image: 'mine' }), c('b')], [c('b')]],
  [
    'upstream removes, the downstream added a field',
    [c('a'), c('b')],
    [c('b')],
    [c('a', { tty: true }), c('b')],
    [{ name: 'a', tty: true }, c('b')],
  ],
  ['the downstream deletes', [c('a'), c('b')], [c('a'), c('b', { image: 'b:1' })], [c('a')], [c('a')]],
  [
    'the downstream deletes what upstream changes: that comes back, at the end',
    [c('a'), c('b'), c('z')],
    [c('a'), c('b', { image: 'b:2' }), c('z')],
    [c('a'), c('z')],
    [c('a'), c('z'), { name: 'b', image: 'b:2' }],
  ],
  ['upstream puts one in front', [c('a')], [c('u'), c('a')], [c('a'), c('d')], [c('u'), c('a'), c('d')]],
  ['upstream changes the order', [c('a'), c('b')], [c('b'), c('a')], [c('a'), c('b'), c('d')], [c('b'), c('d'), c('a')]],
  [
    "both change the order: the downstream's stays",
    [c('a'), c('b'), c('c')],
    [c('c'), c('a'), c('b')],
    [c('b'), c('a'), c('c')],
    [c('b'), c('a'), c('c')],
  ],
  ['one without a name makes the list one value', [c('a')], [c('a'), c('u')], [c('a'), { image: 'd' }], [c('a'), c('u')]],
  ['so do two of one name', [c('a')], [c('a'), c('u')], [c('a'), c('a')], [c('a'), c('u')]],
])('containers: %s', (_, base, theirs, ours, merged) => {
  expect(mergeFields({ base: pod(...base), theirs: pod(...theirs), ours: pod(...ours) }, undefined).value).toEqual(pod(...merged))
})

const ports = (...list: JsonValue[]): JsonValue => ({ apiVersion: 'v1', kind: 'Service', spec: { ports: list } })

test('ports are distinguished by number and protocol; one without a protocol is any of its number', () => {
  const base = ports({ port: 53, protocol: 'UDP', name: 'u' }, { port: 53, protocol: 'TCP', name: 't' }, { port: 80 })
  const theirs = ports({ port: 53, protocol: 'UDP', name: 'u2' }, { port: 53, protocol: 'TCP', name: 't' }, { port: 80, targetPort: 8080 })
  const ours = ports({ port: 53, protocol: 'UDP', name: 'u' }, { port: 53, protocol: 'TCP', name: 'mine' }, { port: 80, protocol: 'TCP' })
  const merged = ports(
    { port: 53, protocol: 'UDP', name: 'u2' },
    { port: 53, protocol: 'TCP', name: 'mine' },
    { port: 80, protocol: 'TCP', targetPort: 8080 },
  )
  expect(mergeFields({ base, theirs, ours }, undefined).value).toEqual(merged)
})

test('the protocol distinguishes ports, whatever their order is', () => {
  const [udp, tcp] = [
    { port: 53, protocol: 'UDP', name: 'u' },
    { port: 53, protocol: 'TCP', name: 't' },
  ]
  const sides = { base: ports(udp, tcp), theirs: ports(tcp, { ...udp, name: 'u2' }), ours: ports(udp, { ...tcp, name: 'mine' }) }
  expect(mergeFields(sides, undefined).value).toEqual(ports({ ...tcp, name: 'mine' }, { ...udp, name: 'u2' }))
})

test('another protocol makes another port', () => {
  const of = (protocol: string, more: object = {}): JsonValue => ({ port: 80, protocol, ...more })
  const sides = { base: ports(of('TCP')), theirs: ports(of('TCP', { name: 'up' })), ours: ports(of('UDP')) }
  expect(mergeFields(sides, undefined).value).toEqual(ports(of('UDP'), of('TCP', { name: 'up' })))
})

test('a port without a protocol is one port only, the first of its number', () => {
  const [tcp, udp] = [
    { port: 80, protocol: 'TCP' },
    { port: 80, protocol: 'UDP' },
  ]
  const sides = { base: ports({ port: 80 }), theirs: ports({ port: 80, name: 'up' }), ours: ports(tcp, udp) }
  expect(mergeFields(sides, undefined).value).toEqual(ports({ ...tcp, name: 'up' }, udp))
})

test('of a list that the downstream deleted, the entries come back that upstream changed or added', () => {
  const empty = { apiVersion: 'v1', kind: 'Pod', spec: {} }
  const merge = (theirs: JsonValue) => mergeFields({ base: pod(c('a'), c('b', { tty: true })), theirs, ours: empty }, undefined)
  expect(merge(pod(c('a'), c('b', { tty: false }), c('u'))).value).toEqual(pod({ name: 'b', tty: false }, c('u')))
  expect(merge(pod(c('b', { tty: true }), c('a')))).toMatchObject({ value: empty, outcomes: [{ result: 'kept' }] })
})

test('a deleted list whose entries have no names comes back whole', () => {
  const empty = { apiVersion: 'v1', kind: 'Pod', spec: {} }
  const theirs = pod(c('a'), { image: 'x' })
  expect(mergeFields({ base: pod(c('a')), theirs, ours: empty }, undefined).value).toEqual(theirs)
})

test('a list of a kind without a key is one value, though its entries have names', () => {
  const of = (...hosts: JsonValue[]): JsonValue => ({ apiVersion: 'v1', kind: 'Pod', spec: { resourceClaims: hosts } })
  expect(mergeFields({ base: of(c('a')), theirs: of(c('a'), c('u')), ours: of(c('a'), c('d')) }, undefined).value).toEqual(
    of(c('a'), c('u')),
  )
})

test('finalizers are a set', () => {
  const of = (...finalizers: string[]): JsonValue => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { finalizers } })
  expect(mergeFields({ base: of('a', 'b'), theirs: of('b', 'u'), ours: of('a', 'd', 'b') }, undefined).value).toEqual(of('d', 'b', 'u'))
})

test('a kind or version that the OpenAPI document lacks has no lists with keys', () => {
  const of = (apiVersion: string, image: string, ...more: JsonValue[]): JsonValue => ({
    apiVersion,
    kind: 'Deployment',
    spec: { template: { spec: { containers: [{ name: 'a', image }, ...more] } } },
  })
  const merge = (apiVersion: string) =>
    mergeFields({ base: of(apiVersion, '1'), theirs: of(apiVersion, '2'), ours: of(apiVersion, '1', { name: 'd' }) }, undefined).value
  expect(merge('apps/v1')).toEqual(of('apps/v1', '2', { name: 'd' }))
  expect(merge('apps/v1beta1')).toEqual(of('apps/v1beta1', '2'))
})

test('an object in a field of a custom resource has the lists of its own kind', () => {
  const of = (...containers: JsonValue[]): JsonValue => ({ apiVersion: 'x.io/v1', kind: 'X', spec: { template: pod(...containers) } })
  const sides = { base: of(c('a')), theirs: of(c('a', { image: 'a:2' })), ours: of(c('a'), c('d')) }
  expect(mergeFields(sides, undefined).value).toEqual(of(c('a', { image: 'a:2' }), c('d')))
})

test.each<[string, JsonValue, JsonValue]>([
  ['another protocol', { port: 82, protocol: 'TCP' }, { port: 82, protocol: 'UDP' }],
  ['another number', { port: 82, name: 'm' }, { port: 83, name: 'm' }],
])('an entry that people gave %s and that upstream removed is kept, and reported', (_, removed, changed) => {
  const service = (...ports: JsonValue[]): JsonValue => ({ apiVersion: 'v1', kind: 'Service', spec: { ports } })
  const http = { port: 80, name: 'http' }
  const { value, outcomes } = mergeFields({ base: service(http, removed), theirs: service(http), ours: service(http, changed) }, undefined)
  expect(value).toEqual(service(http, changed))
  const told = outcomes.filter(({ contested }) => contested)
  expect(told).toMatchObject([{ result: 'kept', ours: { field: ['spec', 'ports', 1], value: changed } }])
})

test('an entry that people renamed and that upstream removed is reported, one that they replaced is not', () => {
  const told = (ours: JsonValue) => {
    const { outcomes } = mergeFields({ base: pod(c('a')), theirs: pod(), ours: pod(ours) }, undefined)
    return outcomes.filter(({ contested }) => contested).map(({ result }) => result)
  }
  expect(told({ name: 'b', image: 'a:1' })).toEqual(['kept'])
  expect(told(c('b'))).toEqual([])
})

const POD_LISTS: readonly (readonly [path: string, ...key: string[]])[] = [
  ['containers', 'name'],
  ['containers.env', 'name'],
  ['containers.ports', 'containerPort', 'protocol'],
  ['containers.volumeDevices', 'devicePath'],
  ['containers.volumeMounts', 'mountPath'],
  ['ephemeralContainers', 'name'],
  ['ephemeralContainers.env', 'name'],
  ['ephemeralContainers.volumeDevices', 'devicePath'],
  ['ephemeralContainers.volumeMounts', 'mountPath'],
  ['hostAliases', 'ip'],
  ['imagePullSecrets', 'name'],
  ['initContainers', 'name'],
  ['initContainers.ports', 'containerPort', 'protocol'],
  ['topologySpreadConstraints', 'topologyKey', 'whenUnsatisfiable'],
  ['volumes', 'name'],
]

/** Returns the fields of the key of a list of a kind; undefined for a list that is merged as one value. */
function keyOf(apiVersion: string, kind: string, path: string): readonly string[] | undefined {
  let rule = ruleOfObject({ apiVersion, kind })
  for (const field of path.split('.')) rule = (rule?.list === undefined ? rule : rule.list.entries)?.fields?.[field]
  return rule?.list?.key.fields
}

test.each([
  ['v1', 'Pod', 'spec'],
  ['v1', 'PodTemplate', 'template.spec'],
  ['v1', 'ReplicationController', 'spec.template.spec'],
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => ['apps/v1', kind, 'spec.template.spec'] as const),
  ['batch/v1', 'Job', 'spec.template.spec'],
  ['batch/v1', 'CronJob', 'spec.jobTemplate.spec.template.spec'],
  ['batch/v1beta1', 'CronJob', 'spec.jobTemplate.spec.template.spec'],
] as const)('in %s %s the lists of a pod have their keys at %s', (apiVersion, kind, at) => {
  for (const [path, ...key] of POD_LISTS) expect([path, keyOf(apiVersion, kind, `${at}.${path}`)]).toEqual([path, key])
  expect(keyOf(apiVersion, kind, `${at}.ephemeralContainers.ports`)).toBeUndefined()
  expect(keyOf(apiVersion, kind, `${at}.tolerations`)).toBeUndefined()
})

test.each<[string, string, string, readonly string[]]>([
  ['v1', 'Pod', 'status.conditions', ['type']],
  ['v1', 'Pod', 'status.podIPs', ['ip']],
  ['v1', 'Pod', 'spec.volumes.ephemeral.volumeClaimTemplate.metadata.ownerReferences', ['uid']],
  ['v1', 'Service', 'spec.ports', ['port', 'protocol']],
  ['v1', 'Service', 'status.conditions', ['type']],
  ['v1', 'ServiceAccount', 'secrets', ['name']],
  ['v1', 'Namespace', 'status.conditions', ['type']],
  ['v1', 'PersistentVolumeClaim', 'status.conditions', ['type']],
  ['v1', 'ComponentStatus', 'conditions', ['type']],
  ['v1', 'Node', 'spec.podCIDRs', []],
  ['v1', 'Node', 'status.addresses', ['type']],
  ['v1', 'Node', 'status.conditions', ['type']],
  ['v1', 'ConfigMap', 'metadata.ownerReferences', ['uid']],
  ['v1', 'ConfigMap', 'metadata.finalizers', []],
  ['apps/v1', 'Deployment', 'status.conditions', ['type']],
  ['apps/v1', 'Deployment', 'spec.template.metadata.finalizers', []],
  ['batch/v1', 'CronJob', 'spec.jobTemplate.metadata.finalizers', []],
  ['policy/v1', 'PodDisruptionBudget', 'status.conditions', ['type']],
  ['policy/v1beta1', 'PodDisruptionBudget', 'status.conditions', ['type']],
  ['apiregistration.k8s.io/v1', 'APIService', 'status.conditions', ['type']],
  ['apiregistration.k8s.io/v1beta1', 'APIService', 'status.conditions', ['type']],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'webhooks', ['name']],
  ['admissionregistration.k8s.io/v1beta1', 'ValidatingWebhookConfiguration', 'webhooks', ['name']],
  ['storage.k8s.io/v1', 'CSINode', 'spec.drivers', ['name']],
  ['storage.k8s.io/v1beta1', 'CSINode', 'spec.drivers', ['name']],
  ['kustomize.config.k8s.io/v1beta1', 'Kustomization', 'configMapGenerator', ['name']],
  ['kustomize.config.k8s.io/v1beta1', 'Kustomization', 'secretGenerator', ['name']],
])('in %s %s the list %s has the key %j', (apiVersion, kind, path, key) => {
  expect(keyOf(apiVersion, kind, path)).toEqual(key)
})

test.each<JsonValue | undefined>([
  undefined,
  null,
  'x',
  [],
  {},
  { kind: 'Pod' },
  { apiVersion: 'v2', kind: 'Pod' },
  { apiVersion: 'x.org/v1', kind: 'Pod' },
])('the value %j has no rule of a built-in kind', (value) => {
  expect(ruleOfObject(value)).toBeUndefined()
})
