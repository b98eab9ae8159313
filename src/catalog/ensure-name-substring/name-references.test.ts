import { expect, test } from 'vitest'
import { asRecord, type JsonRecord, type JsonValue } from '../../json.ts'
import { valuesAfter } from '../testing/run-function.ts'

// The fields are the name references of kustomize 4.

/** Returns a value with the name `web` at a path whose keys have slashes between them; `\/` is a slash in a key. */
function valueAt(path: string): JsonRecord {
  const keys = path.split(/(?<!\\)\//).map((key) => key.replaceAll('\\/', '/'))
  return asRecord(keys.reduceRight<JsonValue>((value, key) => ({ [key]: value }), 'web'))
}

/** Returns true if the name in a field follows the object that it means, whose name gets the text `p-`. */
function follows(
  target: readonly [apiVersion: string, kind: string],
  holder: readonly [apiVersion: string, kind: string],
  path: string,
): boolean {
  const { metadata = {}, ...value } = valueAt(path)
  const named = { apiVersion: target[0], kind: target[1], metadata: { name: 'web' } }
  const user = { apiVersion: holder[0], kind: holder[1], ...value, metadata: { ...asRecord(metadata), name: 'p-user' } }
  const after = JSON.stringify(valuesAfter('ensure-name-substring', { prepend: 'p-' }, JSON.stringify(named), JSON.stringify(user))[1])
  return after.includes('"p-web"')
}

const RBAC = 'rbac.authorization.k8s.io/v1'
const STORAGE = 'storage.k8s.io/v1'
const INGRESS = ['networking.k8s.io/v1', 'Ingress'] as const
const NGINX = 'metadata/annotations/nginx.ingress.kubernetes.io\\/'

test.each([
  [['apps/v1', 'Deployment'], ['autoscaling/v2', 'HorizontalPodAutoscaler'], 'spec/scaleTargetRef/name'],
  [['apps/v1', 'StatefulSet'], ['autoscaling/v2', 'HorizontalPodAutoscaler'], 'spec/scaleTargetRef/name'],
  [['apps/v1', 'ReplicaSet'], ['autoscaling/v2', 'HorizontalPodAutoscaler'], 'spec/scaleTargetRef/name'],
  [['v1', 'ReplicationController'], ['autoscaling/v2', 'HorizontalPodAutoscaler'], 'spec/scaleTargetRef/name'],
  [['v1', 'ConfigMap'], ['v1', 'PodTemplate'], 'template/spec/volumes/configMap/name'],
  [['v1', 'ConfigMap'], ['v1', 'Node'], 'spec/configSource/configMap'],
  [['v1', 'ConfigMap'], [RBAC, 'Role'], 'rules/resourceNames'],
  [['v1', 'ConfigMap'], [RBAC, 'ClusterRole'], 'rules/resourceNames'],
  [['v1', 'ConfigMap'], INGRESS, `${NGINX}fastcgi-params-configmap`],
  [['v1', 'Secret'], INGRESS, 'spec/tls/secretName'],
  [['v1', 'Secret'], INGRESS, 'metadata/annotations/ingress.kubernetes.io\\/auth-secret'],
  [['v1', 'Secret'], INGRESS, `${NGINX}auth-secret`],
  [['v1', 'Secret'], INGRESS, `${NGINX}auth-tls-secret`],
  [['v1', 'Secret'], ['v1', 'ServiceAccount'], 'imagePullSecrets/name'],
  [['v1', 'Secret'], [STORAGE, 'StorageClass'], 'parameters/secretName'],
  [['v1', 'Secret'], [STORAGE, 'StorageClass'], 'parameters/adminSecretName'],
  [['v1', 'Secret'], [STORAGE, 'StorageClass'], 'parameters/userSecretName'],
  [['v1', 'Secret'], [STORAGE, 'StorageClass'], 'parameters/secretRef'],
  [['v1', 'Secret'], [RBAC, 'Role'], 'rules/resourceNames'],
  [['v1', 'Secret'], [RBAC, 'ClusterRole'], 'rules/resourceNames'],
  [['v1', 'Secret'], ['serving.knative.dev/v1', 'Service'], 'spec/template/spec/containers/env/valueFrom/secretKeyRef/name'],
  [['v1', 'Secret'], ['v1', 'PersistentVolume'], 'spec/azureFile/secretName'],
  [['v1', 'Service'], ['apps/v1', 'StatefulSet'], 'spec/serviceName'],
  [['v1', 'Service'], INGRESS, 'spec/rules/http/paths/backend/serviceName'],
  [['v1', 'Service'], INGRESS, 'spec/backend/serviceName'],
  [['v1', 'Service'], INGRESS, 'spec/rules/http/paths/backend/service/name'],
  [['v1', 'Service'], INGRESS, 'spec/defaultBackend/service/name'],
  [['v1', 'Service'], ['apiregistration.k8s.io/v1', 'APIService'], 'spec/service/name'],
  [['v1', 'Service'], ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'], 'webhooks/clientConfig/service/name'],
  [['v1', 'Service'], ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration'], 'webhooks/clientConfig/service/name'],
  [[RBAC, 'Role'], [RBAC, 'RoleBinding'], 'roleRef/name'],
  [[RBAC, 'ClusterRole'], [RBAC, 'RoleBinding'], 'roleRef/name'],
  [[RBAC, 'ClusterRole'], [RBAC, 'ClusterRoleBinding'], 'roleRef/name'],
  [['v1', 'ServiceAccount'], [RBAC, 'RoleBinding'], 'subjects/name'],
  [['v1', 'ServiceAccount'], [RBAC, 'ClusterRoleBinding'], 'subjects/name'],
  [['v1', 'PersistentVolume'], ['v1', 'PersistentVolumeClaim'], 'spec/volumeName'],
  [['v1', 'PersistentVolume'], [RBAC, 'ClusterRole'], 'rules/resourceNames'],
  [[STORAGE, 'StorageClass'], ['v1', 'PersistentVolume'], 'spec/storageClassName'],
  [[STORAGE, 'StorageClass'], ['v1', 'PersistentVolumeClaim'], 'spec/storageClassName'],
  [[STORAGE, 'StorageClass'], ['apps/v1', 'StatefulSet'], 'spec/volumeClaimTemplates/spec/storageClassName'],
] as const)('the name of %j is followed in %j at %s', (target, holder, path) => {
  expect(follows(target, holder, path)).toBe(true)
  expect(follows(['example.com/v1', 'Other'], holder, path)).toBe(false)
})

test.each([
  [['v1', 'ConfigMap'], ['example.com/v1', 'Ingress2'], 'spec/tls/secretName'],
  [['v1', 'ConfigMap'], INGRESS, 'spec/tls/secretName'],
  [[RBAC, 'Role'], [RBAC, 'ClusterRoleBinding'], 'roleRef/name'],
  [['v1', 'PersistentVolume'], [RBAC, 'Role'], 'rules/resourceNames'],
  [['example.com/v1', 'Role'], [RBAC, 'RoleBinding'], 'roleRef/name'],
  [['example.com/v1', 'StorageClass'], ['v1', 'PersistentVolume'], 'spec/storageClassName'],
  [['example.com/v2', 'Secret'], INGRESS, 'spec/tls/secretName'],
  [['v1', 'Secret'], ['v1', 'Service'], 'spec/template/spec/containers/env/valueFrom/secretKeyRef/name'],
  [['v1', 'Service'], ['example.com/v1', 'StatefulSet'], 'spec/serviceName'],
] as const)('the name of %j is not followed in %j at %s', (target, holder, path) => {
  expect(follows(target, holder, path)).toBe(false)
})

const PODS = [
  ['v1', 'Pod', 'spec'],
  ['apps/v1', 'Deployment', 'spec/template/spec'],
  ['apps/v1', 'ReplicaSet', 'spec/template/spec'],
  ['apps/v1', 'DaemonSet', 'spec/template/spec'],
  ['apps/v1', 'StatefulSet', 'spec/template/spec'],
  ['v1', 'ReplicationController', 'spec/template/spec'],
  ['batch/v1', 'Job', 'spec/template/spec'],
  ['batch/v1', 'CronJob', 'spec/jobTemplate/spec/template/spec'],
] as const

const CONTAINERS = ['containers', 'initContainers'].flatMap((list) => [
  [['v1', 'ConfigMap'], `${list}/env/valueFrom/configMapKeyRef/name`] as const,
  [['v1', 'ConfigMap'], `${list}/envFrom/configMapRef/name`] as const,
  [['v1', 'Secret'], `${list}/env/valueFrom/secretKeyRef/name`] as const,
  [['v1', 'Secret'], `${list}/envFrom/secretRef/name`] as const,
])

test.each([
  ...CONTAINERS,
  [['v1', 'ConfigMap'], 'volumes/configMap/name'],
  [['v1', 'ConfigMap'], 'volumes/projected/sources/configMap/name'],
  [['v1', 'Secret'], 'volumes/secret/secretName'],
  [['v1', 'Secret'], 'volumes/projected/sources/secret/name'],
  [['v1', 'Secret'], 'imagePullSecrets/name'],
] as const)('the name of %j is followed in the pods of all kinds but ReplicationController at %s', (target, path) => {
  const kinds = PODS.filter(([apiVersion, kind, spec]) => follows(target, [apiVersion, kind], `${spec}/${path}`)).map(([, kind]) => kind)
  expect(kinds).toEqual(PODS.map(([, kind]) => kind).filter((kind) => kind !== 'ReplicationController'))
})

test.each([
  [['v1', 'ServiceAccount'], 'serviceAccountName'],
  [['v1', 'PersistentVolumeClaim'], 'volumes/persistentVolumeClaim/claimName'],
  [['scheduling.k8s.io/v1', 'PriorityClass'], 'priorityClassName'],
] as const)('the name of %j is followed in the pods of all kinds but ReplicaSet at %s', (target, path) => {
  const kinds = PODS.filter(([apiVersion, kind, spec]) => follows(target, [apiVersion, kind], `${spec}/${path}`)).map(([, kind]) => kind)
  expect(kinds).toEqual(PODS.map(([, kind]) => kind).filter((kind) => kind !== 'ReplicaSet'))
})
