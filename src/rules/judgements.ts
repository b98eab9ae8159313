import type { DangerRecords } from './danger-record.ts'

const workload = (container: string, spec = '', pod = '') =>
  `{kind: Deployment, apiVersion: apps/v1, metadata: {name: a}, spec: {${spec}template: {spec: {${pod}containers: [{name: main, ${container}}]}}}}`
const quota = (hard: string) => `{kind: ResourceQuota, apiVersion: v1, metadata: {name: a}, spec: {hard: {${hard}}}}`

/** Changes that may be right, and that a reviewer should judge. */
export const JUDGEMENT_RECORDS = {
  'probe-removed': {
    severity: 'notice',
    when: 'a container loses its liveness, readiness or startup probe',
    source: '[Probes](https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/)',
    dangerous: [[workload('readinessProbe: {httpGet: {port: 80}}'), workload('image: "a:1"')]],
    safe: [
      [workload('readinessProbe: {httpGet: {port: 80}}'), workload('readinessProbe: {httpGet: {port: 81}}')],
      [workload('image: "a:1"').replace('}]}', '}, {name: other, livenessProbe: {httpGet: {port: 80}}}]}'), workload('image: "a:1"')],
    ],
  },
  'limit-removed': {
    severity: 'notice',
    when: 'a container loses a limit',
    source: '[Resource management](https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/)',
    dangerous: [[workload('resources: {limits: {memory: 1Gi, cpu: 1}}'), workload('resources: {limits: {cpu: 1}}')]],
    safe: [
      [workload('resources: {limits: {memory: 1Gi}}'), workload('resources: {limits: {memory: 2Gi}}')],
      [workload('resources: {requests: {memory: 1Gi}}'), workload('resources: {}')],
    ],
  },
  'digest-replaced': {
    severity: 'notice',
    when: 'an image that is named by its digest gets a tag alone',
    source: '[Images, digests](https://kubernetes.io/docs/concepts/containers/images/#image-names)',
    dangerous: [[workload('image: "a@sha256:0123"'), workload('image: "a:1"')]],
    safe: [
      [workload('image: "a@sha256:0123"'), workload('image: "a@sha256:4567"')],
      [workload('image: "a@sha256:0123"'), workload('image: "a:1@sha256:0123"')],
      [workload('image: "a:1"'), workload('image: "a:2"')],
    ],
  },
  'other-major-version': {
    severity: 'notice',
    when: 'the tag of an image has another major version: `16.3` after `15.7`. Dates and words are no versions',
    source: '[Semantic Versioning](https://semver.org/#spec-item-8)',
    dangerous: [
      [workload('image: "postgres:15.7"'), workload('image: "postgres:16.3"')],
      [workload('image: "r:5000/a:v1.2.3-alpine"'), workload('image: "r:5000/a:v2.0.0-alpine"')],
    ],
    safe: [
      [workload('image: "postgres:15.7"'), workload('image: "postgres:15.8"')],
      [workload('image: "a:2026.1"'), workload('image: "a:2027.1"')],
      [workload('image: "a:v1"'), workload('image: "a:1.2"')],
      [workload('image: "a:1"'), workload('image: "b:2"')],
    ],
  },
  'recreate-strategy': {
    severity: 'notice',
    when: 'a Deployment gets the strategy Recreate',
    source: '[Deployments, strategy](https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#recreate-deployment)',
    dangerous: [[workload('image: "a:1"'), workload('image: "a:1"', 'strategy: {type: Recreate}, ')]],
    safe: [
      [workload('image: "a:1"', 'strategy: {type: Recreate}, '), workload('image: "a:2"', 'strategy: {type: Recreate}, ')],
      ['', workload('image: "a:1"', 'strategy: {type: Recreate}, ')],
    ],
  },
  'smaller-quota': {
    severity: 'notice',
    when: 'a ResourceQuota allows less, or limits something that it did not limit',
    source: '[Resource quotas](https://kubernetes.io/docs/concepts/policy/resource-quotas/)',
    dangerous: [
      [quota('requests.cpu: 2'), quota('requests.cpu: 1500m')],
      [quota('pods: 10'), quota('pods: 10, services: 5')],
    ],
    safe: [
      [quota('requests.cpu: 2'), quota('requests.cpu: 2000m')],
      [quota('pods: 10, services: 5'), quota('pods: 10')],
    ],
  },
  'other-nodes': {
    severity: 'notice',
    when: '`nodeSelector` of a workload changes',
    source: '[Assigning pods to nodes](https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodeselector)',
    dangerous: [[workload('image: "a:1"', '', 'nodeSelector: {disk: ssd}, '), workload('image: "a:1"', '', 'nodeSelector: {disk: hdd}, ')]],
    safe: [
      [workload('image: "a:1"', '', 'nodeSelector: {disk: ssd}, '), workload('image: "a:2"', '', 'nodeSelector: {disk: ssd}, ')],
      [workload('image: "a:1"', '', 'nodeSelector: {}, '), workload('image: "a:1"')],
      ['', workload('image: "a:1"', '', 'nodeSelector: {disk: ssd}, ')],
    ],
  },
} as const satisfies DangerRecords
