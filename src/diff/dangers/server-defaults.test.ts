import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { JsonRecord } from '../../json.ts'
import { asStored } from './server-defaults.ts'
import { judgedObject } from './testing/judged-changes.ts'

/** An object, and what the server adds to it or makes of it. */
test.each([
  ['v1 PersistentVolumeClaim', '{spec: {}}', '{spec: {volumeMode: Filesystem}}'],
  ['v1 PersistentVolume', '{spec: {}}', '{spec: {volumeMode: Filesystem, persistentVolumeReclaimPolicy: Retain}}'],
  ['v1 PersistentVolume', '{spec: {volumeMode: Block}}', '{spec: {volumeMode: Block, persistentVolumeReclaimPolicy: Retain}}'],
  ['v1 Secret', '{}', '{type: Opaque}'],
  ['storage.k8s.io/v1 StorageClass', '{}', '{reclaimPolicy: Delete, volumeBindingMode: Immediate}'],
  ['scheduling.k8s.io/v1 PriorityClass', '{value: 5}', '{value: 5, preemptionPolicy: PreemptLowerPriority}'],
  ['scheduling.k8s.io/v1 PriorityClass', '{}', '{value: 0, preemptionPolicy: PreemptLowerPriority}'],
  ['apps/v1 StatefulSet', '{spec: {}}', '{spec: {podManagementPolicy: OrderedReady}}'],
  ['batch/v1 Job', '{spec: {}}', '{spec: {completionMode: NonIndexed, manualSelector: false}}'],
  ...['RoleBinding', 'ClusterRoleBinding'].map((kind) => [
    `rbac.authorization.k8s.io/v1 ${kind}`,
    '{roleRef: {name: r}}',
    '{roleRef: {name: r, apiGroup: rbac.authorization.k8s.io}}',
  ]),
  ['storage.k8s.io/v1 CSIDriver', '{spec: {}}', '{spec: {attachRequired: true, volumeLifecycleModes: [Persistent]}}'],
  // A default of a map that the object does not have is none.
  ['v1 PersistentVolumeClaim', '{}', '{}'],
  // Kinds of others have no defaults.
  ['example.org/v1 Secret', '{}', '{}'],
  [
    'apps/v1 StatefulSet',
    '{spec: {volumeClaimTemplates: [text, {spec: {}}, {kind: Other, spec: {volumeMode: Block}}]}}',
    '{spec: {podManagementPolicy: OrderedReady, volumeClaimTemplates: [text, {apiVersion: v1, kind: PersistentVolumeClaim, spec: {volumeMode: Filesystem}}, {apiVersion: v1, kind: Other, spec: {volumeMode: Block}}]}}',
  ],
  ['example.org/v1 Set', '{spec: {volumeClaimTemplates: [{spec: {}}]}}', '{spec: {volumeClaimTemplates: [{spec: {}}]}}'],
  // Null, empty lists and some empty maps are as good as none; false of some fields too.
  ['v1 ConfigMap', '{a: null, b: [], c: {d: null, e: [], f: 0}, g: [{h: null}]}', '{c: {f: 0}, g: [{}]}'],
  [
    'v1 ConfigMap',
    '{labels: {}, annotations: {}, nodeSelector: {a: null}, matchLabels: {}, limits: {}, requests: {}, parameters: {}, other: {}}',
    '{other: {}}',
  ],
  [
    'v1 ConfigMap',
    '{readOnly: false, stdin: false, stdinOnce: false, tty: false, hostNetwork: false, hostPID: false, hostIPC: false, immutable: false}',
    '{immutable: false}',
  ],
  [
    'v1 ConfigMap',
    '{readOnly: true, labels: [], parameters: 5, matchLabels: {a: b}}',
    '{readOnly: true, parameters: 5, matchLabels: {a: b}}',
  ],
  [
    'v1 ConfigMap',
    '{limits: {cpu: 1000m, memory: 1Ki}, requests: {cpu: "1"}, cpu: 1000m}',
    '{limits: {cpu: "1000000000", memory: "1024000000000"}, requests: {cpu: "1000000000"}, cpu: 1000m}',
  ],
  ['v1 ConfigMap', '{limits: [a], requests: text}', '{limits: [a], requests: text}'],
])('a %s with %s is stored as %s', (kind, fields, stored) => {
  expect(asStored(judgedObject(kind, parse(fields)))).toEqual(judgedObject(kind, parse(stored)))
})

const POD = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  securityContext: {},
}

test.each([
  ['{}', {}],
  ['{restartPolicy: Never, terminationGracePeriodSeconds: 0}', { restartPolicy: 'Never', terminationGracePeriodSeconds: 0 }],
  // The name of an account is stored in both of its fields; serviceAccountName wins.
  ['{serviceAccountName: a}', { serviceAccountName: 'a', serviceAccount: 'a' }],
  ['{serviceAccount: a}', { serviceAccountName: 'a', serviceAccount: 'a' }],
  ['{serviceAccount: a, serviceAccountName: b}', { serviceAccountName: 'b', serviceAccount: 'b' }],
  // A volume without a source is an empty folder.
  ['{volumes: [{name: v}]}', { volumes: [{ name: 'v', emptyDir: {} }] }],
  ['{volumes: [{name: v, nfs: {path: /a}}]}', { volumes: [{ name: 'v', nfs: { path: '/a' } }] }],
  ['{volumes: [{name: v, hostPath: {path: /a}}]}', { volumes: [{ name: 'v', hostPath: { path: '/a', type: '' } }] }],
  ['{volumes: [{name: v, hostPath: {path: /a, type: Socket}}]}', { volumes: [{ name: 'v', hostPath: { path: '/a', type: 'Socket' } }] }],
  ['{volumes: [{name: v, secret: {defaultMode: 256}}]}', { volumes: [{ name: 'v', secret: { defaultMode: 256 } }] }],
])('a pod with %s is stored with %j', (pod, more) => {
  expect(asStored(judgedObject('v1 Pod', { spec: parse(pod) })).spec).toEqual({ ...POD, ...more })
  const inTemplate = asStored(judgedObject('apps/v1 Deployment', { spec: { template: { spec: parse(pod) } } }))
  expect(inTemplate.spec).toEqual({ template: { spec: { ...POD, ...more } } })
})

test.each(['secret', 'configMap', 'downwardAPI', 'projected'])('the files of a volume from %s have mode 0644', (source) => {
  const pod = { volumes: [{ name: 'v', [source]: { name: 'x' } }] }
  const stored = [{ name: 'v', [source]: { name: 'x', defaultMode: 420 } }]
  expect(asStored(judgedObject('v1 Pod', { spec: pod })).spec).toEqual({ ...POD, volumes: stored })
})

const CONTAINER = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', resources: {} }
const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }

test.each<readonly [container: string, more: JsonRecord]>([
  ['{image: till}', { imagePullPolicy: 'Always' }],
  ['{image: till:latest}', { imagePullPolicy: 'Always' }],
  ['{image: registry:5000/till}', { imagePullPolicy: 'Always' }],
  ['{image: registry:5000/till:1}', { imagePullPolicy: 'IfNotPresent' }],
  ['{image: "till@sha256:ab"}', { imagePullPolicy: 'IfNotPresent' }],
  ['{image: "till:latest@sha256:ab"}', { imagePullPolicy: 'IfNotPresent' }],
  ['{image: "till:1", imagePullPolicy: Never}', { imagePullPolicy: 'Never' }],
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map(
    (probe) => [`{image: "a:1", ${probe}: {periodSeconds: 5, exec: {}}}`, { [probe]: { ...PROBE, periodSeconds: 5, exec: {} } }] as const,
  ),
  ['{image: "a:1", livenessProbe: {httpGet: {port: 1}}}', { livenessProbe: { ...PROBE, httpGet: { port: 1, path: '/', scheme: 'HTTP' } } }],
  [
    '{image: "a:1", livenessProbe: {httpGet: {path: /a, scheme: HTTPS}}}',
    { livenessProbe: { ...PROBE, httpGet: { path: '/a', scheme: 'HTTPS' } } },
  ],
  ['{image: "a:1", ports: [{containerPort: 80}]}', { ports: [{ containerPort: 80, protocol: 'TCP' }] }],
  ['{image: "a:1", ports: [{containerPort: 80, protocol: UDP}]}', { ports: [{ containerPort: 80, protocol: 'UDP' }] }],
  // A variable without a value is empty, unless something gives the value.
  ['{image: "a:1", env: [{name: A}]}', { env: [{ name: 'A', value: '' }] }],
  ['{image: "a:1", env: [{name: A, value: b}]}', { env: [{ name: 'A', value: 'b' }] }],
  [
    '{image: "a:1", env: [{name: A, valueFrom: {secretKeyRef: {key: k}}}]}',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: { key: 'k' } } }] },
  ],
  [
    '{image: "a:1", env: [{name: A, valueFrom: {fieldRef: {fieldPath: p}}}]}',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'p', apiVersion: 'v1' } } }] },
  ],
  ['{image: "a:1", resources: {limits: {cpu: 500m}}}', { resources: { limits: { cpu: '500000000' } } }],
])('a container with %s is stored with %j', (container, more) => {
  const image = parse(container).image
  for (const list of ['containers', 'initContainers']) {
    const stored = asStored(judgedObject('v1 Pod', { spec: { [list]: [parse(container)] } }))
    expect(stored.spec).toEqual({ ...POD, [list]: [{ ...CONTAINER, image, imagePullPolicy: 'IfNotPresent', ...more }] })
  }
})

test('a pod in the network of the host has the ports of its containers there', () => {
  const spec = parse(
    '{hostNetwork: true, containers: [{image: "a:1", ports: [{containerPort: 80}, {containerPort: 81, hostPort: 82}, {name: p}]}]}',
  )
  expect(asStored(judgedObject('v1 Pod', { spec })).spec).toStrictEqual({
    ...POD,
    hostNetwork: true,
    containers: [
      {
        ...CONTAINER,
        image: 'a:1',
        imagePullPolicy: 'IfNotPresent',
        ports: [
          { containerPort: 80, hostPort: 80, protocol: 'TCP' },
          { containerPort: 81, hostPort: 82, protocol: 'TCP' },
          { name: 'p', protocol: 'TCP' },
        ],
      },
    ],
  })
})
