import { expect, test } from 'vitest'
import { minorOf, NOT_SERVED } from './served-versions.ts'

/** Returns true if a Kubernetes does not serve a kind, VERSION KIND. */
function isGone(kind: string, kubernetesVersion: string | undefined, before?: string): boolean {
  const [after, was] = [kind, before].map((each) => {
    const [apiVersion = '', name = ''] = each?.split(' ') ?? []
    return { apiVersion, kind: name, metadata: { name: 'a' } }
  })
  const change = {
    op: 'create',
    fields: [],
    stored: [],
    ...(after && { after }),
    ...(before !== undefined && was && { before: was }),
  } as const
  return NOT_SERVED.find({ ...change, ...(kubernetesVersion !== undefined && { kubernetesVersion }) }).length > 0
}

// https://kubernetes.io/docs/reference/using-api/deprecation-guide/
test.each<[kubernetes: number, kinds: readonly string[]]>([
  [
    16,
    [
      ...['Deployment', 'DaemonSet', 'ReplicaSet', 'NetworkPolicy', 'PodSecurityPolicy'].map((kind) => `extensions/v1beta1 ${kind}`),
      ...['apps/v1beta1 Deployment', 'apps/v1beta1 StatefulSet', 'apps/v1beta2 DaemonSet', 'apps/v1beta2 ReplicaSet'],
    ],
  ],
  [
    22,
    [
      ...['extensions/v1beta1 Ingress', 'networking.k8s.io/v1beta1 Ingress', 'networking.k8s.io/v1beta1 IngressClass'],
      ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind) => `admissionregistration.k8s.io/v1beta1 ${kind}`),
      ...['apiextensions.k8s.io/v1beta1 CustomResourceDefinition', 'apiregistration.k8s.io/v1beta1 APIService'],
      ...['authentication.k8s.io/v1beta1 TokenReview', 'authorization.k8s.io/v1beta1 SubjectAccessReview'],
      ...['certificates.k8s.io/v1beta1 CertificateSigningRequest', 'coordination.k8s.io/v1beta1 Lease'],
      ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map((kind) => `rbac.authorization.k8s.io/v1beta1 ${kind}`),
      ...['rbac.authorization.k8s.io/v1alpha1 Role', 'scheduling.k8s.io/v1beta1 PriorityClass'],
      ...['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment'].map((kind) => `storage.k8s.io/v1beta1 ${kind}`),
    ],
  ],
  [
    25,
    [
      ...['batch/v1beta1 CronJob', 'discovery.k8s.io/v1beta1 EndpointSlice', 'events.k8s.io/v1beta1 Event'],
      ...['autoscaling/v2beta1 HorizontalPodAutoscaler', 'policy/v1beta1 PodDisruptionBudget', 'policy/v1beta1 PodSecurityPolicy'],
      'node.k8s.io/v1beta1 RuntimeClass',
    ],
  ],
  [26, ['flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema', 'autoscaling/v2beta2 HorizontalPodAutoscaler']],
  [27, ['storage.k8s.io/v1beta1 CSIStorageCapacity']],
  [29, ['flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema', 'flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration']],
  [32, ['flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema']],
  [34, ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'].map((kind) => `admissionregistration.k8s.io/v1beta1 ${kind}`)],
])('Kubernetes 1.%i no longer serves %j, the one before did', (minor, kinds) => {
  expect(kinds.filter((kind) => !isGone(kind, `1.${minor}`))).toEqual([])
  expect(kinds.filter((kind) => !isGone(kind, `v1.${minor + 1}.3`))).toEqual([])
  expect(kinds.filter((kind) => isGone(kind, `1.${minor - 1}`))).toEqual([])
})

test.each([
  ['apps/v1 Deployment', '1.37'],
  ['batch/v1 CronJob', '1.37'],
  ['extensions/v1beta1 Other', '1.37'],
  ['batch/v1beta1 CronJob', undefined],
  ['batch/v1beta1 CronJob', 'latest'],
  ['batch/v1beta1 CronJob', '2.30'],
])('%s of Kubernetes %s is served, or may be', (kind, version) => {
  expect(isGone(kind, version)).toBe(false)
})

test('an object that was of the version before is no change for the worse, one that becomes so is', () => {
  expect(isGone('batch/v1beta1 CronJob', '1.25', 'batch/v1beta1 CronJob')).toBe(false)
  expect(isGone('batch/v1beta1 CronJob', '1.25', 'batch/v1 CronJob')).toBe(true)
  expect(isGone('policy/v1beta1 PodDisruptionBudget', '1.25', 'policy/v1beta1 PodSecurityPolicy')).toBe(true)
  expect(NOT_SERVED.find({ op: 'delete', fields: [], stored: [], kubernetesVersion: '1.37' })).toEqual([])
  const after = { apiVersion: 'batch/v1beta1', kind: 'CronJob' }
  expect(NOT_SERVED.find({ op: 'create', after, fields: [], stored: [], kubernetesVersion: '1.37' })).toEqual(['apiVersion'])
})

test.each([
  ['1.34', 34],
  ['v1.34.2', 34],
  ['1', undefined],
  ['', undefined],
  ['11.34', undefined],
])('the minor version of Kubernetes %j is %s', (version, minor) => {
  expect(minorOf(version)).toBe(minor)
})
