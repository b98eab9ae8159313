import { type JsonRecord, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import { narrowerScope } from './admission-scopes.ts'
import { clusterOf, type DangerousChange, type DangerRule, type JudgedChange, without } from './danger-rule.ts'
import { GATEWAY, openedGateway, uncheckedBackends } from './gateways.ts'
import { NETWORK_POLICY, openedPolicy, opensPods } from './network-policies.ts'
import { groupKindOf, hasGroupKind, isSameObject } from './pod-spec.ts'
import { WEAKER_POD } from './weaker-pods.ts'

/** Changes after which pods may do more, or a guard of the cluster guards less. */
export const WEAKER_GUARDS: readonly DangerRule[] = [
  WEAKER_POD,
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
const BACKEND_TLS = 'gateway.networking.k8s.io BackendTLSPolicy'
const GUARDS: ReadonlySet<string> = new Set([NETWORK_POLICY, POLICY, BINDING, WEBHOOKS, 'apiregistration.k8s.io APIService', BACKEND_TLS])

/** The kinds that change objects when the server admits them: sidecars, defaults, security contexts. */
const MUTATIONS: ReadonlySet<string> = new Set(
  ['MutatingWebhookConfiguration', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'].map((kind) => `${ADMISSION} ${kind}`),
)

export const MUTATION_REMOVED: DangerRule = {
  id: 'mutation-removed',
  severity: 'notice',
  nouns: ['mutation of admitted objects removed', 'mutations of admitted objects removed'],
  text: 'objects are no longer changed when they are admitted: what was put into them, such as a sidecar, is missing',
  find: (change) => {
    const { op, before, after } = change
    if (!MUTATIONS.has(groupKindOf(before))) return []
    if (op === 'delete') return clusterOf(change).after.every((each) => !isSameObject(each, before)) ? [''] : []
    const [old, present] = [before, after].map((object) =>
      recordsOf(lookup(object ?? {}, 'webhooks')).map((each) => scalarText(lookup(each, 'name'))),
    )
    return without(present ?? [], old ?? []).map((name) => `webhooks[${name}]`)
  },
}

/** The guards that guard the same under another name. */
const NAMELESS: ReadonlySet<string> = new Set([BINDING, WEBHOOKS, BACKEND_TLS])

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
  return op === 'change' ? kind === NETWORK_POLICY : op !== 'create' && (GUARDS.has(kind) || MUTATIONS.has(kind))
}

/** Returns the paths by which a guard of each kind guards less than before. */
const WEAKENED: Readonly<Record<string, (before: Guard, after: Guard, change: JudgedChange) => readonly string[]>> = {
  [NETWORK_POLICY]: openedPolicy,
  [BINDING]: (before, after) => {
    const isLost = (holds: (object: Guard) => boolean) => holds(before) && !holds(after)
    const notFound = (object: Guard) => valueAt(object, ['spec', 'paramRef', 'parameterNotFoundAction'])
    const [was, is] = [before, after].map((object) => valueAt(object, ['spec', 'matchResources']))
    return [
      ...(isLost((each) => listedTexts(valueAt(each, ['spec', 'validationActions'])).includes('Deny')) ? ['spec.validationActions'] : []),
      ...(notFound(before) === 'Deny' && notFound(after) === 'Allow' ? ['spec.paramRef.parameterNotFoundAction'] : []),
      ...narrowerScope(was, is).map((field) => `spec.matchResources.${field}`),
    ]
  },
  [POLICY]: (before, after) => {
    const passes = (object: Guard) => valueAt(object, ['spec', 'failurePolicy']) === 'Ignore'
    const [was = 0, is = 0] = [before, after].map((object) => recordsOf(valueAt(object, ['spec', 'validations'])).length)
    const scopes = [before, after].map((object) => valueAt(object, ['spec', 'matchConstraints']))
    return [
      ...(passes(after) && !passes(before) ? ['spec.failurePolicy'] : []),
      ...(is < was ? ['spec.validations'] : []),
      ...narrowerScope(scopes[0], scopes[1]).map((field) => `spec.matchConstraints.${field}`),
      ...narrowerScope(valueAt(before, ['spec']), valueAt(after, ['spec'])).map((field) => `spec.${field}`),
    ]
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
      ...recordsOf(lookup(after ?? {}, 'webhooks')).flatMap((webhook) => {
        const name = scalarText(lookup(webhook, 'name'))
        const was = recordsOf(lookup(before ?? {}, 'webhooks')).find((each) => scalarText(lookup(each, 'name')) === name)
        return was === undefined ? [] : narrowerScope(was, webhook).map((field) => `webhooks[${name}].${field}`)
      }),
    ]
  },
  'apiregistration.k8s.io APIService': (before, after) => {
    const isInsecure = (object: Guard) => valueAt(object, ['spec', 'insecureSkipTLSVerify']) === true
    return isInsecure(after) && !isInsecure(before) ? ['spec.insecureSkipTLSVerify'] : []
  },
  [BACKEND_TLS]: uncheckedBackends,
  [GATEWAY]: openedGateway,
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
