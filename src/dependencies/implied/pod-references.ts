import type { FieldPath } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { childOf, childText, type Field, fieldAt, isTrue, itemsOf } from '../reading/field.ts'

/** An object of the same namespace that a pod needs. */
export interface PodReference {
  readonly kind: 'ConfigMap' | 'Secret' | 'ServiceAccount' | 'PersistentVolumeClaim'
  readonly name: string
  readonly field: Field
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

/** What the pods of a workload refer to and cannot start without; references with `optional: true` are left out. */
export function podReferences(object: KrmObject): PodReference[] {
  const path = POD_SPECS.get(object.kind ?? '')
  if (path === undefined) return []
  const pod = fieldAt(object, path)
  const containers = ['containers', 'initContainers'].flatMap((list) => itemsOf(childOf(pod, list)))
  return [
    ...named('ServiceAccount', childOf(pod, 'serviceAccountName'), pod),
    ...itemsOf(childOf(pod, 'imagePullSecrets')).flatMap((item) => named('Secret', childOf(item, 'name'), item)),
    ...itemsOf(childOf(pod, 'volumes')).flatMap(volumeReferences),
    ...containers.flatMap(environmentReferences),
  ]
}

function volumeReferences(volume: Field): PodReference[] {
  const claim = childOf(volume, 'persistentVolumeClaim')
  const secret = childOf(volume, 'secret')
  const sources = itemsOf(childOf(childOf(volume, 'projected'), 'sources'))
  return [
    ...named('PersistentVolumeClaim', childOf(claim, 'claimName'), claim),
    ...named('Secret', childOf(secret, 'secretName'), secret),
    ...mapReferences(volume, 'configMap'),
    ...sources.flatMap((source) => [...mapReferences(source, 'configMap'), ...mapReferences(source, 'secret')]),
  ]
}

function environmentReferences(container: Field): PodReference[] {
  const from = itemsOf(childOf(container, 'envFrom')).flatMap((item) => [
    ...mapReferences(item, 'configMapRef'),
    ...mapReferences(item, 'secretRef'),
  ])
  const values = itemsOf(childOf(container, 'env')).map((item) => childOf(item, 'valueFrom'))
  return [...from, ...values.flatMap((value) => [...mapReferences(value, 'configMapKeyRef'), ...mapReferences(value, 'secretKeyRef')])]
}

function mapReferences(holder: Field, key: string): PodReference[] {
  const reference = childOf(holder, key)
  return named(key.startsWith('secret') ? 'Secret' : 'ConfigMap', childOf(reference, 'name'), reference)
}

function named(kind: PodReference['kind'], field: Field, holder: Field): PodReference[] {
  const name = childText(holder, String(field.key))
  return name === '' || isTrue(childOf(holder, 'optional')) ? [] : [{ kind, name, field }]
}
