/**
 * The built-in kinds with a namespace, by apiVersion, from the OpenAPI document of Kubernetes 1.21 in kyaml. Functions of the catalog
 * set the namespace of these kinds; an object of another kind must have a namespace already.
 */
const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'Binding',
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'authorization.k8s.io/v1': ['LocalSubjectAccessReview'],
  'authorization.k8s.io/v1beta1': ['LocalSubjectAccessReview'],
  'autoscaling/v1': ['HorizontalPodAutoscaler'],
  'autoscaling/v2beta1': ['HorizontalPodAutoscaler'],
  'autoscaling/v2beta2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['CronJob', 'Job'],
  'batch/v1beta1': ['CronJob'],
  'coordination.k8s.io/v1': ['Lease'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'events.k8s.io/v1': ['Event'],
  'events.k8s.io/v1beta1': ['Event'],
  'extensions/v1beta1': ['Ingress'],
  'networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'networking.k8s.io/v1beta1': ['Ingress'],
  'policy/v1': ['PodDisruptionBudget'],
  'policy/v1beta1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
  'rbac.authorization.k8s.io/v1alpha1': ['Role', 'RoleBinding'],
  'rbac.authorization.k8s.io/v1beta1': ['Role', 'RoleBinding'],
  'storage.k8s.io/v1alpha1': ['CSIStorageCapacity'],
  'storage.k8s.io/v1beta1': ['CSIStorageCapacity'],
}

/** Returns true if a kind is built in and has a namespace. */
export function isNamespacedKind(apiVersion = '', kind = ''): boolean {
  return Object.hasOwn(NAMESPACED, apiVersion) && NAMESPACED[apiVersion]?.includes(kind) === true
}

/** The built-in kinds without a namespace, by apiVersion, from the same document. */
const CLUSTER: Readonly<Record<string, readonly string[]>> = {
  v1: ['ComponentStatus', 'Namespace', 'Node', 'NodeProxyOptions', 'PersistentVolume'],
  ...ofVersions('admissionregistration.k8s.io', ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']),
  ...ofVersions('apiextensions.k8s.io', ['CustomResourceDefinition']),
  ...ofVersions('apiregistration.k8s.io', ['APIService']),
  ...ofVersions('certificates.k8s.io', ['CertificateSigningRequest']),
  ...ofVersions('flowcontrol.apiserver.k8s.io', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...ofVersions('networking.k8s.io', ['IngressClass']),
  ...ofVersions('node.k8s.io', ['RuntimeClass']),
  ...ofVersions('policy', ['PodSecurityPolicy']),
  ...ofVersions('rbac.authorization.k8s.io', ['ClusterRole', 'ClusterRoleBinding']),
  ...ofVersions('scheduling.k8s.io', ['PriorityClass']),
  ...ofVersions('storage.k8s.io', ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment']),
}

function ofVersions(group: string, kinds: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return { [`${group}/v1`]: kinds, [`${group}/v1beta1`]: kinds }
}

/** Returns true if a kind is built in and has no namespace. */
export function isClusterKind(apiVersion = '', kind = ''): boolean {
  return Object.hasOwn(CLUSTER, apiVersion) && CLUSTER[apiVersion]?.includes(kind) === true
}
