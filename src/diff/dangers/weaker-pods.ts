import { equalJson, isRecord, type JsonRecord, type JsonValue, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import { type DangerRule, without } from './danger-rule.ts'
import { containersOf, type PodContainer, type PodTemplate, podTemplatesOf } from './pod-spec.ts'

/**
 * The settings that the baseline of the Pod Security Standards forbids and a pod gets, and those that the restricted level demands and a
 * pod loses.
 */
export const WEAKER_POD: DangerRule = {
  id: 'weaker-pod',
  nouns: ['pod with a weaker security context', 'pods with a weaker security context'],
  text: 'a pod may do what the Pod Security Standards keep from it',
  find: ({ before, after }) => [...newGrants(before, after), ...lostLimits(before, after)],
}

/** The capabilities that the baseline of the Pod Security Standards allows to add. */
const BASELINE: ReadonlySet<string> = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
)

/** Returns the paths of grants that no container had before. A container with another name is the same one. */
function newGrants(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const names = new Set(containersOf(after).map(({ path }) => path))
  const [old, present] = [grants(before), grants(after)]
  const gone = containersOf(before).filter(({ path }) => !names.has(path))
  const renamed = new Set(old.filter((path) => gone.some((container) => path.startsWith(container.path))).map(withoutContainer))
  return without(old, present).filter((path) => !renamed.has(withoutContainer(path)))
}

function withoutContainer(path: string): string {
  return path.replace(/(?:c|initC|ephemeralC)ontainers\[[^\]]*\]/, '')
}

/** Returns the paths of what a workload gives its pods beyond the baseline: capabilities, ports of the host, no seccomp, root. */
function grants(object: JsonRecord | undefined): readonly string[] {
  const ofPods = podTemplatesOf(object).flatMap((pod) => [
    ...contextGrants(lookup(pod.value, 'securityContext'), pod.path, pod.value),
    ...podGrants(pod),
  ])
  const ofContainers = containersOf(object).flatMap(({ path, value, pod }) => {
    const context = lookup(value, 'securityContext')
    const added = listedTexts(memberOf(memberOf(context, 'capabilities'), 'add'))
    const procMount = scalarText(memberOf(context, 'procMount'))
    return [
      ...contextGrants(context, path, pod),
      ...added.flatMap((name) => (BASELINE.has(name) ? [] : [`${path}.securityContext.capabilities.add[${name}]`])),
      ...(procMount === '' || procMount === 'Default' || hasOwnUsers(pod) ? [] : [`${path}.securityContext.procMount`]),
      ...(memberOf(context, 'allowPrivilegeEscalation') === true ? [`${path}.securityContext.allowPrivilegeEscalation`] : []),
      ...recordsOf(lookup(value, 'ports')).flatMap((port) => {
        const hostPort = scalarText(lookup(port, 'hostPort'))
        return hostPort === '' || hostPort === '0' ? [] : [`${path}.ports[${hostPort}].hostPort`]
      }),
      ...HANDLERS.flatMap((steps) =>
        ['httpGet', 'tcpSocket'].flatMap((action) => {
          const host = memberOf(memberOf(valueAt(value, steps), action), 'host')
          return scalarText(host) === '' ? [] : [`${path}.${steps.join('.')}.${action}.host`]
        }),
      ),
    ]
  })
  return [...ofPods, ...ofContainers]
}

/** Returns true for a pod whose users are none of the node: the standards let it run as root since 1.35. */
function hasOwnUsers(pod: JsonRecord): boolean {
  return lookup(pod, 'hostUsers') === false
}

/**
 * The probes and hooks that the kubelet calls. The kubelet is in the network of the node, and with `host` it calls another address
 * (forbidden by the baseline since 1.34).
 */
const HANDLERS = [['livenessProbe'], ['readinessProbe'], ['startupProbe'], ['lifecycle', 'postStart'], ['lifecycle', 'preStop']] as const

/** The sysctls that the baseline allows: each pod has its own. */
const SAFE_SYSCTLS: ReadonlySet<string> = new Set(
  [
    'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.ip_unprivileged_port_start net.ipv4.tcp_syncookies net.ipv4.ping_group_range',
    'net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes',
    'net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_notsent_lowat',
  ].flatMap((line) => line.split(' ')),
)

/** The annotation that named the AppArmor profile of a container before 1.30; the server still reads it. */
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/'

function podGrants({ path, value, metadata }: PodTemplate): readonly string[] {
  const sysctls = recordsOf(memberOf(lookup(value, 'securityContext'), 'sysctls')).map((sysctl) => scalarText(lookup(sysctl, 'name')))
  const annotations = lookup(metadata, 'annotations')
  const profiles = isRecord(annotations) ? Object.entries(annotations).filter(([key]) => key.startsWith(APPARMOR)) : []
  return [
    ...sysctls.flatMap((name) => (SAFE_SYSCTLS.has(name) ? [] : [`${path}.securityContext.sysctls[${name}]`])),
    ...profiles.flatMap(([key, profile]) =>
      /^(?:runtime\/default$|localhost\/|$)/.test(scalarText(profile))
        ? []
        : [`${path.replace(/spec$/, '')}metadata.annotations["${key}"]`],
    ),
  ]
}

function contextGrants(context: JsonValue | undefined, path: string, pod: JsonRecord): readonly string[] {
  return [
    ...(memberOf(memberOf(context, 'seccompProfile'), 'type') === 'Unconfined' ? [`${path}.securityContext.seccompProfile.type`] : []),
    ...(equalJson(memberOf(context, 'runAsUser'), 0) && !hasOwnUsers(pod) ? [`${path}.securityContext.runAsUser`] : []),
    ...(memberOf(memberOf(context, 'appArmorProfile'), 'type') === 'Unconfined' ? [`${path}.securityContext.appArmorProfile.type`] : []),
    ...selinuxGrants(memberOf(context, 'seLinuxOptions'), `${path}.securityContext.seLinuxOptions`),
    ...(memberOf(memberOf(context, 'windowsOptions'), 'hostProcess') === true
      ? [`${path}.securityContext.windowsOptions.hostProcess`]
      : []),
  ]
}

/** The types of SELinux that the baseline allows. */
const SELINUX_TYPES: ReadonlySet<string> = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'])

function selinuxGrants(options: JsonValue | undefined, path: string): readonly string[] {
  const [type = '', user, role] = ['type', 'user', 'role'].map((field) => scalarText(memberOf(options, field)))
  return [
    ...(SELINUX_TYPES.has(type) ? [] : [`${path}.type`]),
    ...(user === '' ? [] : [`${path}.user`]),
    ...(role === '' ? [] : [`${path}.role`]),
  ]
}

type Context = JsonValue | undefined

/** A container's own context, and its pod. */
interface Confined {
  readonly own: Context
  readonly pod: JsonRecord
}

/** Returns the field of a container's context; a container has what its pod says, unless the container says otherwise. */
function inherited({ own, pod }: Confined, field: string): JsonValue | undefined {
  return memberOf(own, field) ?? memberOf(lookup(pod, 'securityContext'), field)
}

function seccompOf(container: Confined): string {
  return scalarText(memberOf(inherited(container, 'seccompProfile'), 'type'))
}

function capabilities(own: Context, list: 'add' | 'drop'): readonly string[] {
  return listedTexts(memberOf(memberOf(own, 'capabilities'), list))
}

/** The demands of the restricted level of the Pod Security Standards on each container. What the baseline forbids too is a grant. */
const RESTRICTED: readonly (readonly [field: string, holds: (container: Confined) => boolean])[] = [
  ['runAsNonRoot', (each) => inherited(each, 'runAsNonRoot') === true || hasOwnUsers(each.pod)],
  ['seccompProfile', (each) => ['RuntimeDefault', 'Localhost'].includes(seccompOf(each))],
  ['capabilities.drop', ({ own }) => capabilities(own, 'drop').includes('ALL')],
  [
    'capabilities.add',
    ({ own }) => capabilities(own, 'drop').includes('ALL') && capabilities(own, 'add').every((name) => name === 'NET_BIND_SERVICE'),
  ],
  ['allowPrivilegeEscalation', ({ own }) => memberOf(own, 'allowPrivilegeEscalation') === false],
]

function confined({ value, pod }: PodContainer): Confined {
  return { own: lookup(value, 'securityContext'), pod }
}

/** Returns the paths of what kept a container from something and does not do so after the change. */
function lostLimits(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const old = containersOf(before)
  if (old.length === 0) return []
  const lost = containersOf(after).flatMap((container) => {
    // A new container may do what no container of the pod could.
    const same = old.filter(({ path }) => path === container.path)
    const was = (same.length > 0 ? same : old).map(confined)
    const is = confined(container)
    const isGrant = (field: string) =>
      (field === 'seccompProfile' && seccompOf(is) === 'Unconfined') ||
      (field === 'capabilities.add' && !capabilities(is.own, 'add').some((name) => name !== 'NET_BIND_SERVICE' && BASELINE.has(name)))
    return RESTRICTED.flatMap(([field, holds]) =>
      was.every(holds) && !holds(is) && !isGrant(field) ? [`${container.path}.securityContext.${field}`] : [],
    )
  })
  const wasRestricted = old.map(confined).every((container) => RESTRICTED.every(([, holds]) => holds(container)))
  return [...lost, ...(wasRestricted ? without(otherVolumes(before), otherVolumes(after)) : [])]
}

/** The sources of volumes that the restricted level allows. The rule about hostPath judges paths of the host. */
const RESTRICTED_VOLUMES: ReadonlySet<string> = new Set(
  'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret hostPath name'.split(' '),
)

/** Returns the paths of volumes that the restricted level forbids: `nfs`, `iscsi` and the like. */
function otherVolumes(object: JsonRecord | undefined): readonly string[] {
  return podTemplatesOf(object).flatMap(({ path, value }) =>
    recordsOf(lookup(value, 'volumes')).flatMap((volume) => {
      const source = Object.keys(volume).find((key) => !RESTRICTED_VOLUMES.has(key))
      return source === undefined ? [] : [`${path}.volumes[${scalarText(lookup(volume, 'name'))}].${source}`]
    }),
  )
}
