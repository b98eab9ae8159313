import { lookup, scalarText } from '../../json.ts'
import type { DangerRule } from './danger-rule.ts'

/**
 * The API versions that Kubernetes stopped to serve, with the minor version 1.N that no longer does (the deprecation guide, and the
 * `APILifecycleRemoved` functions of k8s.io/api). Kinds are those of the version; `*` stands for all of them.
 */
const REMOVED: readonly (readonly [apiVersion: string, kinds: string, minor: number])[] = [
  ['extensions/v1beta1', 'Deployment DaemonSet ReplicaSet NetworkPolicy PodSecurityPolicy', 16],
  ['extensions/v1beta1', 'Ingress', 22],
  ['apps/v1beta1', '*', 16],
  ['apps/v1beta2', '*', 16],
  ['admissionregistration.k8s.io/v1beta1', 'MutatingWebhookConfiguration ValidatingWebhookConfiguration', 22],
  ['admissionregistration.k8s.io/v1beta1', 'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding', 34],
  ['apiextensions.k8s.io/v1beta1', '*', 22],
  ['apiregistration.k8s.io/v1beta1', '*', 22],
  ['authentication.k8s.io/v1beta1', 'TokenReview', 22],
  ['authorization.k8s.io/v1beta1', '*', 22],
  ['certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 22],
  ['coordination.k8s.io/v1beta1', 'Lease', 22],
  ['networking.k8s.io/v1beta1', 'Ingress IngressClass', 22],
  ['rbac.authorization.k8s.io/v1alpha1', '*', 22],
  ['rbac.authorization.k8s.io/v1beta1', '*', 22],
  ['scheduling.k8s.io/v1beta1', 'PriorityClass', 22],
  ['storage.k8s.io/v1beta1', 'CSIDriver CSINode StorageClass VolumeAttachment', 22],
  ['storage.k8s.io/v1beta1', 'CSIStorageCapacity', 27],
  ['batch/v1beta1', 'CronJob', 25],
  ['discovery.k8s.io/v1beta1', 'EndpointSlice', 25],
  ['events.k8s.io/v1beta1', 'Event', 25],
  ['autoscaling/v2beta1', 'HorizontalPodAutoscaler', 25],
  ['policy/v1beta1', 'PodDisruptionBudget PodSecurityPolicy', 25],
  ['node.k8s.io/v1beta1', 'RuntimeClass', 25],
  ['flowcontrol.apiserver.k8s.io/v1beta1', '*', 26],
  ['autoscaling/v2beta2', 'HorizontalPodAutoscaler', 26],
  ['flowcontrol.apiserver.k8s.io/v1beta2', '*', 29],
  ['flowcontrol.apiserver.k8s.io/v1beta3', '*', 32],
]

/** An object of an API version that the Kubernetes of the fleet, `cluster.kubernetesVersion`, no longer serves. */
export const NOT_SERVED: DangerRule = {
  id: 'api-not-served',
  nouns: ['object of an API version that is not served', 'objects of an API version that is not served'],
  text: 'the Kubernetes of the fleet does not serve the API version of the object: the API server refuses the object',
  find: ({ before, after, kubernetesVersion }) => {
    const minor = minorOf(kubernetesVersion)
    if (after === undefined || minor === undefined) return []
    const [apiVersion, kind] = ['apiVersion', 'kind'].map((field) => scalarText(lookup(after, field)))
    if (before !== undefined && lookup(before, 'apiVersion') === apiVersion && lookup(before, 'kind') === kind) return []
    const removed = REMOVED.find(([version, kinds]) => version === apiVersion && (kinds === '*' || kinds.split(' ').includes(kind ?? '')))
    return removed !== undefined && minor >= removed[2] ? ['apiVersion'] : []
  },
}

/** Returns the number of a version of Kubernetes: 34 of `v1.34.2`. */
export function minorOf(version = ''): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(version) ?? []
  return minor === undefined ? undefined : Number(minor)
}
