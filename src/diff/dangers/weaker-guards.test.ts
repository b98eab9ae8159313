import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { JsonRecord } from '../../json.ts'
import { dangerPaths, deletionOf, judgedChange, judgedObject } from './testing/judged-changes.ts'
import { losesGuard } from './weaker-guards.ts'

const KEY = 'pod-security.kubernetes.io/enforce'
const namespace = (level: string) => judgedObject('v1 Namespace', {}, level === '' ? {} : { labels: { [KEY]: level } })

test.each([
  ['restricted', ['baseline', 'privileged', '', 'unknown']],
  ['baseline', ['privileged', '', 'unknown']],
  ['privileged', []],
  ['', []],
])('a Namespace that enforced %s enforces less with each of %j', (before, weaker) => {
  const levels = ['restricted', 'baseline', 'privileged', '', 'unknown']
  const paths = (level: string) => dangerPaths('weaker-pod-security', judgedChange(namespace(before), namespace(level)))
  expect(levels.filter((level) => paths(level).length > 0)).toEqual(weaker)
  expect(weaker.flatMap(paths)).toEqual(weaker.map(() => `metadata.labels["${KEY}"]`))
})

const ADMISSION = 'admissionregistration.k8s.io/v1'
const webhooks = (text: string, kind = 'ValidatingWebhookConfiguration') => judgedObject(`${ADMISSION} ${kind}`, { webhooks: parse(text) })

test.each([
  ['[{name: a}]', '[{name: a, failurePolicy: Ignore}]', ['webhooks[a].failurePolicy']],
  ['[{name: a, failurePolicy: Ignore}]', '[{name: a}]', []],
  ['[{name: a, failurePolicy: Ignore}]', '[{name: a, failurePolicy: Ignore}]', []],
  ['[]', '[{name: a, failurePolicy: Ignore}]', []],
  ['[{name: a}, {name: b}]', '[{name: b}]', ['webhooks[a]']],
  ['[{name: a}]', '[{name: a}, {name: b}]', []],
  ['[{name: a}]', '[{name: a, objectSelector: {matchLabels: {a: b}}}]', ['webhooks[a].objectSelector']],
  ['[{name: a, objectSelector: {matchLabels: {a: b}}}]', '[{name: a}]', []],
])('webhooks that were %s and are %s guard less at %j', (before, after, paths) => {
  expect(dangerPaths('guard-removed', judgedChange(webhooks(before), webhooks(after)))).toEqual(paths)
})

test('a webhook that changes objects is a danger when the webhook goes, not when it comes', () => {
  const [two, one] = ['[{name: a}, {name: b}]', '[{name: b}]'].map((text) => webhooks(text, 'MutatingWebhookConfiguration'))
  if (!two || !one) throw new Error('must have two states')
  expect(dangerPaths('mutation-removed', judgedChange(two, one))).toEqual(['webhooks[a]'])
  expect(dangerPaths('mutation-removed', judgedChange(one, two))).toEqual([])
  expect(dangerPaths('mutation-removed', deletionOf(two))).toEqual([''])
  // Another package of the cluster has the same object.
  expect(dangerPaths('mutation-removed', deletionOf(two, one))).toEqual([])
})

const BINDING = `${ADMISSION} ValidatingAdmissionPolicyBinding`
const POLICY = `${ADMISSION} ValidatingAdmissionPolicy`
const WEBHOOKS = `${ADMISSION} ValidatingWebhookConfiguration`
const API = 'apiregistration.k8s.io/v1 APIService'
const BACKEND_TLS = 'gateway.networking.k8s.io/v1 BackendTLSPolicy'

test.each<[kind: string, before: string, after: string, paths: readonly string[]]>([
  [BINDING, '{validationActions: [Deny, Audit]}', '{validationActions: [Audit]}', ['spec.validationActions']],
  [BINDING, '{validationActions: [Deny]}', '{validationActions: [Deny, Audit]}', []],
  [BINDING, '{validationActions: [Audit]}', '{validationActions: [Warn]}', []],
  [
    BINDING,
    '{paramRef: {parameterNotFoundAction: Deny}}',
    '{paramRef: {parameterNotFoundAction: Allow}}',
    ['spec.paramRef.parameterNotFoundAction'],
  ],
  [BINDING, '{paramRef: {parameterNotFoundAction: Allow}}', '{paramRef: {parameterNotFoundAction: Deny}}', []],
  [BINDING, '{paramRef: {parameterNotFoundAction: Deny}}', '{paramRef: {parameterNotFoundAction: Deny}}', []],
  [POLICY, '{failurePolicy: Fail}', '{failurePolicy: Ignore}', ['spec.failurePolicy']],
  [POLICY, '{}', '{failurePolicy: Ignore}', ['spec.failurePolicy']],
  [POLICY, '{failurePolicy: Ignore}', '{failurePolicy: Ignore}', []],
  [POLICY, '{failurePolicy: Ignore}', '{}', []],
  [POLICY, '{validations: [{expression: a}, {expression: b}]}', '{validations: [{expression: a}]}', ['spec.validations']],
  [POLICY, '{validations: [{expression: a}]}', '{validations: [{expression: b}]}', []],
  [POLICY, '{validations: [{expression: a}]}', '{validations: [{expression: a}, {expression: b}]}', []],
  [API, '{}', '{insecureSkipTLSVerify: true}', ['spec.insecureSkipTLSVerify']],
  [API, '{}', '{insecureSkipTLSVerify: false}', []],
  [API, '{insecureSkipTLSVerify: true}', '{insecureSkipTLSVerify: true}', []],
  [BACKEND_TLS, '{targetRefs: [{kind: Service, name: a}]}', '{targetRefs: [{kind: Service, name: b}]}', ['spec.targetRefs']],
  [BACKEND_TLS, '{targetRefs: [{kind: Service, name: a}]}', '{targetRefs: [{kind: Service, name: b}, {kind: Service, name: a}]}', []],
  [BACKEND_TLS, '{targetRefs: [{name: a, sectionName: web}]}', '{targetRefs: [{name: a, sectionName: api}]}', ['spec.targetRefs']],
  [BACKEND_TLS, '{targetRefs: [{name: a, sectionName: web}]}', '{targetRefs: [{name: a}]}', []],
  [BACKEND_TLS, '{targetRefs: [{name: a}]}', '{targetRefs: [{name: a, sectionName: web}]}', ['spec.targetRefs']],
])('a %s that was %s and is %s guards less at %j', (kind, before, after, paths) => {
  const [was, is] = [before, after].map((spec) => judgedObject(kind, { spec: parse(spec) }))
  expect(was && is && dangerPaths('guard-removed', judgedChange(was, is))).toEqual(paths)
})

test.each<[what: string, before: readonly JsonRecord[], after: readonly JsonRecord[], served: readonly string[], isLost: boolean]>([
  ['no host is encrypted any more', [{ hosts: ['a.x'] }], [], ['a.x'], true],
  ['one of the hosts is no longer encrypted', [{ hosts: ['a.x', 'b.x'] }], [{ hosts: ['a.x'] }], ['a.x', 'b.x'], true],
  ['a host that is no longer served is no longer encrypted', [{ hosts: ['a.x', 'b.x'] }], [{ hosts: ['a.x'] }], ['a.x'], false],
  ['every host was encrypted, and one is', [{ secretName: 's' }], [{ hosts: ['a.x'] }], ['a.x', 'b.x'], true],
  ['every host was encrypted, and the one that is still served is', [{ secretName: 's' }], [{ hosts: ['a.x'] }], ['a.x'], false],
  [
    'the hosts are encrypted by entries of their own',
    [{ hosts: ['a.x', 'b.x'] }],
    [{ hosts: ['b.x'] }, { hosts: ['a.x'] }],
    ['a.x', 'b.x'],
    false,
  ],
  ['a host is encrypted from now on', [], [{ hosts: ['a.x'] }], ['a.x'], false],
  ['no host was encrypted', [], [], ['a.x'], false],
])('of an Ingress, %s: case %#', (_, before, after, served, isLost) => {
  const ingress = (tls: readonly JsonRecord[], hosts: readonly string[]) =>
    judgedObject('networking.k8s.io/v1 Ingress', { spec: { rules: hosts.map((host) => ({ host })), tls } })
  const change = judgedChange(ingress(before, ['a.x', 'b.x']), ingress(after, served))
  expect(dangerPaths('guard-removed', change)).toEqual(isLost ? ['spec.tls'] : [])
})

test.each([BINDING, POLICY, WEBHOOKS, API, BACKEND_TLS])(
  'a %s that is deleted is a guard removed, unless another package has the guard',
  (kind) => {
    const guard = judgedObject(kind)
    expect(dangerPaths('guard-removed', deletionOf(guard))).toEqual([''])
    expect(dangerPaths('guard-removed', deletionOf(guard, guard))).toEqual([])
    expect(dangerPaths('guard-removed', { ...judgedChange(guard, guard), op: 'create' })).toEqual([])
  },
)

test.each([
  [BINDING, []],
  [WEBHOOKS, []],
  [BACKEND_TLS, []],
  [POLICY, ['']],
  [API, ['']],
])('a renamed %s is a guard removed if its name is part of what the guard guards: %j', (kind, paths) => {
  const rename = (fields: JsonRecord, later: JsonRecord) => {
    const [before, after] = [judgedObject(kind, fields), judgedObject(kind, later, { name: 'b' })]
    return dangerPaths('guard-removed', { ...judgedChange(before, after), op: 'rename' })
  }
  const strict = { spec: { validationActions: ['Deny'], targetRefs: [{ kind: 'Service', name: 's' }] }, webhooks: [{ name: 'w' }] }
  expect(rename(strict, strict)).toEqual(paths)
  expect(rename(strict, { spec: { validationActions: ['Audit'] }, webhooks: [] })).toEqual([''])
})

test('a BackendTLSPolicy that moves to another namespace leaves the Services of the first', () => {
  const [before, after] = ['a', 'b'].map((namespace) => judgedObject(BACKEND_TLS, { spec: { targetRefs: [{ name: 's' }] } }, { namespace }))
  expect(before && after && dangerPaths('guard-removed', { ...judgedChange(before, after), op: 'rename' })).toEqual([''])
})

test.each<[kind: string, asks: readonly string[]]>([
  ['networking.k8s.io/v1 NetworkPolicy', ['change', 'delete', 'rename']],
  [POLICY, ['delete', 'rename']],
  [`${ADMISSION} MutatingWebhookConfiguration`, ['delete', 'rename']],
  ['v1 ConfigMap', []],
])('of the changes of a %s, those are about the other packages of the cluster too: %j', (kind, asks) => {
  const before = judgedObject(kind)
  const ops = ['create', 'change', 'delete', 'rename'] as const
  expect(ops.filter((op) => losesGuard({ op, before, fields: [] }))).toEqual(asks)
})
