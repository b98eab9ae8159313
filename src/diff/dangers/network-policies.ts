import { isRecord, type JsonRecord, type JsonValue, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import { clusterOf, type JudgedChange, without } from './danger-rule.ts'
import { groupKindOf, isSameObject, namespaceOfRecord, podLabelsOf } from './pod-spec.ts'
import { isNarrower, matchesLabels } from './selectors.ts'

export const NETWORK_POLICY = 'networking.k8s.io NetworkPolicy'

type Policy = JsonRecord | undefined

/**
 * Returns true if a NetworkPolicy goes and leaves pods open: no other policy of the cluster governs them in all of its ways. Pods that go
 * with the policy, or with their namespace, are not left. A policy that selected no workload of the fleet may guard pods of others.
 */
export function opensPods(change: JudgedChange): boolean {
  const { before } = change
  if (openWays(before, change).length === 0) return false
  const { before: old, after: present } = clusterOf(change)
  const isNamespace = (each: JsonRecord) =>
    groupKindOf(each) === ' Namespace' && valueAt(each, ['metadata', 'name']) === namespaceOfRecord(before)
  if (old.some(isNamespace) && !present.some(isNamespace)) return false
  const isGoverned = (each: JsonRecord) => {
    const labels = podLabelsOf(each)
    return (
      labels !== undefined && namespaceOfRecord(each) === namespaceOfRecord(before) && matchesLabels(spec(before, 'podSelector'), labels)
    )
  }
  return !old.some(isGoverned) || present.some(isGoverned)
}

/** Returns the ways of a policy that no other policy of the cluster governs for all of its pods after a change. */
function openWays(before: Policy, change: JudgedChange): readonly string[] {
  const own = change.op === 'change' ? before : undefined
  const others = clusterOf(change).after.filter(
    (each) =>
      groupKindOf(each) === NETWORK_POLICY &&
      !isSameObject(each, own) &&
      namespaceOfRecord(each) === namespaceOfRecord(before) &&
      !isNarrower(spec(each, 'podSelector'), spec(before, 'podSelector')),
  )
  return waysOf(before).filter((way) => !others.some((each) => waysOf(each).includes(way)))
}

function spec(policy: Policy, key: string): JsonValue | undefined {
  return memberOf(lookup(policy ?? {}, 'spec'), key)
}

/**
 * Returns the paths by which a NetworkPolicy keeps out less: a way that it no longer governs, fewer pods, a rule without peers. A way and
 * pods that another policy governs stay closed: pods are open only to what one of their policies allows.
 */
export function openedPolicy(before: Policy, after: Policy, change: JudgedChange): readonly string[] {
  const open = openWays(before, change)
  const left = without(waysOf(after), waysOf(before)).filter((way) => open.includes(way))
  const narrowed = open.length > 0 && isNarrower(spec(after, 'podSelector'), spec(before, 'podSelector'))
  const opened = waysOf(after).filter((way) => {
    const [was, is] = [before, after].map((object) => openPorts(spec(object, way.toLowerCase())))
    return waysOf(before).includes(way) && is?.some((ports) => !was?.includes(ports) && !was?.includes(EVERY_PORT)) === true
  })
  return [
    ...(left.length > 0 ? ['spec.policyTypes'] : []),
    ...(narrowed ? ['spec.podSelector'] : []),
    ...opened.map((way) => `spec.${way.toLowerCase()}`),
  ]
}

/** Returns the ways that a NetworkPolicy governs. Without policyTypes: Ingress, and Egress if it has rules for it. */
function waysOf(policy: Policy): readonly string[] {
  const types = listedTexts(valueAt(policy, ['spec', 'policyTypes']))
  return types.length > 0 ? types : ['Ingress', ...(recordsOf(valueAt(policy, ['spec', 'egress'])).length > 0 ? ['Egress'] : [])]
}

const EVERY_PORT = ''
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0/0', '::/0'])

/** Returns true for all addresses, and for the pods of all namespaces. */
function isEverybody(peer: JsonRecord): boolean {
  const [namespaces, pods] = ['namespaceSelector', 'podSelector'].map((field) => lookup(peer, field))
  return (
    EVERYWHERE.has(scalarText(memberOf(lookup(peer, 'ipBlock'), 'cidr'))) ||
    (isRecord(namespaces) && !isNarrower(namespaces, {}) && !isNarrower(pods, {}))
  )
}

/**
 * Returns each port that rules of a NetworkPolicy let everybody reach: those of rules without peers, or with all addresses or namespaces.
 */
function openPorts(rules: JsonValue | undefined): readonly string[] {
  return recordsOf(rules).flatMap((rule) => {
    const peers = ['from', 'to'].flatMap((key) => recordsOf(lookup(rule, key)))
    const isOpen = peers.length === 0 || peers.some(isEverybody)
    const ports = recordsOf(lookup(rule, 'ports'))
    if (!isOpen) return []
    if (ports.length === 0) return [EVERY_PORT]
    return ports.map(({ protocol = 'TCP', port, endPort }) => [protocol, port, endPort].map(scalarText).join(' '))
  })
}
