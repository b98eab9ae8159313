import type { DangerRecords } from './danger-record.ts'
import { JUDGEMENT_RECORDS } from './judgements.ts'
import { OUTAGE_RECORDS } from './outages.ts'
import { PACKAGE_DANGER_RECORDS } from './package-dangers.ts'
import { REFUSED_CHANGES_RECORDS } from './refused-changes.ts'
import { WIDER_ACCESS_RECORDS } from './wider-access.ts'

/** Every danger that `diff` marks, the worst first: the table of docs/dangers.md. Only tests and pages read the texts, so no bundle has them. */
export const DANGERS = {
  'namespace-deleted': {
    when: 'a Namespace is deleted or renamed',
    source:
      '[Deleting a namespace](https://kubernetes.io/docs/tasks/administer-cluster/namespaces/#deleting-a-namespace): everything in it is deleted too',
    dangerous: [['{kind: Namespace, apiVersion: v1, metadata: {name: a}}', '']],
    safe: [
      ['', '{kind: Namespace, apiVersion: v1, metadata: {name: a}}'],
      ['{kind: Namespace, apiVersion: example.com/v1, metadata: {name: a}}', ''],
    ],
  },
  'volume-claim-deleted': {
    when: 'a PersistentVolumeClaim is deleted or renamed',
    source:
      '[Persistent volumes, reclaiming](https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming): the policy of dynamic volumes is Delete',
    dangerous: [
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {a: 1}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: b}, spec: {a: 1}}',
      ],
    ],
    safe: [
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {volumeName: x}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {volumeName: x}}',
      ],
    ],
  },
  'volume-deleted': {
    when: 'a PersistentVolume is deleted or renamed',
    source: 'the same',
    dangerous: [['{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}}', '']],
    safe: [['', '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}}']],
  },
  'definition-deleted': {
    when: 'a CustomResourceDefinition is deleted or renamed',
    source:
      '[Delete a CustomResourceDefinition](https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#delete-a-customresourcedefinition): its objects are deleted too',
    dangerous: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true}, {name: v2, served: true}]}}',
        '',
      ],
    ],
    safe: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true}, {name: v2, served: true}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true}, {name: v2, served: true}]}}',
      ],
    ],
  },
  ...PACKAGE_DANGER_RECORDS,
  'version-not-served': {
    when: 'a CustomResourceDefinition no longer serves a version',
    source:
      '[Versions in CustomResourceDefinitions](https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/)',
    dangerous: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true}, {name: v2, served: true}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: false}, {name: v2, served: true}]}}',
      ],
    ],
    safe: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: false}, {name: v2, served: true}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true}, {name: v2, served: true}]}}',
      ],
    ],
  },
  'stateful-set-deleted': {
    when: 'a StatefulSet is deleted or renamed',
    source:
      '[StatefulSets, limitations](https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#limitations): no orderly end of its pods',
    dangerous: [['{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}}', '']],
    safe: [['{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}}', '']],
  },
  ...REFUSED_CHANGES_RECORDS,
  'api-not-served': {
    when: 'an object gets an API version that the Kubernetes of the fleet no longer serves: `cluster.kubernetesVersion` of its CheckDependencies or ResolveDependencies',
    source: '[Deprecated API migration guide](https://kubernetes.io/docs/reference/using-api/deprecation-guide/)',
    dangerous: [
      ['', '{kind: CronJob, apiVersion: batch/v1beta1, metadata: {name: a}}'],
      [
        '{kind: PodDisruptionBudget, apiVersion: policy/v1, metadata: {name: a}}',
        '{kind: PodDisruptionBudget, apiVersion: policy/v1beta1, metadata: {name: a}}',
      ],
    ],
    safe: [
      ['', '{kind: CronJob, apiVersion: batch/v1, metadata: {name: a}}'],
      ['', '{kind: CronJob, apiVersion: example.com/v1beta1, metadata: {name: a}}'],
      [
        '{kind: CronJob, apiVersion: batch/v1beta1, metadata: {name: a}, spec: {suspend: true}}',
        '{kind: CronJob, apiVersion: batch/v1beta1, metadata: {name: a}, spec: {suspend: false}}',
      ],
    ],
  },
  'volume-not-kept': {
    when: 'a PersistentVolume gets `persistentVolumeReclaimPolicy: Delete`, or a StatefulSet deletes its claims',
    source:
      '[Reclaiming](https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming), [PersistentVolumeClaim retention](https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention)',
    dangerous: [
      [
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {persistentVolumeReclaimPolicy: Retain}}',
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {persistentVolumeReclaimPolicy: Delete}}',
      ],
      [
        '{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}, spec: {}}',
        '{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}, spec: {persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}}}',
      ],
    ],
    safe: [
      [
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {persistentVolumeReclaimPolicy: Delete}}',
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {persistentVolumeReclaimPolicy: Retain}}',
      ],
      ['', '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {persistentVolumeReclaimPolicy: Delete}}'],
    ],
  },
  'property-removed': {
    when: 'the schema of a CustomResourceDefinition loses a property, and no map above it preserves unknown fields',
    source:
      '[Field pruning](https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning): the values of unknown fields are dropped',
    dangerous: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {properties: {size: {type: integer}}}}}}}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {properties: {}}}}}}]}}',
      ],
    ],
    safe: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {properties: {}}}}}}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {properties: {size: {type: integer}}}}}}}]}}',
      ],
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {description: a}}}}}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {}}}}}]}}',
      ],
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {x-kubernetes-preserve-unknown-fields: true, properties: {size: {type: integer}}}}}}}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: {x-kubernetes-preserve-unknown-fields: true, properties: {}}}}}}]}}',
      ],
    ],
  },
  'no-replicas': {
    when: '`spec.replicas` becomes 0',
    source: '[Scaling a Deployment](https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#scaling-a-deployment)',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {replicas: 1}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {replicas: 0}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {replicas: 0}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {replicas: 1}}',
      ],
      ['', '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {replicas: 0}}'],
    ],
  },
  ...WIDER_ACCESS_RECORDS,
  ...OUTAGE_RECORDS,
  ...JUDGEMENT_RECORDS,
  'wide-change': {
    when: 'more than a quarter of the clusters of a set change at once, and more than one',
    source: 'our own: a fault of the change reaches all of them before anybody sees it',
    dangerous: [],
    safe: [],
  },
} as const satisfies DangerRecords

export type DangerId = keyof typeof DANGERS
