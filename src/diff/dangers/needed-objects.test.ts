import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { dangerPaths, deletionOf, judgedChange, judgedObject } from './testing/judged-changes.ts'

const RULE = 'in-use-deleted'
const IN_SHOP = { namespace: 'shop' }

/** Returns true if an object of a kind with the name `needed` may not be deleted beside another object. */
function isNeeded(kind: string, user: JsonRecord, namespace = 'shop'): boolean {
  const needed = judgedObject(kind, {}, { name: 'needed', ...(namespace !== '' && { namespace }) })
  return dangerPaths(RULE, deletionOf(needed, user)).length > 0
}

const podOf = (spec: JsonRecord): JsonRecord => judgedObject('apps/v1 Deployment', { spec: { template: { spec } } }, IN_SHOP)
const container = (fields: JsonRecord): JsonRecord => podOf({ containers: [{ name: 'main' }, { name: 'other', ...fields }] })
const volume = (source: JsonRecord): JsonRecord => podOf({ containers: [], volumes: [{ name: 'x' }, { name: 'v', ...source }] })
const NAMED = { name: 'needed' }

test.each<[string, string, JsonRecord]>([
  ['a Secret of envFrom', 'v1 Secret', container({ envFrom: [{ secretRef: NAMED }] })],
  ['a ConfigMap of envFrom', 'v1 ConfigMap', container({ envFrom: [{ configMapRef: NAMED }] })],
  [
    'a Secret of env',
    'v1 Secret',
    container({
      env: [
        { name: 'A', value: 'b' },
        { name: 'E', valueFrom: { secretKeyRef: NAMED } },
      ],
    }),
  ],
  ['a ConfigMap of env', 'v1 ConfigMap', container({ env: [{ name: 'E', valueFrom: { configMapKeyRef: NAMED } }] })],
  [
    'a Secret of an init container',
    'v1 Secret',
    podOf({ containers: [], initContainers: [{ name: 'i', envFrom: [{ secretRef: NAMED }] }] }),
  ],
  ['a Secret of a volume', 'v1 Secret', volume({ secret: { secretName: 'needed' } })],
  ['a ConfigMap of a volume', 'v1 ConfigMap', volume({ configMap: NAMED })],
  ['a projected Secret', 'v1 Secret', volume({ projected: { sources: [{ secret: NAMED }] } })],
  ['a projected ConfigMap', 'v1 ConfigMap', volume({ projected: { sources: [{ configMap: NAMED }] } })],
  ['a Secret of images', 'v1 Secret', podOf({ containers: [], imagePullSecrets: [NAMED] })],
  ['an account', 'v1 ServiceAccount', podOf({ containers: [], serviceAccountName: 'needed' })],
  ['an account by its older field', 'v1 ServiceAccount', podOf({ containers: [], serviceAccount: 'needed' })],
  [
    'a claim on devices',
    'resource.k8s.io/v1 ResourceClaim',
    podOf({ containers: [], resourceClaims: [{ name: 'c', resourceClaimName: 'needed' }] }),
  ],
  [
    'a template of claims',
    'resource.k8s.io/v1 ResourceClaimTemplate',
    podOf({ containers: [], resourceClaims: [{ name: 'c', resourceClaimTemplateName: 'needed' }] }),
  ],
  [
    'the Service of a path of an Ingress',
    'v1 Service',
    judgedObject('networking.k8s.io/v1 Ingress', { spec: { rules: [{ http: { paths: [{ backend: { service: NAMED } }] } }] } }, IN_SHOP),
  ],
  [
    'the Service of every other path of an Ingress',
    'v1 Service',
    judgedObject('networking.k8s.io/v1 Ingress', { spec: { defaultBackend: { service: NAMED } } }, IN_SHOP),
  ],
  ...['HTTPRoute', 'GRPCRoute'].flatMap((kind): [string, string, JsonRecord][] => {
    const route = (backend: JsonRecord) =>
      judgedObject(`gateway.networking.k8s.io/v1 ${kind}`, { spec: { rules: [{ backendRefs: [backend] }] } }, IN_SHOP)
    return [
      [`the Service of a ${kind}`, 'v1 Service', route(NAMED)],
      [`the Service of a ${kind} by its kind`, 'v1 Service', route({ ...NAMED, kind: 'Service' })],
    ]
  }),
  [
    'the role of a binding',
    'rbac.authorization.k8s.io/v1 Role',
    judgedObject('rbac.authorization.k8s.io/v1 RoleBinding', { roleRef: { kind: 'Role', ...NAMED } }, IN_SHOP),
  ],
  [
    'a Deployment that is scaled',
    'apps/v1 Deployment',
    judgedObject(
      'autoscaling/v2 HorizontalPodAutoscaler',
      { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', ...NAMED } } },
      IN_SHOP,
    ),
  ],
  [
    'a StatefulSet that is scaled',
    'apps/v1 StatefulSet',
    judgedObject(
      'autoscaling/v2 HorizontalPodAutoscaler',
      { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', ...NAMED } } },
      IN_SHOP,
    ),
  ],
  [
    'the workload of a Rollout',
    'apps/v1 Deployment',
    judgedObject(
      'argoproj.io/v1alpha1 Rollout',
      { spec: { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', ...NAMED } } },
      IN_SHOP,
    ),
  ],
])('%s is needed in its namespace, and in no other one', (_, kind, user) => {
  expect([isNeeded(kind, user), isNeeded(kind, user, 'other')]).toEqual([true, false])
})

const SERVICE = { service: { name: 'needed', namespace: 'shop' } }
const hook = (kind: string) => judgedObject(`admissionregistration.k8s.io/v1 ${kind}`, { webhooks: [{ name: 'w', clientConfig: SERVICE }] })

test.each<[string, JsonRecord]>([
  ['a webhook that validates', hook('ValidatingWebhookConfiguration')],
  ['a webhook that mutates', hook('MutatingWebhookConfiguration')],
  ['an API', judgedObject('apiregistration.k8s.io/v1 APIService', { spec: SERVICE })],
  [
    'a conversion',
    judgedObject('apiextensions.k8s.io/v1 CustomResourceDefinition', { spec: { conversion: { webhook: { clientConfig: SERVICE } } } }),
  ],
])('the Service of %s is needed in the namespace that is named with it', (_, user) => {
  expect([isNeeded('v1 Service', user), isNeeded('v1 Service', user, 'other')]).toEqual([true, false])
})

test.each<[string, string, JsonRecord]>([
  ['a PriorityClass', 'scheduling.k8s.io/v1 PriorityClass', podOf({ containers: [], priorityClassName: 'needed' })],
  ['a RuntimeClass', 'node.k8s.io/v1 RuntimeClass', podOf({ containers: [], runtimeClassName: 'needed' })],
  [
    'a ClusterRole of a RoleBinding',
    'rbac.authorization.k8s.io/v1 ClusterRole',
    judgedObject('rbac.authorization.k8s.io/v1 RoleBinding', { roleRef: { kind: 'ClusterRole', ...NAMED } }, IN_SHOP),
  ],
  [
    'a ClusterRole of a ClusterRoleBinding',
    'rbac.authorization.k8s.io/v1 ClusterRole',
    judgedObject('rbac.authorization.k8s.io/v1 ClusterRoleBinding', { roleRef: { kind: 'ClusterRole', ...NAMED } }),
  ],
])('%s, which has no namespace, is needed in each', (_, kind, user) => {
  expect(isNeeded(kind, user, '')).toBe(true)
})

test.each<[string, string, JsonRecord]>([
  ['a Secret that may be missing', 'v1 Secret', container({ envFrom: [{ secretRef: { ...NAMED, optional: true } }] })],
  ['a Secret of another name', 'v1 Secret', container({ envFrom: [{ secretRef: { name: 'other' } }] })],
  ['a ConfigMap with the name of a Secret', 'v1 ConfigMap', container({ envFrom: [{ secretRef: NAMED }] })],
  [
    'a backend of another kind',
    'v1 Service',
    judgedObject('gateway.networking.k8s.io/v1 HTTPRoute', { spec: { rules: [{ backendRefs: [{ kind: 'Bucket', ...NAMED }] }] } }, IN_SHOP),
  ],
  [
    'a role of another kind',
    'rbac.authorization.k8s.io/v1 Role',
    judgedObject('rbac.authorization.k8s.io/v1 RoleBinding', { roleRef: { kind: 'ClusterRole', ...NAMED } }, IN_SHOP),
  ],
  [
    'a workload of another group',
    'apps/v1 Deployment',
    judgedObject(
      'autoscaling/v2 HorizontalPodAutoscaler',
      { spec: { scaleTargetRef: { apiVersion: 'x.example.com/v1', kind: 'Deployment', ...NAMED } } },
      IN_SHOP,
    ),
  ],
  ['an object of a kind that no rule is about', 'example.com/v1 Secret', container({ envFrom: [{ secretRef: NAMED }] })],
])('%s is not needed', (_, kind, user) => {
  expect(isNeeded(kind, user)).toBe(false)
})

test.each(['apps/v1 ReplicaSet', 'v1 PodTemplate', 'argoproj.io/v1alpha1 Rollout'])('a %s that is scaled is needed', (kind) => {
  const [apiVersion = '', name = ''] = kind.split(' ')
  const target = { apiVersion, kind: name, ...NAMED }
  expect(isNeeded(kind, judgedObject('autoscaling/v2 HorizontalPodAutoscaler', { spec: { scaleTargetRef: target } }, IN_SHOP))).toBe(true)
})

test('an object is needed when it is deleted or renamed while its user stays, not when it changes, comes back or goes with its user', () => {
  const secret = judgedObject('v1 Secret', {}, { name: 'needed', ...IN_SHOP })
  const user = container({ envFrom: [{ secretRef: NAMED }] })
  expect(dangerPaths(RULE, deletionOf(secret, user))).toEqual([''])
  expect(dangerPaths(RULE, deletionOf(secret))).toEqual([])
  expect(dangerPaths(RULE, deletionOf(secret, user, { ...secret, data: {} }))).toEqual([])
  const renamed = { ...secret, metadata: { name: 'other', ...IN_SHOP } }
  expect(dangerPaths(RULE, { ...judgedChange(secret, renamed, user), op: 'rename' })).toEqual([''])
  expect(
    dangerPaths(RULE, { ...judgedChange(secret, { ...secret, data: {} }, user), objects: () => ({ before: [], after: [user] }) }),
  ).toEqual([])
  expect(dangerPaths(RULE, { op: 'delete', before: secret, fields: [] })).toEqual([])
  expect(dangerPaths(RULE, { ...deletionOf(secret), inCluster: () => ({ before: [secret, user], after: [user] }) })).toEqual([''])
})
