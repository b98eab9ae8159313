import type { FieldPath } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { childField, childText, fieldAt, isTrue, itemFields, type ObjectField } from '../reading/field.ts'

/** An object of the same namespace that a pod needs. */
export interface PodReference {
  readonly kind: 'ConfigMap' | 'Secret' | 'ServiceAccount' | 'PersistentVolumeClaim'
  readonly name: string
  readonly field: ObjectField
}

const TEMPLATE: FieldPath = ['spec', 'template', 'spec']
const POD_SPECS: ReadonlyMap<string, FieldPath> = new Map([
  ['Pod', ['spec']],
  ['Deployment', TEMPLATE],
  ['StatefulSet', TEMPLATE],
  ['DaemonSet', TEMPLATE],
  ['ReplicaSet', TEMPLATE],
  ['ReplicationController', TEMPLATE],
  ['Job', TEMPLATE],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template', 'spec']],
])

/** Returns the objects that the pods of a workload refer to and cannot start without. References with `optional: true` are left out. */
export function podReferences(object: KrmObject): PodReference[] {
  const path = POD_SPECS.get(object.kind ?? '')
  if (path === undefined) return []
  const pod = fieldAt(object, path)
  const containers = ['containers', 'initContainers'].flatMap((list) => itemFields(childField(pod, list)))
  return [
    ...named('ServiceAccount', childField(pod, 'serviceAccountName'), pod),
    ...itemFields(childField(pod, 'imagePullSecrets')).flatMap((item) => named('Secret', childField(item, 'name'), item)),
    ...itemFields(childField(pod, 'volumes')).flatMap(volumeReferences),
    ...containers.flatMap(environmentReferences),
  ]
}

function volumeReferences(volume: ObjectField): PodReference[] {
  const claim = childField(volume, 'persistentVolumeClaim')
  const secret = childField(volume, 'secret')
  const sources = itemFields(childField(childField(volume, 'projected'), 'sources'))
  return [
    ...named('PersistentVolumeClaim', childField(claim, 'claimName'), claim),
    ...named('Secret', childField(secret, 'secretName'), secret),
    ...mapReferences(volume, 'configMap'),
    ...sources.flatMap((source) => [...mapReferences(source, 'configMap'), ...mapReferences(source, 'secret')]),
  ]
}

function environmentReferences(container: ObjectField): PodReference[] {
  const from = itemFields(childField(container, 'envFrom')).flatMap((item) => [
    ...mapReferences(item, 'configMapRef'),
    ...mapReferences(item, 'secretRef'),
  ])
  const values = itemFields(childField(container, 'env')).map((item) => childField(item, 'valueFrom'))
  return [...from, ...values.flatMap((value) => [...mapReferences(value, 'configMapKeyRef'), ...mapReferences(value, 'secretKeyRef')])]
}

function mapReferences(holder: ObjectField, key: string): PodReference[] {
  const reference = childField(holder, key)
  return named(key.startsWith('secret') ? 'Secret' : 'ConfigMap', childField(reference, 'name'), reference)
}

function named(kind: PodReference['kind'], field: ObjectField, holder: ObjectField): PodReference[] {
  const name = childText(holder, String(field.key))
  return name === '' || isTrue(childField(holder, 'optional')) ? [] : [{ kind, name, field }]
}
