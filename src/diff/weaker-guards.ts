import { equalJson, isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { type DangerRule, hasGroupKind, without } from './danger-rule.ts'
import { valueAt } from './field-changes.ts'
import { containersOf, podSpecOf } from './pod-spec.ts'

/** Changes after which pods may do more, or a guard of the cluster guards less. */
export const WEAKER_GUARDS: readonly DangerRule[] = [
  {
    id: 'weaker-pod',
    nouns: ['pod with a weaker security context', 'pods with a weaker security context'],
    text: 'a pod may do what the Pod Security Standards keep from it',
    find: ({ before, after }) => [...without(grants(before), grants(after)), ...lostLimits(before, after)],
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
    find: ({ op, before, after }) => {
      const isGone = op === 'delete' || op === 'rename'
      if (isGone && GUARDS.some(([group, kind]) => hasGroupKind(before, group, kind))) return ['']
      return op === 'change' ? weakened(before, after) : []
    },
  },
]

/** The capabilities that the baseline of the Pod Security Standards allows to add. */
const BASELINE: ReadonlySet<string> = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
)

/** Returns the paths of what a workload gives its pods beyond the baseline: capabilities, ports of the host, no seccomp, root. */
function grants(object: JsonRecord | undefined): readonly string[] {
  const pod = podSpecOf(object)
  const ofPod = pod === undefined ? [] : contextGrants(lookup(pod.value, 'securityContext'), pod.path)
  const ofContainers = containersOf(object).flatMap(({ path, value }) => {
    const context = lookup(value, 'securityContext')
    const added = textsOf(memberOf(memberOf(context, 'capabilities'), 'add'))
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

function contextGrants(context: JsonValue | undefined, path: string): readonly string[] {
  return [
    ...(memberOf(memberOf(context, 'seccompProfile'), 'type') === 'Unconfined' ? [`${path}.securityContext.seccompProfile.type`] : []),
    ...(equalJson(memberOf(context, 'runAsUser'), 0) ? [`${path}.securityContext.runAsUser`] : []),
  ]
}

/** Returns the paths of what kept a container from something and does not do so after the change. */
function lostLimits(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const old = new Map(containersOf(before).map((container) => [container.path, container.value]))
  return containersOf(after).flatMap(({ path, value }) => {
    const was = old.get(path)
    if (was === undefined) return []
    const [context, present] = [was, value].map((each) => lookup(each, 'securityContext'))
    const isRoot = (object: JsonRecord | undefined, own: JsonValue | undefined) =>
      (memberOf(own, 'runAsNonRoot') ?? memberOf(lookup(podSpecOf(object)?.value ?? {}, 'securityContext'), 'runAsNonRoot')) !== true
    const dropsAll = (own: JsonValue | undefined) => textsOf(memberOf(memberOf(own, 'capabilities'), 'drop')).includes('ALL')
    const mayEscalate = (own: JsonValue | undefined) => memberOf(own, 'allowPrivilegeEscalation') !== false
    return [
      ...(isRoot(after, present) && !isRoot(before, context) ? [`${path}.securityContext.runAsNonRoot`] : []),
      ...(dropsAll(context) && !dropsAll(present) ? [`${path}.securityContext.capabilities.drop`] : []),
      ...(mayEscalate(present) && !mayEscalate(context) ? [`${path}.securityContext.allowPrivilegeEscalation`] : []),
    ]
  })
}

const ENFORCE = 'pod-security.kubernetes.io/enforce'
const LEVELS = ['privileged', 'baseline', 'restricted']

/** Returns the rank of the level that a Namespace enforces. Without the label, it enforces nothing. */
function levelOf(namespace: JsonRecord | undefined): number {
  const level = scalarText(memberOf(valueAt(namespace, ['metadata', 'labels']), ENFORCE))
  return Math.max(0, LEVELS.indexOf(level))
}

const GUARDS: readonly (readonly [group: string, kind: string])[] = [
  ['networking.k8s.io', 'NetworkPolicy'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding'],
  ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'],
  ['apiregistration.k8s.io', 'APIService'],
]

function weakened(before: JsonRecord | undefined, after: JsonRecord | undefined): readonly string[] {
  const spec = (object: JsonRecord | undefined, key: string) => memberOf(lookup(object ?? {}, 'spec'), key)
  if (hasGroupKind(after, 'admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding')) {
    const [was, is] = [before, after].map((object) => textsOf(spec(object, 'validationActions')).includes('Deny'))
    return was === true && is === false ? ['spec.validationActions'] : []
  }
  if (hasGroupKind(after, 'apiregistration.k8s.io', 'APIService')) {
    const [was, is] = [before, after].map((object) => spec(object, 'insecureSkipTLSVerify') === true)
    return was === false && is === true ? ['spec.insecureSkipTLSVerify'] : []
  }
  if (hasGroupKind(after, 'networking.k8s.io', 'Ingress')) {
    const [was, is] = [before, after].map((object) => recordsOf(spec(object, 'tls')).length > 0)
    return was === true && is === false ? ['spec.tls'] : []
  }
  if (!hasGroupKind(after, 'networking.k8s.io', 'NetworkPolicy')) return []
  return ['ingress', 'egress'].flatMap((way) => (isOpen(spec(after, way)) && !isOpen(spec(before, way)) ? [`spec.${way}`] : []))
}

/** Returns true for rules of a NetworkPolicy of which one lets everything through: a rule without peers and ports. */
function isOpen(rules: JsonValue | undefined): boolean {
  return recordsOf(rules).some((rule) => ['from', 'to', 'ports'].every((key) => !Array.isArray(lookup(rule, key))))
}

function recordsOf(value: JsonValue | undefined): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(scalarText) : []
}
