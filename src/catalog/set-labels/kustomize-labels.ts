import type { ResourceList } from '../../resource-list/resource-list.ts'
import { catalogConfig, requiredPairs } from '../catalog-config.ts'
import { editItems, mapItems, refuseTwins } from '../edit-items.ts'
import { type FieldSpec, isOfSpecKind, kustomizePlaces, writePairs } from '../field-places.ts'
import { refuseInfinity, renamedFields } from '../kustomize-fields.ts'

/**
 * Sets labels as v0.1 does, with the commonLabels of kustomize. All selectors get the labels, local config gets them too, and there are no
 * results.
 */
export function kustomizeLabels(list: ResourceList): void {
  const config = catalogConfig(list, { kinds: ['SetLabels', 'SetLabelConfig'], hasExactConfigMap: true })
  const labels = requiredPairs(config, 'labels', 'must have a label')
  const fields = [...COMMON_LABELS, ...renamedFields(config, 'additionalLabelFields')]
  const items = mapItems(list)
  refuseInfinity(items)
  refuseTwins(items)
  editItems(items, (item) => {
    const places = fields.filter((field) => isOfSpecKind(item, field)).flatMap((field) => kustomizePlaces(item, field))
    for (const place of places) writePairs(item, place, labels)
  })
}

type Kind = Pick<FieldSpec, 'group' | 'version' | 'kind'>

/** Returns the selector, the template and the terms of a workload; kustomize has the terms of two kinds alone. */
function workload(kind: Kind, terms: readonly string[]): readonly FieldSpec[] {
  return [
    { ...kind, path: 'spec/selector/matchLabels', create: true },
    { ...kind, path: 'spec/template/metadata/labels', create: true },
    ...terms.map((term) => ({ ...kind, group: 'apps', path: `spec/template/spec/${term}/matchLabels`, create: false })),
  ]
}

const TERMS = [
  ...['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
    `affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector`,
    `affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector`,
  ]),
  'topologySpreadConstraints/labelSelector',
]

export const CONTROLLER = { version: 'v1', kind: 'ReplicationController' }
const JOB = { group: 'batch', kind: 'Job' }
const CRON_JOB = { group: 'batch', kind: 'CronJob' }
export const NETWORK_POLICY_KIND = { group: 'networking.k8s.io', kind: 'NetworkPolicy' }

/** @see kustomize api/konfig/builtinpluginconsts/commonlabels.go */
const COMMON_LABELS: readonly FieldSpec[] = [
  { path: 'metadata/labels', create: true },
  { version: 'v1', kind: 'Service', path: 'spec/selector', create: true },
  { ...CONTROLLER, path: 'spec/selector', create: true },
  { ...CONTROLLER, path: 'spec/template/metadata/labels', create: true },
  ...workload({ kind: 'Deployment' }, TERMS),
  ...workload({ kind: 'ReplicaSet' }, []),
  ...workload({ kind: 'DaemonSet' }, []),
  ...workload({ group: 'apps', kind: 'StatefulSet' }, TERMS),
  { group: 'apps', kind: 'StatefulSet', path: 'spec/volumeClaimTemplates[]/metadata/labels', create: true },
  { ...JOB, path: 'spec/selector/matchLabels', create: false },
  { ...JOB, path: 'spec/template/metadata/labels', create: true },
  { ...CRON_JOB, path: 'spec/jobTemplate/spec/selector/matchLabels', create: false },
  { ...CRON_JOB, path: 'spec/jobTemplate/metadata/labels', create: true },
  { ...CRON_JOB, path: 'spec/jobTemplate/spec/template/metadata/labels', create: true },
  { group: 'policy', kind: 'PodDisruptionBudget', path: 'spec/selector/matchLabels', create: false },
  { ...NETWORK_POLICY_KIND, path: 'spec/podSelector/matchLabels', create: false },
  { ...NETWORK_POLICY_KIND, path: 'spec/ingress/from/podSelector/matchLabels', create: false },
  { ...NETWORK_POLICY_KIND, path: 'spec/egress/to/podSelector/matchLabels', create: false },
]
