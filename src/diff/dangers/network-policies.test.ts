import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { fieldChanges } from '../field-changes.ts'
import { dangersOf } from './dangers.ts'

const policy = (name: string, spec: JsonRecord = {}, namespace = 'shop'): JsonRecord => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace },
  spec: { podSelector: {}, ...spec },
})
const APP_A = { podSelector: { matchLabels: { app: 'a' } } }

/** Returns the paths of a policy that opens pods, when it goes or becomes another one beside other objects of the cluster. */
function opened(before: JsonRecord, after: JsonRecord | undefined, ...others: readonly JsonRecord[]): readonly string[] {
  const found = dangersOf({
    op: after === undefined ? 'delete' : 'change',
    before,
    ...(after && { after }),
    fields: after === undefined ? [] : fieldChanges(before, after),
    objects: () => ({ before: [before, ...others], after: [...(after === undefined ? [] : [after]), ...others] }),
  })
  return found.filter(({ rule }) => rule === 'guard-removed').map(({ path = 'the policy' }) => path)
}

test('a policy that goes opens its pods unless another one of its namespace governs all of them', () => {
  expect(opened(policy('a'), undefined)).toEqual(['the policy'])
  expect(opened(policy('a'), undefined, policy('b'))).toEqual([])
  expect(opened(policy('a'), undefined, policy('b', APP_A))).toEqual(['the policy'])
  expect(opened(policy('a', APP_A), undefined, policy('b'))).toEqual([])
})

test('a policy of another namespace governs none of the pods', () => {
  expect(opened(policy('a'), undefined, policy('b', {}, 'till'))).toEqual(['the policy'])
  expect(opened(policy('a'), policy('a', APP_A), policy('b', {}, 'till'))).toEqual(['spec.podSelector'])
})

test('a policy that goes with all pods that it selects, or with its namespace, opens none', () => {
  const pod: JsonRecord = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop', labels: { app: 'a' } } }
  const namespace: JsonRecord = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
  const before = policy('a', APP_A)
  const isDanger = (others: readonly JsonRecord[], after: readonly JsonRecord[]) =>
    dangersOf({ op: 'delete', before, fields: [], objects: () => ({ before: [before, ...others], after }) }).length > 0
  expect([isDanger([pod], [pod]), isDanger([pod], [])]).toEqual([true, false])
  expect([isDanger([namespace], [namespace]), isDanger([namespace], [])]).toEqual([true, false])
  // It may guard pods of others.
  expect(isDanger([], [])).toBe(true)
})

test('another policy keeps closed only the ways that it governs', () => {
  const both = policy('a', { policyTypes: ['Ingress', 'Egress'] })
  expect(opened(both, policy('a', { policyTypes: ['Ingress'] }))).toEqual(['spec.policyTypes'])
  expect(opened(both, policy('a', { policyTypes: ['Ingress'] }), policy('b'))).toEqual(['spec.policyTypes'])
  expect(opened(both, policy('a', { policyTypes: ['Ingress'] }), policy('b', { policyTypes: ['Egress'] }))).toEqual([])
})

test('a policy that was open at every port is not opened by a rule for one port, the other way around it is', () => {
  const [everyPort, onePort] = [policy('a', { ingress: [{}] }), policy('a', { ingress: [{ ports: [{ port: 80 }] }] })]
  expect(opened(everyPort, onePort)).toEqual([])
  expect(opened(onePort, everyPort)).toEqual(['spec.ingress'])
})

test.each<[string, JsonRecord, boolean]>([
  ['all addresses', { ipBlock: { cidr: '0.0.0.0/0' } }, true],
  ['all addresses of IPv6', { ipBlock: { cidr: '::/0' } }, true],
  ['some addresses', { ipBlock: { cidr: '10.0.0.0/8' } }, false],
  ['all pods of all namespaces', { namespaceSelector: {} }, true],
  ['all pods of all namespaces, by an empty selector', { namespaceSelector: {}, podSelector: {} }, true],
  ['some pods of all namespaces', { namespaceSelector: {}, ...APP_A }, false],
  ['all pods of some namespaces', { namespaceSelector: { matchLabels: { team: 'a' } }, podSelector: {} }, false],
  ['all pods of the own namespace', { podSelector: {} }, false],
])('a rule for %s beside others is one for everybody: %s', (_, peer, isEverybody) => {
  const other = { podSelector: { matchLabels: { app: 'b' } } }
  const isOpened = (way: string, key: string) => {
    const spec = { policyTypes: ['Ingress', 'Egress'] }
    return opened(policy('a', { ...spec, [way]: [{ [key]: [other] }] }), policy('a', { ...spec, [way]: [{ [key]: [other, peer] }] }))
  }
  expect(isOpened('ingress', 'from')).toEqual(isEverybody ? ['spec.ingress'] : [])
  expect(isOpened('egress', 'to')).toEqual(isEverybody ? ['spec.egress'] : [])
})

test('a port is another one by its number, its end and its protocol, which is TCP if none is written', () => {
  const openAt = (...ports: readonly JsonRecord[]) => policy('a', { ingress: [{ ports }] })
  expect(opened(openAt({ port: 80 }), openAt({ port: 80, protocol: 'TCP' }))).toEqual([])
  expect(opened(openAt({ port: 80 }), openAt({ port: 80, protocol: 'UDP' }))).toEqual(['spec.ingress'])
  expect(opened(openAt({ port: 80 }), openAt({ port: 80, endPort: 90 }))).toEqual(['spec.ingress'])
  expect(opened(openAt({ port: 80 }, { port: 81 }), openAt({ port: 81 }))).toEqual([])
})

test('a policy without types governs Egress if it has rules for it', () => {
  const withRules = policy('a', { egress: [{ to: [{ podSelector: {} }] }] })
  expect(opened(withRules, policy('a'))).toEqual(['spec.policyTypes'])
  expect(opened(policy('a', { egress: [] }), policy('a'))).toEqual([])
})
