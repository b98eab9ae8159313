import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { dangerPaths, judgedChange, judgedObject } from './testing/judged-changes.ts'

const POD = 'spec.template.spec'
const AT = `${POD}.containers[main]`
const podOf = (spec: JsonRecord, annotations: JsonRecord = {}) =>
  judgedObject('apps/v1 Deployment', {
    spec: { template: { metadata: { annotations }, spec: { containers: [{ name: 'main' }], ...spec } } },
  })
const container = (fields: JsonRecord, pod: JsonRecord = {}) => podOf({ containers: [{ name: 'main', ...fields }], ...pod })
const withContext = (securityContext: JsonRecord, pod: JsonRecord = {}) => container({ securityContext }, pod)
const weaker = (before: JsonRecord, after: JsonRecord) => dangerPaths('weaker-pod', judgedChange(before, after))

test.each<[string, JsonRecord, readonly string[]]>([
  ['no seccomp', withContext({ seccompProfile: { type: 'Unconfined' } }), [`${AT}.securityContext.seccompProfile.type`]],
  ['root', withContext({ runAsUser: 0 }), [`${AT}.securityContext.runAsUser`]],
  ['no AppArmor', withContext({ appArmorProfile: { type: 'Unconfined' } }), [`${AT}.securityContext.appArmorProfile.type`]],
  [
    'a process of the Windows host',
    withContext({ windowsOptions: { hostProcess: true } }),
    [`${AT}.securityContext.windowsOptions.hostProcess`],
  ],
  ['another SELinux type', withContext({ seLinuxOptions: { type: 'spc_t' } }), [`${AT}.securityContext.seLinuxOptions.type`]],
  [
    'an SELinux user and role',
    withContext({ seLinuxOptions: { user: 'u', role: 'r' } }),
    ['user', 'role'].map((each) => `${AT}.securityContext.seLinuxOptions.${each}`),
  ],
  [
    'another capability',
    withContext({ capabilities: { add: ['NET_ADMIN', 'CHOWN'] } }),
    [`${AT}.securityContext.capabilities.add[NET_ADMIN]`],
  ],
  ['the whole of /proc', withContext({ procMount: 'Unmasked' }), [`${AT}.securityContext.procMount`]],
  ['more privileges', withContext({ allowPrivilegeEscalation: true }), [`${AT}.securityContext.allowPrivilegeEscalation`]],
  ['a port of the host', container({ ports: [{ containerPort: 80, hostPort: 8080 }] }), [`${AT}.ports[8080].hostPort`]],
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe): [string, JsonRecord, readonly string[]] => [
    `a ${probe} of another host`,
    container({ [probe]: { httpGet: { host: 'x' } } }),
    [`${AT}.${probe}.httpGet.host`],
  ]),
  ...['postStart', 'preStop'].map((hook): [string, JsonRecord, readonly string[]] => [
    `a ${hook} that calls another host`,
    container({ lifecycle: { [hook]: { tcpSocket: { host: 'x' } } } }),
    [`${AT}.lifecycle.${hook}.tcpSocket.host`],
  ]),
  ['root of the whole pod', podOf({ securityContext: { runAsUser: 0 } }), [`${POD}.securityContext.runAsUser`]],
  [
    'no seccomp of the whole pod',
    podOf({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    [`${POD}.securityContext.seccompProfile.type`],
  ],
  [
    'a sysctl of the node',
    podOf({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies' }, { name: 'kernel.msgmax' }] } }),
    [`${POD}.securityContext.sysctls[kernel.msgmax]`],
  ],
  [
    'no AppArmor by its annotation',
    podOf({}, { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' }),
    ['spec.template.metadata.annotations["container.apparmor.security.beta.kubernetes.io/main"]'],
  ],
])('a pod that gets %s is weaker, once', (_, after, paths) => {
  expect(weaker(podOf({}), after)).toEqual(paths)
  expect(weaker(after, after)).toEqual([])
  expect(weaker(after, podOf({}))).toEqual([])
})

// https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline
const BASELINE = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]
const SYSCTLS = [
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.ip_unprivileged_port_start', 'net.ipv4.tcp_syncookies'],
  ...['net.ipv4.ping_group_range', 'net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout'],
  ...['net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
]

test.each<[string, JsonRecord]>([
  ['capabilities', withContext({ capabilities: { add: BASELINE } })],
  ['sysctls', podOf({ securityContext: { sysctls: SYSCTLS.map((name) => ({ name })) } })],
  [
    'types of SELinux',
    podOf({
      containers: ['container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'].map((type) => ({
        name: type,
        securityContext: { seLinuxOptions: { type } },
      })),
    }),
  ],
  [
    'the profiles of AppArmor',
    podOf(
      {},
      Object.fromEntries(
        ['runtime/default', 'localhost/x', ''].map((each, i) => [`container.apparmor.security.beta.kubernetes.io/c${i}`, each]),
      ),
    ),
  ],
  ['the default of /proc', withContext({ procMount: 'Default' })],
  ['port 0 of the host', container({ ports: [{ containerPort: 80, hostPort: 0 }] })],
  ['probes of the pod itself', container({ livenessProbe: { httpGet: { path: '/' } } })],
  ['the seccomp profile of the runtime', withContext({ seccompProfile: { type: 'RuntimeDefault' } })],
  ['a user other than root', withContext({ runAsUser: 1000 })],
  ['other annotations', podOf({}, { note: 'unconfined' })],
])('what the baseline allows makes no pod weaker: %s', (_, after) => {
  expect(weaker(podOf({}), after)).toEqual([])
})

test('a pod with users of its own may be root and see the whole of /proc', () => {
  const after = withContext({ runAsUser: 0, procMount: 'Unmasked' }, { hostUsers: false })
  expect(weaker(podOf({}), after)).toEqual([])
})

test('a container under another name is the same one, a second one with the grant is not', () => {
  const named = (...names: readonly string[]) => podOf({ containers: names.map((name) => ({ name, securityContext: { runAsUser: 0 } })) })
  expect(weaker(named('main'), named('other'))).toEqual([])
  expect(weaker(named('main'), named('main', 'more'))).toEqual([`${POD}.containers[more].securityContext.runAsUser`])
  expect(weaker(named('main'), podOf({ initContainers: [{ name: 'i', securityContext: { runAsUser: 0 } }] }))).toEqual([
    `${POD}.initContainers[i].securityContext.runAsUser`,
  ])
})

const RESTRICTED = {
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
  capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
  allowPrivilegeEscalation: false,
}
const SAFE = withContext(RESTRICTED)

test.each<[string, JsonRecord, readonly string[]]>([
  ['the user', { runAsNonRoot: false }, ['runAsNonRoot']],
  ['the seccomp profile', { seccompProfile: {} }, ['seccompProfile']],
  ['the drop of all capabilities', { capabilities: { drop: ['CHOWN'] } }, ['capabilities.drop']],
  ['the limit of added capabilities', { capabilities: { drop: ['ALL'], add: ['CHOWN'] } }, ['capabilities.add']],
  ['the limit of privileges', { allowPrivilegeEscalation: null }, ['allowPrivilegeEscalation']],
  ['nothing, for a profile of its own', { seccompProfile: { type: 'Localhost', localhostProfile: 'p' } }, []],
  ['nothing, for fewer capabilities', { capabilities: { drop: ['ALL'] } }, []],
])('a container loses %s of the restricted level: case %#', (_, context, fields) => {
  expect(weaker(SAFE, withContext({ ...RESTRICTED, ...context }))).toEqual(fields.map((field) => `${AT}.securityContext.${field}`))
})

test('what the pod says holds for its containers, unless a container says otherwise', () => {
  const ofPod = podOf({ securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } })
  expect(weaker(withContext({ runAsNonRoot: true }), ofPod)).toEqual([])
  expect(weaker(ofPod, podOf({}))).toEqual([`${AT}.securityContext.runAsNonRoot`, `${AT}.securityContext.seccompProfile`])
  expect(
    weaker(
      ofPod,
      withContext({ runAsNonRoot: false }, { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } }),
    ),
  ).toEqual([`${AT}.securityContext.runAsNonRoot`])
})

test('a new container may do what no container of the pod could', () => {
  const beside = podOf({
    containers: [
      { name: 'main', securityContext: RESTRICTED },
      { name: 'new', securityContext: { ...RESTRICTED, runAsNonRoot: false } },
    ],
  })
  expect(weaker(SAFE, beside)).toEqual([`${POD}.containers[new].securityContext.runAsNonRoot`])
  expect(weaker(podOf({}), beside)).toEqual([])
})

test('a volume that the restricted level forbids counts in a pod that was restricted', () => {
  const volumes = (each: JsonRecord) => ({ volumes: [{ name: 'v', ...each }] })
  expect(weaker(SAFE, withContext(RESTRICTED, volumes({ nfs: { server: 's', path: '/' } })))).toEqual([`${POD}.volumes[v].nfs`])
  for (const source of [
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'image',
    'persistentVolumeClaim',
    'projected',
    'secret',
    'hostPath',
  ])
    expect(weaker(SAFE, withContext(RESTRICTED, volumes({ [source]: {} })))).toEqual([])
  expect(weaker(podOf({}), podOf(volumes({ nfs: {} })))).toEqual([])
})

test('of added capabilities each one counts, and one that is a grant is named once', () => {
  const adding = (...add: readonly string[]) => withContext({ ...RESTRICTED, capabilities: { drop: ['ALL'], add } })
  expect(weaker(SAFE, adding('NET_BIND_SERVICE', 'CHOWN'))).toEqual([`${AT}.securityContext.capabilities.add`])
  expect(weaker(SAFE, adding('NET_BIND_SERVICE', 'SYS_ADMIN'))).toEqual([`${AT}.securityContext.capabilities.add[SYS_ADMIN]`])
  expect(weaker(SAFE, withContext({ ...RESTRICTED, seccompProfile: { type: 'Unconfined' } }))).toEqual([
    `${AT}.securityContext.seccompProfile.type`,
  ])
})

test('a container is compared with itself, whatever the containers beside it may do', () => {
  const pair = (main: JsonRecord, other: JsonRecord) =>
    podOf({
      containers: [
        { name: 'main', securityContext: main },
        { name: 'other', securityContext: other },
      ],
    })
  const weak = { ...RESTRICTED, runAsNonRoot: false }
  expect(weaker(pair(RESTRICTED, weak), pair(weak, weak))).toEqual([`${AT}.securityContext.runAsNonRoot`])
  expect(weaker(pair(RESTRICTED, weak), pair(RESTRICTED, weak))).toEqual([])
  const nfs = { volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }
  const withNfs = podOf({
    containers: [
      { name: 'main', securityContext: RESTRICTED },
      { name: 'other', securityContext: weak },
    ],
    ...nfs,
  })
  expect(weaker(pair(RESTRICTED, weak), withNfs)).toEqual([])
})

test('what had no container had no limits to lose', () => {
  expect(weaker(podOf({ containers: [] }), withContext({}))).toEqual([])
})
