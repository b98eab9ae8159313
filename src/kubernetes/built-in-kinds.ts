/**
 * Who knows a kind: `functions` of the catalog, which set namespaces as kyaml does, and the `merge` of kpt, both by the OpenAPI document of
 * Kubernetes 1.21.2 that kyaml carries (v0.15 to v0.21); and `porch`, every API server with Porch (docs/porch.md 12 lists the groups).
 */
type Reader = 'functions' | 'merge' | 'porch'
type Scope = 'namespaced' | 'cluster' | 'no path of its own'

const KYAML = ['functions', 'merge'] as const
const ALL = [...KYAML, 'porch'] as const

/** The built-in kinds: one row for kinds that have the same versions, scope and readers. */
const KINDS: readonly (readonly [apiVersions: string, kinds: string, scope: Scope, readers: readonly Reader[]])[] = [
  [
    'v1',
    'Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
    'namespaced',
    ALL,
  ],
  ['v1', 'ComponentStatus Namespace Node PersistentVolume', 'cluster', ALL],
  ['v1', 'NodeProxyOptions', 'cluster', ['functions']],
  ['apps/v1', 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet', 'namespaced', ALL],
  ['batch/v1', 'CronJob Job', 'namespaced', ALL],
  ['batch/v1beta1', 'CronJob', 'namespaced', KYAML],
  ['rbac.authorization.k8s.io/v1', 'Role RoleBinding', 'namespaced', ALL],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole ClusterRoleBinding', 'cluster', ALL],
  ['rbac.authorization.k8s.io/v1beta1', 'Role RoleBinding', 'namespaced', KYAML],
  ['rbac.authorization.k8s.io/v1beta1', 'ClusterRole ClusterRoleBinding', 'cluster', KYAML],
  ['rbac.authorization.k8s.io/v1alpha1', 'Role RoleBinding', 'namespaced', ['functions']],
  ['networking.k8s.io/v1', 'Ingress NetworkPolicy', 'namespaced', ALL],
  ['networking.k8s.io/v1', 'IngressClass', 'cluster', ALL],
  ['networking.k8s.io/v1', 'IPAddress ServiceCIDR', 'cluster', ['porch']],
  ['networking.k8s.io/v1beta1 extensions/v1beta1', 'Ingress', 'namespaced', KYAML],
  ['networking.k8s.io/v1beta1', 'IngressClass', 'cluster', KYAML],
  ['policy/v1', 'Eviction', 'namespaced', ['porch']],
  ['policy/v1', 'PodDisruptionBudget', 'namespaced', ALL],
  ['policy/v1', 'PodSecurityPolicy', 'cluster', ['functions']],
  ['policy/v1beta1', 'Eviction', 'no path of its own', ['merge']],
  ['policy/v1beta1', 'PodDisruptionBudget', 'namespaced', KYAML],
  ['policy/v1beta1', 'PodSecurityPolicy', 'cluster', KYAML],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'cluster', ALL],
  ['apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', 'cluster', KYAML],
  ['porch.kpt.dev/v1alpha1', 'Package PackageRevision PackageRevisionResources', 'namespaced', ['porch']],
  ['porch.kpt.dev/v1alpha2', 'PackageRevision', 'namespaced', ['porch']],
  ['config.porch.kpt.dev/v1alpha1', 'FunctionConfig PackageRev PackageVariant PackageVariantSet Repository', 'namespaced', ['porch']],
  ['config.porch.kpt.dev/v1alpha2', 'PackageVariantSet', 'namespaced', ['porch']],
  [
    'admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
    'cluster',
    KYAML,
  ],
  ['apiregistration.k8s.io/v1 apiregistration.k8s.io/v1beta1', 'APIService', 'cluster', KYAML],
  ['authentication.k8s.io/v1', 'TokenRequest', 'no path of its own', ['merge']],
  ['authentication.k8s.io/v1 authentication.k8s.io/v1beta1', 'TokenReview', 'no path of its own', ['merge']],
  ['authorization.k8s.io/v1 authorization.k8s.io/v1beta1', 'LocalSubjectAccessReview', 'namespaced', KYAML],
  [
    'authorization.k8s.io/v1 authorization.k8s.io/v1beta1',
    'SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
    'no path of its own',
    ['merge'],
  ],
  ['autoscaling/v1 autoscaling/v2beta1 autoscaling/v2beta2', 'HorizontalPodAutoscaler', 'namespaced', KYAML],
  ['autoscaling/v1', 'Scale', 'no path of its own', ['merge']],
  ['certificates.k8s.io/v1 certificates.k8s.io/v1beta1', 'CertificateSigningRequest', 'cluster', KYAML],
  ['coordination.k8s.io/v1 coordination.k8s.io/v1beta1', 'Lease', 'namespaced', KYAML],
  ['discovery.k8s.io/v1 discovery.k8s.io/v1beta1', 'EndpointSlice', 'namespaced', KYAML],
  ['events.k8s.io/v1 events.k8s.io/v1beta1', 'Event', 'namespaced', KYAML],
  ['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema PriorityLevelConfiguration', 'cluster', ['functions']],
  ['flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema PriorityLevelConfiguration', 'cluster', KYAML],
  ['node.k8s.io/v1 node.k8s.io/v1beta1', 'RuntimeClass', 'cluster', KYAML],
  ['scheduling.k8s.io/v1 scheduling.k8s.io/v1beta1', 'PriorityClass', 'cluster', KYAML],
  ['storage.k8s.io/v1 storage.k8s.io/v1beta1', 'CSIDriver CSINode StorageClass VolumeAttachment', 'cluster', KYAML],
  ['storage.k8s.io/v1beta1', 'CSIStorageCapacity', 'namespaced', KYAML],
  ['storage.k8s.io/v1alpha1', 'CSIStorageCapacity', 'namespaced', ['functions']],
  ['kustomize.config.k8s.io/v1beta1', 'Kustomization', 'no path of its own', ['merge']],
]

/** A built-in kind of one version. */
interface BuiltInKind {
  readonly apiVersion: string
  readonly kind: string
  readonly scope: Scope
}

/** Returns the kinds that a reader knows, in the order of the table. */
export function kindsOf(reader: Reader): readonly BuiltInKind[] {
  return KINDS.filter(([, , , readers]) => readers.includes(reader)).flatMap(([apiVersions, kinds, scope]) =>
    apiVersions.split(' ').flatMap((apiVersion) => kinds.split(' ').map((kind) => ({ apiVersion, kind, scope }))),
  )
}

const SCOPES: ReadonlyMap<string, Scope> = new Map(
  kindsOf('functions').map(({ apiVersion, kind, scope }) => [`${apiVersion} ${kind}`, scope]),
)

/**
 * Returns true if functions of the catalog know a kind as one with a namespace: an object of another kind must have a namespace already.
 */
export function isNamespacedKind(apiVersion = '', kind = ''): boolean {
  return SCOPES.get(`${apiVersion} ${kind}`) === 'namespaced'
}

/** Returns true if functions of the catalog know a kind as one without a namespace. */
export function isClusterKind(apiVersion = '', kind = ''): boolean {
  return SCOPES.get(`${apiVersion} ${kind}`) === 'cluster'
}

/** Kinds without namespaces of the other built-in groups, by group. Such a kind exists only if the list holds an object of the kind. */
export const OTHER_CLUSTER_KINDS: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io':
    'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  'apiregistration.k8s.io': 'APIService',
  'certificates.k8s.io': 'CertificateSigningRequest ClusterTrustBundle',
  'flowcontrol.apiserver.k8s.io': 'FlowSchema PriorityLevelConfiguration',
  'node.k8s.io': 'RuntimeClass',
  'resource.k8s.io': 'DeviceClass ResourceSlice',
  'scheduling.k8s.io': 'PriorityClass',
  'storage.k8s.io': 'CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass',
}

const NAMES: ReadonlySet<string> = new Set([...KINDS.map(([, kinds]) => kinds), ...Object.values(OTHER_CLUSTER_KINDS)].join(' ').split(' '))

/** Returns true for the name of a kind that Kubernetes or Porch has, in whatever group and version. */
export function isBuiltInKind(name: string): boolean {
  return NAMES.has(name)
}
