import { equalJson, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { clusterOf, type DangerousChange, type DangerRule, type JudgedChange, listedTexts, recordsOf, without } from './danger-rule.ts'
import { valueAt } from './field-changes.ts'
import { NETWORK_POLICY, openedPolicy, opensPods } from './network-policies.ts'
import { containersOf, groupKindOf, hasGroupKind, isSameObject, podSpecOf } from './pod-spec.ts'

/** Changes after which pods may do more, or a guard of the cluster guards less. */
export const WEAKER_GUARDS: readonly DangerRule[] = [
  {
    id: 'weaker-pod',
    nouns: ['pod with a weaker security context', 'pods with a weaker security context'],
    text: 'a pod may do what the Pod Security Standards keep from it',
    find: ({ before, after }) => [...newGrants(before, after), ...lostLimits(before, after)],
  },
  {
    id: 'weaker-pod-security',
    nouns: ['namespace that enforces a weaker pod security', 'namespaces that enforce a weaker pod security'],
    text: 'the namespace enforces a weaker level of the Pod Security Standards',
    find: ({ before, after }) =>
      hasGroupKind(before, '', 'Namespace') && hasGroupKind(after, '', 'Namespace') && levelOf(after) < levelOf(before)
        ? [`metadata.labels["${ENFORCE}"]`]
        : [],
  },
  {
    id: 'guard-removed',
    nouns: ['guard removed', 'guards removed'],
    text: 'what the guard kept out is let in',
    find: (change) => {
      const { op, before, after } = change
      if (op === 'change') return WEAKENED[groupKindOf(after)]?.(before, after, change) ?? []
      return isGuardGone(change) && clusterOf(change).after.every((each) => !isSameObject(each, before)) ? [''] : []
    },
  },
]

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
  const pod = podSpecOf(object)
  const ofPod =
    pod === undefined ? [] : [...contextGrants(lookup(pod.value, 'securityContext'), pod.path), ...podGrants(pod.value, pod.path)]
  const ofContainers = containersOf(object).flatMap(({ path, value }) => {
    const context = lookup(value, 'securityContext')
    const added = listedTexts(memberOf(memberOf(context, 'capabilities'), 'add'))
    const procMount = scalarText(memberOf(context, 'procMount'))
    return [
      ...contextGrants(context, path),
      ...added.flatMap((name) => (BASELINE.has(name) ? [] : [`${path}.securityContext.capabilities.add[${name}]`])),
      ...(procMount === '' || procMount === 'Default' ? [] : [`${path}.securityContext.procMount`]),
      ...(memberOf(context, 'allowPrivilegeEscalation') === true ? [`${path}.securityContext.allowPrivilegeEscalation`] : []),
      ...recordsOf(lookup(value, 'ports')).flatMap((port) => {
        const hostPort = scalarText(lookup(port, 'hostPort'))
        return hostPort === '' || hostPort === '0' ? [] : [`${path}.ports[${hostPort}].hostPort`]
      }),
    ]
  })
  return [...ofPod, ...ofContainers]
}

/** The sysctls that the baseline allows: each pod has its own. */
const SAFE_SYSCTLS: ReadonlySet<string> = new Set(
  [
    'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.ip_unprivileged_port_start net.ipv4.tcp_syncookies net.ipv4.ping_group_range',
    'net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes',
  ].flatMap((line) => line.split(' ')),
)

function podGrants(pod: JsonRecord, path: string): readonly string[] {
  return recordsOf(memberOf(lookup(pod, 'securityContext'), 'sysctls')).flatMap((sysctl) => {
    const name = scalarText(lookup(sysctl, 'name'))
    return SAFE_SYSCTLS.has(name) ? [] : [`${path}.securityContext.sysctls[${name}]`]
  })
}

function contextGrants(context: JsonValue | undefined, path: string): readonly string[] {
  return [
    ...(memberOf(memberOf(context, 'seccompProfile'), 'type') === 'Unconfined' ? [`${path}.securityContext.seccompProfile.type`] : []),
    ...(equalJson(memberOf(context, 'runAsUser'), 0) ? [`${path}.securityContext.runAsUser`] : []),
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

/** Returns the field of a container's context; a container has what its pod says, unless the container says otherwise. */
function inherited(own: Context, pod: Context, field: string): JsonValue | undefined {
  return memberOf(own, field) ?? memberOf(pod, field)
}

function seccompOf(own: Context, pod: Context): string {
  return scalarText(memberOf(inherited(own, pod, 'seccompProfile'), 'type'))
}

function capabilities(own: Context, list: 'add' | 'drop'): readonly string[] {
  return listedTexts(memberOf(memberOf(own, 'capabilities'), list))
}

/** The demands of the restricted level of the Pod Security Standards on each container. What the baseline forbids too is a grant. */
const RESTRICTED: readonly (readonly [field: string, holds: (own: Context, pod: Context) => boolean])[] = [
  ['runAsNonRoot', (own, pod) => inherited(own, pod, 'runAsNonRoot') === true],
  ['seccompProfile', (own, pod) => ['RuntimeDefault', 'Localhost'].includes(seccompOf(own, pod))],
  ['capabilities.drop', (own) => capabilities(own, 'drop').includes('ALL')],
  [
    'capabilities.add',
    (own) => capabilities(own, 'drop').includes('ALL') && capabilities(own, 'add').every((name) => name === 'NET_BIND_SERVICE'),
  ],
  ['allowPrivilegeEscalation', (own) => memberOf(own, 'allowPrivilegeEscalation') === false],
]

/** Returns the paths of what kept a container from something and does not do so after the change. */
function lostLimits(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const old = containersOf(before)
  const [podBefore, podAfter] = [before, after].map((object) => lookup(podSpecOf(object)?.value ?? {}, 'securityContext'))
  if (old.length === 0) return []
  return containersOf(after).flatMap(({ path, value }) => {
    // A new container may do what no container of the pod could.
    const same = old.filter((container) => container.path === path)
    const was = (same.length > 0 ? same : old).map((container) => lookup(container.value, 'securityContext'))
    const own = lookup(value, 'securityContext')
    const isGrant = (field: string) =>
      (field === 'seccompProfile' && seccompOf(own, podAfter) === 'Unconfined') ||
      (field === 'capabilities.add' && !capabilities(own, 'add').some((name) => name !== 'NET_BIND_SERVICE' && BASELINE.has(name)))
    return RESTRICTED.flatMap(([field, holds]) =>
      was.every((each) => holds(each, podBefore)) && !holds(own, podAfter) && !isGrant(field) ? [`${path}.securityContext.${field}`] : [],
    )
  })
}

const ENFORCE = 'pod-security.kubernetes.io/enforce'
const LEVELS = ['privileged', 'baseline', 'restricted']

/** Returns the rank of the level that a Namespace enforces. Without the label, it enforces nothing. */
function levelOf(namespace: JsonRecord | undefined): number {
  const level = scalarText(memberOf(valueAt(namespace, ['metadata', 'labels']), ENFORCE))
  return Math.max(0, LEVELS.indexOf(level))
}

const ADMISSION = 'admissionregistration.k8s.io'
const BINDING = `${ADMISSION} ValidatingAdmissionPolicyBinding`
const POLICY = `${ADMISSION} ValidatingAdmissionPolicy`
const WEBHOOKS = `${ADMISSION} ValidatingWebhookConfiguration`
const GUARDS: ReadonlySet<string> = new Set([NETWORK_POLICY, POLICY, BINDING, WEBHOOKS, 'apiregistration.k8s.io APIService'])

/** The guards that guard the same under another name. */
const NAMELESS: ReadonlySet<string> = new Set([BINDING, WEBHOOKS])

type Guard = JsonRecord | undefined

/** Returns true for a guard that goes, and does not come back under another name. */
function isGuardGone(change: JudgedChange): boolean {
  const { op, before, after } = change
  const kind = groupKindOf(before)
  if (op === 'create' || !GUARDS.has(kind)) return false
  if (kind === NETWORK_POLICY) return opensPods(change)
  return op === 'delete' || !NAMELESS.has(kind) || (WEAKENED[kind]?.(before, after, change).length ?? 0) > 0
}

/** Returns true for a change that may be about the other packages of the cluster: another one may have the guard, or one as good. */
export function losesGuard({ op, before }: DangerousChange): boolean {
  const kind = groupKindOf(before)
  return op === 'change' ? kind === NETWORK_POLICY : op !== 'create' && GUARDS.has(kind)
}

/** Returns the paths by which a guard of each kind guards less than before. */
const WEAKENED: Readonly<Record<string, (before: Guard, after: Guard, change: JudgedChange) => readonly string[]>> = {
  [NETWORK_POLICY]: openedPolicy,
  [BINDING]: (before, after) => {
    const denies = (object: Guard) => listedTexts(valueAt(object, ['spec', 'validationActions'])).includes('Deny')
    return denies(before) && !denies(after) ? ['spec.validationActions'] : []
  },
  [POLICY]: (before, after) => {
    const passes = (object: Guard) => valueAt(object, ['spec', 'failurePolicy']) === 'Ignore'
    const [was = 0, is = 0] = [before, after].map((object) => recordsOf(valueAt(object, ['spec', 'validations'])).length)
    return [...(passes(after) && !passes(before) ? ['spec.failurePolicy'] : []), ...(is < was ? ['spec.validations'] : [])]
  },
  [WEBHOOKS]: (before, after) => {
    const passing = (object: Guard) =>
      recordsOf(lookup(object ?? {}, 'webhooks')).flatMap((each) =>
        lookup(each, 'failurePolicy') === 'Ignore' ? [scalarText(lookup(each, 'name'))] : [],
      )
    const names = (object: Guard) => recordsOf(lookup(object ?? {}, 'webhooks')).map((each) => scalarText(lookup(each, 'name')))
    const [old, present] = [names(before), names(after)]
    return [
      ...without(passing(before), passing(after)).flatMap((name) => (old.includes(name) ? [`webhooks[${name}].failurePolicy`] : [])),
      ...without(present, old).map((name) => `webhooks[${name}]`),
    ]
  },
  'apiregistration.k8s.io APIService': (before, after) => {
    const isInsecure = (object: Guard) => valueAt(object, ['spec', 'insecureSkipTLSVerify']) === true
    return isInsecure(after) && !isInsecure(before) ? ['spec.insecureSkipTLSVerify'] : []
  },
  'networking.k8s.io Ingress': (before, after) => {
    const hosts = (object: Guard) => new Set(recordsOf(valueAt(object, ['spec', 'rules'])).map((rule) => scalarText(lookup(rule, 'host'))))
    const secured = (object: Guard) => {
      const entries = recordsOf(valueAt(object, ['spec', 'tls']))
      return entries.flatMap((entry) => {
        const own = listedTexts(lookup(entry, 'hosts'))
        return own.length === 0 ? [...hosts(object), ''] : own
      })
    }
    const still = new Set(secured(after))
    const served = hosts(after)
    const lost = secured(before).some((host) => !still.has(host) && (host === '' ? still.size === 0 : served.has(host)))
    return lost || (secured(before).length > 0 && still.size === 0) ? ['spec.tls'] : []
  },
}
