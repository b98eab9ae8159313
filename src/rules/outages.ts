import type { DangerRecords } from './danger-record.ts'

const service = (spec: string) => `{kind: Service, apiVersion: v1, metadata: {name: s}, spec: {${spec}}}`
const deployment = (labels: string, pod = 'containers: []', spec = '') =>
  `{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {${spec}template: {metadata: {labels: {${labels}}}, spec: {${pod}}}}}`
const rolling = (most: string, spec = 'replicas: 3') =>
  `{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {${spec}, strategy: {rollingUpdate: {maxUnavailable: ${most}}}}}`
const webhook = (fields: string) =>
  `{kind: ValidatingWebhookConfiguration, apiVersion: admissionregistration.k8s.io/v1, metadata: {name: a}, webhooks: [{name: w, ${fields}}]}`
const PODS = 'operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]'
const budget = (spec: string) =>
  `{kind: PodDisruptionBudget, apiVersion: policy/v1, metadata: {name: b}, spec: {selector: {matchLabels: {app: a}}, ${spec}}}`

/** Changes after which clients find nothing, pods do not start, or nodes cannot be drained. */
export const OUTAGE_RECORDS = {
  'service-unreachable': {
    when: 'a Service loses a port; its type becomes a nearer one (LoadBalancer, NodePort, ClusterIP); or its selector, which matched the pods of a workload of the package, matches none, by a change of the Service or of the workload',
    source: '[Service](https://kubernetes.io/docs/concepts/services-networking/service/)',
    dangerous: [
      [service('ports: [{port: 80}, {port: 443}]'), service('ports: [{port: 80}]')],
      [service('type: LoadBalancer'), service('type: ClusterIP')],
      [`${service('selector: {app: a}')}\n---\n${deployment('app: a')}`, `${service('selector: {app: b}')}\n---\n${deployment('app: a')}`],
      [`${deployment('app: a')}\n---\n${service('selector: {app: a}')}`, `${deployment('app: b')}\n---\n${service('selector: {app: a}')}`],
    ],
    safe: [
      [service('ports: [{port: 80, targetPort: 80}]'), service('ports: [{port: 80, targetPort: 8080, protocol: TCP}]')],
      [service('type: ClusterIP'), service('type: LoadBalancer')],
      [
        `${service('selector: {app: a}')}\n---\n${deployment('app: a, part: web')}`,
        `${service('selector: {part: web}')}\n---\n${deployment('app: a, part: web')}`,
      ],
      [service('selector: {app: a}'), service('selector: {app: b}')],
      [`${deployment('app: a')}\n---\n${service('selector: {app: a}')}`, `${deployment('app: b')}\n---\n${service('selector: {app: b}')}`],
    ],
  },
  'in-use-deleted': {
    when: 'a Secret, ConfigMap or ServiceAccount is deleted that a workload of the package still names, unless the workload says that it is optional',
    source:
      '[Configure a Pod to use a ConfigMap](https://kubernetes.io/docs/tasks/configure-pod-container/configure-pod-configmap/#restrictions)',
    dangerous: [
      [
        `{kind: ConfigMap, apiVersion: v1, metadata: {name: c}}\n---\n${deployment('', 'volumes: [{name: v, configMap: {name: c}}]')}`,
        `---\n${deployment('', 'volumes: [{name: v, configMap: {name: c}}]')}`,
      ],
      [
        `{kind: Secret, apiVersion: v1, metadata: {name: c}}\n---\n${deployment('', 'containers: [{name: m, envFrom: [{secretRef: {name: c}}]}]')}`,
        `---\n${deployment('', 'containers: [{name: m, envFrom: [{secretRef: {name: c}}]}]')}`,
      ],
      [
        `{kind: ServiceAccount, apiVersion: v1, metadata: {name: c}}\n---\n${deployment('', 'serviceAccountName: c')}`,
        `---\n${deployment('', 'serviceAccountName: c')}`,
      ],
    ],
    safe: [
      [
        `{kind: ConfigMap, apiVersion: v1, metadata: {name: c}}\n---\n${deployment('', 'volumes: [{name: v, configMap: {name: c}}]')}`,
        `---\n${deployment('', 'volumes: [{name: v, configMap: {name: d}}]')}`,
      ],
      [
        `{kind: ConfigMap, apiVersion: v1, metadata: {name: c}}\n---\n${deployment('', 'volumes: [{name: v, secret: {secretName: c}}]')}`,
        `---\n${deployment('', 'volumes: [{name: v, secret: {secretName: c}}]')}`,
      ],
      [
        `{kind: ConfigMap, apiVersion: v1, metadata: {name: c}}\n---\n${deployment('', 'volumes: [{name: v, configMap: {name: c, optional: true}}]')}`,
        `---\n${deployment('', 'volumes: [{name: v, configMap: {name: c, optional: true}}]')}`,
      ],
    ],
  },
  'all-unavailable': {
    when: 'the rolling update of a Deployment or DaemonSet gets `maxUnavailable: 100%`, or as many as the replicas of a Deployment with more than one',
    source: '[Deployments, max unavailable](https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#max-unavailable)',
    dangerous: [
      [rolling('25%'), rolling('100%')],
      [rolling('1'), rolling('3')],
    ],
    safe: [
      [rolling('25%'), rolling('99%')],
      [rolling('1'), rolling('2')],
      [rolling('100%'), rolling('100%', 'replicas: 4')],
    ],
  },
  'failing-webhook': {
    when: 'a webhook gets `failurePolicy: Fail`, which is the default of v1; or one that has it is asked about more: a rule, or a selector or condition less',
    source:
      '[Dynamic admission control, failure policy](https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#failure-policy)',
    dangerous: [
      [webhook('failurePolicy: Ignore'), webhook('a: b')],
      [webhook(`rules: [{${PODS}}]`), webhook(`rules: [{${PODS.replace('pods', 'pods, services')}}]`)],
      [webhook('namespaceSelector: {matchLabels: {a: b}}'), webhook('sideEffects: None')],
    ],
    safe: [
      [webhook('a: b'), webhook('failurePolicy: Fail')],
      [webhook(`rules: [{${PODS}}]`), webhook(`rules: [{${PODS}, scope: Namespaced}]`)],
      [webhook('sideEffects: None'), webhook('namespaceSelector: {matchLabels: {a: b}}')],
      [webhook(`failurePolicy: Ignore, rules: [{${PODS}}]`), webhook(`failurePolicy: Ignore, rules: [{${PODS.replace('pods', '"*"')}}]`)],
    ],
  },
  'no-disruption-allowed': {
    when: 'a PodDisruptionBudget gets `maxUnavailable: 0` or `minAvailable: 100%`, or needs as many pods as the workloads of the package have that it selects, by a change of the budget or of the replicas',
    source: '[Disruptions](https://kubernetes.io/docs/tasks/run-application/configure-pdb/): nodes cannot be drained',
    dangerous: [
      [budget('maxUnavailable: 1'), budget('maxUnavailable: 0')],
      [
        `${budget('minAvailable: 1')}\n---\n${deployment('app: a', 'containers: []', 'replicas: 2, ')}`,
        `${budget('minAvailable: 2')}\n---\n${deployment('app: a', 'containers: []', 'replicas: 2, ')}`,
      ],
      [
        `${deployment('app: a', 'containers: []', 'replicas: 2, ')}\n---\n${budget('minAvailable: 1')}`,
        `${deployment('app: a', 'containers: []', 'replicas: 1, ')}\n---\n${budget('minAvailable: 1')}`,
      ],
    ],
    safe: [
      [budget('maxUnavailable: 1'), budget('minAvailable: 1')],
      [budget('maxUnavailable: 0'), budget('maxUnavailable: 0, a: 1')],
      [
        `${budget('minAvailable: 1')}\n---\n${deployment('app: a', 'containers: []', 'replicas: 3, ')}`,
        `${budget('minAvailable: 2')}\n---\n${deployment('app: a', 'containers: []', 'replicas: 3, ')}`,
      ],
      [
        `${budget('minAvailable: 1')}\n---\n${deployment('app: other', 'containers: []', 'replicas: 2, ')}`,
        `${budget('minAvailable: 2')}\n---\n${deployment('app: other', 'containers: []', 'replicas: 2, ')}`,
      ],
    ],
  },
} as const satisfies DangerRecords
