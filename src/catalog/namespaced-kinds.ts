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
