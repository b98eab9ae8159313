import type { DangerRecords } from './danger-record.ts'

/** Changes that the API server refuses. */
export const REFUSED_CHANGES_RECORDS = {
  'immutable-selector': {
    when: '`spec.selector` of a Deployment, DaemonSet or ReplicaSet changes',
    source:
      '[Deployments, label selector updates](https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#label-selector-updates)',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: c}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, replicas: 1}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, replicas: 2}}',
      ],
      [
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {selector: {a: b}}}',
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {selector: {a: c}}}',
      ],
    ],
  },
  'immutable-stateful-set': {
    when: 'a field of a StatefulSet changes, but for replicas, ordinals, template, updateStrategy, revisionHistoryLimit, persistentVolumeClaimRetentionPolicy, minReadySeconds',
    source: 'apps/v1 `ValidateStatefulSetUpdate`',
    dangerous: [
      [
        '{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}, spec: {serviceName: a}}',
        '{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}, spec: {serviceName: b}}',
      ],
    ],
    safe: [
      [
        '{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}, spec: {minReadySeconds: 1}}',
        '{kind: StatefulSet, apiVersion: apps/v1, metadata: {name: a}, spec: {minReadySeconds: 2}}',
      ],
    ],
  },
  'immutable-job': {
    when: 'the template, selector, completions or another fixed field of a Job changes; the completions of an Indexed Job may change together with its parallelism, and what decides where pods run while the Job is suspended',
    source: '[Jobs](https://kubernetes.io/docs/concepts/workloads/controllers/job/), batch/v1 `ValidateJobUpdate`',
    dangerous: [
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {template: {a: 1}}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {template: {a: 2}}}',
      ],
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completions: 2}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completions: 3}}',
      ],
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completionMode: Indexed, completions: 2, parallelism: 2}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completionMode: Indexed, completions: 3, parallelism: 2}}',
      ],
    ],
    safe: [
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {suspend: true}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {suspend: false}}',
      ],
      [
        '{kind: CronJob, apiVersion: batch/v1, metadata: {name: a}, spec: {jobTemplate: {a: 1}}}',
        '{kind: CronJob, apiVersion: batch/v1, metadata: {name: a}, spec: {jobTemplate: {a: 2}}}',
      ],
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completions: 1}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {}}',
      ],
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completionMode: Indexed, completions: 2, parallelism: 2}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {completionMode: Indexed, completions: 3, parallelism: 3}}',
      ],
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {suspend: true, template: {spec: {nodeSelector: {a: b}}}}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {suspend: true, template: {spec: {nodeSelector: {a: c}}}}}',
      ],
      [
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: a, resources: {limits: {cpu: 1}}}]}}}}',
        '{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {template: {spec: {dnsPolicy: ClusterFirst, containers: [{name: a, resources: {limits: {cpu: 1000m}}}]}}}}',
      ],
    ],
  },
  'immutable-cluster-ip': {
    when: '`spec.clusterIP` of a Service gets another value',
    source: '[Service API](https://kubernetes.io/docs/reference/kubernetes-api/service-resources/service-v1/): may not be changed',
    dangerous: [
      [
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {clusterIP: 10.0.0.1}}',
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {clusterIP: 10.0.0.2}}',
      ],
    ],
    safe: [
      [
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {clusterIP: 10.0.0.1}}',
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {}}',
      ],
    ],
  },
  'immutable-load-balancer-class': {
    when: '`spec.loadBalancerClass` of a Service of type LoadBalancer changes',
    source: 'core `ValidateServiceUpdate`: may not change once set',
    dangerous: [
      [
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {type: LoadBalancer, loadBalancerClass: a}}',
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {type: LoadBalancer, loadBalancerClass: b}}',
      ],
    ],
    safe: [
      [
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {type: LoadBalancer, loadBalancerIP: 10.0.0.1}}',
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {type: LoadBalancer, loadBalancerIP: 10.0.0.2}}',
      ],
      [
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {type: LoadBalancer, loadBalancerClass: a}}',
        '{kind: Service, apiVersion: v1, metadata: {name: a}, spec: {type: ClusterIP}}',
      ],
    ],
  },
  'immutable-volume-claim': {
    when: 'a field of a PersistentVolumeClaim changes, but for a larger request',
    source:
      '[PersistentVolumeClaim API](https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-claim-v1/)',
    dangerous: [
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {resources: {requests: {storage: 10Gi}}}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {resources: {requests: {storage: 9000Mi}}}}',
      ],
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {volumeMode: Filesystem}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {volumeMode: Block}}',
      ],
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {storageClassName: fast}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {}}',
      ],
    ],
    safe: [
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {resources: {requests: {storage: 10Gi}}}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {resources: {requests: {storage: 10241Mi}}}}',
      ],
      [
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {volumeMode: Filesystem}}',
        '{kind: PersistentVolumeClaim, apiVersion: v1, metadata: {name: a}, spec: {}}',
      ],
    ],
  },
  'immutable-volume': {
    when: 'the source, or `volumeMode`, of a PersistentVolume changes',
    source: 'core `ValidatePersistentVolumeUpdate`',
    dangerous: [
      [
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {nfs: {server: a, path: /}}}',
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {nfs: {server: b, path: /}}}',
      ],
    ],
    safe: [
      [
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {nfs: {server: a}, capacity: {storage: 1Gi}}}',
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {nfs: {server: a}, capacity: {storage: 2Gi}}}',
      ],
      [
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {nfs: {server: a}, volumeMode: Filesystem}}',
        '{kind: PersistentVolume, apiVersion: v1, metadata: {name: a}, spec: {nfs: {server: a}}}',
      ],
    ],
  },
  'immutable-data': {
    when: 'a ConfigMap or Secret with `immutable: true` changes',
    source: '[Immutable ConfigMaps](https://kubernetes.io/docs/concepts/configuration/configmap/#configmap-immutable)',
    dangerous: [
      [
        '{kind: ConfigMap, apiVersion: v1, metadata: {name: a}, immutable: true, data: {a: b}}',
        '{kind: ConfigMap, apiVersion: v1, metadata: {name: a}, immutable: true, data: {a: c}}',
      ],
    ],
    safe: [
      [
        '{kind: ConfigMap, apiVersion: v1, metadata: {name: a}, data: {a: b}}',
        '{kind: ConfigMap, apiVersion: v1, metadata: {name: a}, immutable: true, data: {a: c}}',
      ],
    ],
  },
  'immutable-secret-type': {
    when: 'the type of a Secret changes',
    source: 'core `ValidateSecretUpdate`',
    dangerous: [
      [
        '{kind: Secret, apiVersion: v1, metadata: {name: a}, type: Opaque}',
        '{kind: Secret, apiVersion: v1, metadata: {name: a}, type: kubernetes.io/tls}',
      ],
    ],
    safe: [
      ['{kind: Secret, apiVersion: v1, metadata: {name: a}, type: Opaque}', '{kind: Secret, apiVersion: v1, metadata: {name: a}}'],
      ['', '{kind: Secret, apiVersion: v1, metadata: {name: a}, type: kubernetes.io/tls}'],
    ],
  },
  'immutable-role-ref': {
    when: '`roleRef` of a RoleBinding or ClusterRoleBinding changes',
    source: '[RBAC, RoleBinding](https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding)',
    dangerous: [
      [
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: []}',
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: edit}, subjects: []}',
      ],
    ],
    safe: [
      [
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: []}',
        '{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: a}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: ada}]}',
      ],
    ],
  },
  'immutable-storage-class': {
    when: 'parameters, provisioner, reclaimPolicy or volumeBindingMode of a StorageClass changes',
    source: '[StorageClass API](https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/storage-class-v1/)',
    dangerous: [
      [
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, provisioner: a}',
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, provisioner: b}',
      ],
      [
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, reclaimPolicy: Retain}',
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}}',
      ],
    ],
    safe: [
      [
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, allowVolumeExpansion: false}',
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, allowVolumeExpansion: true}',
      ],
      [
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, provisioner: a, reclaimPolicy: Delete}',
        '{kind: StorageClass, apiVersion: storage.k8s.io/v1, metadata: {name: a}, provisioner: a}',
      ],
    ],
  },
  'immutable-definition': {
    when: 'scope, kind, plural or group of a CustomResourceDefinition changes, or it no longer has the version in which objects are stored',
    source: 'apiextensions `ValidateCustomResourceDefinitionUpdate`: fixed once the definition is established',
    dangerous: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {scope: Namespaced}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {scope: Cluster}}',
      ],
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v1, storage: true}]}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {versions: [{name: v2, storage: true}]}}',
      ],
    ],
    safe: [
      [
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {scope: Cluster, names: {kind: A, shortNames: [a]}}}',
        '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {scope: Cluster, names: {kind: A, shortNames: [b]}}}',
      ],
      ['', '{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1, metadata: {name: a}, spec: {scope: Cluster}}'],
    ],
  },
  'immutable-priority': {
    when: 'value or preemptionPolicy of a PriorityClass changes',
    source: 'scheduling `ValidatePriorityClassUpdate`',
    dangerous: [
      [
        '{kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: {name: a}, value: 1}',
        '{kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: {name: a}, value: 2}',
      ],
    ],
    safe: [
      [
        '{kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: {name: a}, value: 1, preemptionPolicy: PreemptLowerPriority}',
        '{kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: {name: a}, value: 1}',
      ],
      [
        '{kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: {name: a}, value: 1, description: a}',
        '{kind: PriorityClass, apiVersion: scheduling.k8s.io/v1, metadata: {name: a}, value: 1, description: b}',
      ],
    ],
  },
  'immutable-field': {
    when: '`spec.controller` of an IngressClass, `handler` of a RuntimeClass, `addressType` of an EndpointSlice, `driverName` or `parameters` of a VolumeAttributesClass, `attachRequired` or `volumeLifecycleModes` of a CSIDriver, or the scopes of a ResourceQuota change',
    source: 'the `Validate…Update` functions of `pkg/apis` of Kubernetes',
    dangerous: [
      [
        '{kind: IngressClass, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {controller: example.com/a}}',
        '{kind: IngressClass, apiVersion: networking.k8s.io/v1, metadata: {name: a}, spec: {controller: example.com/b}}',
      ],
      [
        '{kind: RuntimeClass, apiVersion: node.k8s.io/v1, metadata: {name: a}, handler: a}',
        '{kind: RuntimeClass, apiVersion: node.k8s.io/v1, metadata: {name: a}, handler: b}',
      ],
    ],
    safe: [
      [
        '{kind: RuntimeClass, apiVersion: node.k8s.io/v1, metadata: {name: a}, handler: a}',
        '{kind: RuntimeClass, apiVersion: node.k8s.io/v1, metadata: {name: a}, handler: a, overhead: {podFixed: {cpu: 1}}}',
      ],
      [
        '{kind: ResourceQuota, apiVersion: v1, metadata: {name: a}, spec: {scopes: [BestEffort], hard: {pods: 1}}}',
        '{kind: ResourceQuota, apiVersion: v1, metadata: {name: a}, spec: {scopes: [BestEffort], hard: {pods: 2}}}',
      ],
    ],
  },
  'immutable-pod': {
    when: 'a field of a Pod changes, but for images, `activeDeadlineSeconds` and added tolerations',
    source: 'core `ValidatePodUpdate`',
    dangerous: [
      [
        '{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {containers: [{name: main, image: "a:1"}]}}',
        '{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {containers: [{name: main, image: "a:1", args: [b]}]}}',
      ],
    ],
    safe: [
      [
        '{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {containers: [{name: main, image: "a:1"}]}}',
        '{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {containers: [{name: main, image: "a:2"}]}}',
      ],
      [
        '{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {containers: [{name: main, image: "a:1"}]}}',
        '{kind: Pod, apiVersion: v1, metadata: {name: a}, spec: {restartPolicy: Always, containers: [{name: main, image: "a:1"}]}}',
      ],
    ],
  },
  'selector-misses-pods': {
    when: '`spec.selector` of a workload no longer matches the labels of its template',
    source: 'apps `ValidateDeploymentSpec` and the like',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b, more: labels}}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: d}}}}}',
      ],
    ],
  },
  'limit-below-request': {
    when: 'a limit of a container becomes lower than its request, or of a resource that is not shared, such as a GPU, other than its request',
    source: 'core `ValidateContainerResourceRequirements`',
    dangerous: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}, limits: {cpu: 500m}}}]}}}}',
      ],
    ],
    safe: [
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}, limits: {cpu: 1000m}}}]}}}}',
      ],
      [
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}}}',
        '{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}, limits: {memory: 1}}}]}}}}',
      ],
    ],
  },
} as const satisfies DangerRecords
