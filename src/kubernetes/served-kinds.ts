/**
 * Kinds that every API server with Porch serves, by apiVersion (docs/porch.md 12 lists the groups). `cluster` has the kinds without
 * namespaces.
 */
export const SERVED_KINDS: Readonly<Record<string, { readonly namespaced: readonly string[]; readonly cluster: readonly string[] }>> = {
  v1: {
    namespaced: [
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
    cluster: ['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume'],
  },
  'apps/v1': { namespaced: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'], cluster: [] },
  'batch/v1': { namespaced: ['CronJob', 'Job'], cluster: [] },
  'rbac.authorization.k8s.io/v1': { namespaced: ['Role', 'RoleBinding'], cluster: ['ClusterRole', 'ClusterRoleBinding'] },
  'networking.k8s.io/v1': { namespaced: ['Ingress', 'NetworkPolicy'], cluster: ['IngressClass', 'IPAddress', 'ServiceCIDR'] },
  'policy/v1': { namespaced: ['Eviction', 'PodDisruptionBudget'], cluster: [] },
  'apiextensions.k8s.io/v1': { namespaced: [], cluster: ['CustomResourceDefinition'] },
  'porch.kpt.dev/v1alpha1': { namespaced: ['Package', 'PackageRevision', 'PackageRevisionResources'], cluster: [] },
  'porch.kpt.dev/v1alpha2': { namespaced: ['PackageRevision'], cluster: [] },
  'config.porch.kpt.dev/v1alpha1': {
    namespaced: ['FunctionConfig', 'PackageRev', 'PackageVariant', 'PackageVariantSet', 'Repository'],
    cluster: [],
  },
  'config.porch.kpt.dev/v1alpha2': { namespaced: ['PackageVariantSet'], cluster: [] },
}

/** Kinds without namespaces of the other built-in groups, by group. Such a kind exists only if the list holds an object of the kind. */
export const OTHER_CLUSTER_KINDS: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'apiregistration.k8s.io': ['APIService'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'node.k8s.io': ['RuntimeClass'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
}
