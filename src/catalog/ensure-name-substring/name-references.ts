import type { FieldSpec } from '../field-places.ts'

/** The kind whose name a field holds, and the fields: the name references of kustomize 4. An IngressClass has none that match. */
export interface NameReference extends Pick<FieldSpec, 'group' | 'version' | 'kind'> {
  readonly kind: string
  readonly fields: readonly Omit<FieldSpec, 'create'>[]
}

/** The path of the pod spec, by kind. */
const POD_SPECS: Readonly<Record<string, string>> = {
  Pod: 'spec',
  Deployment: 'spec/template/spec',
  ReplicaSet: 'spec/template/spec',
  DaemonSet: 'spec/template/spec',
  StatefulSet: 'spec/template/spec',
  ReplicationController: 'spec/template/spec',
  Job: 'spec/template/spec',
  CronJob: 'spec/jobTemplate/spec/template/spec',
}

/** Kinds whose pods refer to ConfigMaps and Secrets; kustomize leaves out ReplicationControllers. */
const CONTAINER_KINDS = Object.keys(POD_SPECS).filter((kind) => kind !== 'ReplicationController')
/** Kinds whose pods refer to accounts, claims and priorities; kustomize leaves out ReplicaSets. */
const WORKLOAD_KINDS = Object.keys(POD_SPECS).filter((kind) => kind !== 'ReplicaSet')

function inPods(kinds: readonly string[], paths: readonly string[]): readonly Omit<FieldSpec, 'create'>[] {
  return kinds.flatMap((kind) => paths.map((path) => ({ kind, path: `${POD_SPECS[kind]}/${path}` })))
}

/** Returns the paths of both lists of containers. */
function inContainers(path: string): readonly string[] {
  return [`containers/${path}`, `initContainers/${path}`]
}

const RBAC = { group: 'rbac.authorization.k8s.io' }
const BINDINGS = [
  { ...RBAC, kind: 'RoleBinding' },
  { ...RBAC, kind: 'ClusterRoleBinding' },
]
const ROLE_NAMES = ['Role', 'ClusterRole'].map((kind) => ({ kind, path: 'rules/resourceNames' }))
const INGRESS_ANNOTATION = 'metadata/annotations/nginx.ingress.kubernetes.io\\/'

export const NAME_REFERENCES: readonly NameReference[] = [
  ...['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) => ({
    kind,
    fields: [{ kind: 'HorizontalPodAutoscaler', path: 'spec/scaleTargetRef/name' }],
  })),
  {
    kind: 'ConfigMap',
    version: 'v1',
    fields: [
      ...inPods(CONTAINER_KINDS, [
        'volumes/configMap/name',
        ...inContainers('env/valueFrom/configMapKeyRef/name'),
        ...inContainers('envFrom/configMapRef/name'),
        'volumes/projected/sources/configMap/name',
      ]),
      { kind: 'PodTemplate', path: 'template/spec/volumes/configMap/name' },
      { kind: 'Node', path: 'spec/configSource/configMap' },
      ...ROLE_NAMES,
      { kind: 'Ingress', path: `${INGRESS_ANNOTATION}fastcgi-params-configmap` },
    ],
  },
  {
    kind: 'Secret',
    version: 'v1',
    fields: [
      ...inPods(CONTAINER_KINDS, [
        'volumes/secret/secretName',
        ...inContainers('env/valueFrom/secretKeyRef/name'),
        ...inContainers('envFrom/secretRef/name'),
        'imagePullSecrets/name',
        'volumes/projected/sources/secret/name',
      ]),
      { kind: 'Ingress', path: 'spec/tls/secretName' },
      { kind: 'Ingress', path: 'metadata/annotations/ingress.kubernetes.io\\/auth-secret' },
      { kind: 'Ingress', path: `${INGRESS_ANNOTATION}auth-secret` },
      { kind: 'Ingress', path: `${INGRESS_ANNOTATION}auth-tls-secret` },
      { kind: 'ServiceAccount', path: 'imagePullSecrets/name' },
      ...['secretName', 'adminSecretName', 'userSecretName', 'secretRef'].map((key) => ({
        kind: 'StorageClass',
        path: `parameters/${key}`,
      })),
      ...ROLE_NAMES,
      {
        group: 'serving.knative.dev',
        version: 'v1',
        kind: 'Service',
        path: 'spec/template/spec/containers/env/valueFrom/secretKeyRef/name',
      },
      { kind: 'PersistentVolume', path: 'spec/azureFile/secretName' },
    ],
  },
  {
    kind: 'Service',
    version: 'v1',
    fields: [
      { group: 'apps', kind: 'StatefulSet', path: 'spec/serviceName' },
      ...['spec/rules/http/paths/backend/serviceName', 'spec/backend/serviceName'].map((path) => ({ kind: 'Ingress', path })),
      ...['spec/rules/http/paths/backend/service/name', 'spec/defaultBackend/service/name'].map((path) => ({ kind: 'Ingress', path })),
      { group: 'apiregistration.k8s.io', kind: 'APIService', path: 'spec/service/name' },
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((kind) => ({
        group: 'admissionregistration.k8s.io',
        kind,
        path: 'webhooks/clientConfig/service',
      })),
    ],
  },
  { ...RBAC, kind: 'Role', fields: [{ ...RBAC, kind: 'RoleBinding', path: 'roleRef/name' }] },
  { ...RBAC, kind: 'ClusterRole', fields: BINDINGS.map((kind) => ({ ...kind, path: 'roleRef/name' })) },
  {
    kind: 'ServiceAccount',
    version: 'v1',
    fields: [...BINDINGS.map((kind) => ({ ...kind, path: 'subjects' })), ...inPods(WORKLOAD_KINDS, ['serviceAccountName'])],
  },
  { kind: 'PersistentVolumeClaim', version: 'v1', fields: inPods(WORKLOAD_KINDS, ['volumes/persistentVolumeClaim/claimName']) },
  {
    kind: 'PersistentVolume',
    version: 'v1',
    fields: [
      { kind: 'PersistentVolumeClaim', path: 'spec/volumeName' },
      { kind: 'ClusterRole', path: 'rules/resourceNames' },
    ],
  },
  {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    fields: [
      { kind: 'PersistentVolume', path: 'spec/storageClassName' },
      { kind: 'PersistentVolumeClaim', path: 'spec/storageClassName' },
      { kind: 'StatefulSet', path: 'spec/volumeClaimTemplates/spec/storageClassName' },
    ],
  },
  { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass', fields: inPods(WORKLOAD_KINDS, ['priorityClassName']) },
]
