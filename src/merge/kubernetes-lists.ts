import { isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { kindsOf } from '../kubernetes/built-in-kinds.ts'
import { keyedBy, keyText, type MergeRule, SET } from './merge-rule.ts'

/*
 * The lists of Kubernetes' own kinds whose entries have a key: those with x-kubernetes-patch-strategy `merge` in the OpenAPI document of
 * Kubernetes 1.21.2, the one that kyaml carries (kyaml/openapi, v0.15 to v0.21), by x-kubernetes-list-map-keys, else
 * x-kubernetes-patch-merge-key. kpt merges by these and no others: a version of a kind that is not there has no such lists.
 */

const byName = (fields?: MergeRule): MergeRule => keyedBy(['name'], fields)

const METADATA: MergeRule = { fields: { finalizers: SET, ownerReferences: keyedBy(['uid']) } }

const EPHEMERAL_CONTAINER: MergeRule = {
  fields: { env: byName(), volumeDevices: keyedBy(['devicePath']), volumeMounts: keyedBy(['mountPath']) },
}
const CONTAINER: MergeRule = { fields: { ...EPHEMERAL_CONTAINER.fields, ports: keyedBy(['containerPort', 'protocol']) } }

const VOLUME: MergeRule = { fields: { ephemeral: { fields: { volumeClaimTemplate: { fields: { metadata: METADATA } } } } } }

const POD_SPEC: MergeRule = {
  fields: {
    containers: byName(CONTAINER),
    ephemeralContainers: byName(EPHEMERAL_CONTAINER),
    hostAliases: keyedBy(['ip']),
    imagePullSecrets: byName(),
    initContainers: byName(CONTAINER),
    topologySpreadConstraints: keyedBy(['topologyKey', 'whenUnsatisfiable']),
    volumes: byName(VOLUME),
  },
}

const TEMPLATE: MergeRule = { fields: { metadata: METADATA, spec: POD_SPEC } }
const CONDITIONS: MergeRule = { fields: { conditions: keyedBy(['type']) } }

/** Returns the rule of an object of a built-in kind. */
function object(fields: Readonly<Record<string, MergeRule>> = {}): MergeRule {
  return { fields: { metadata: METADATA, ...fields } }
}

const PLAIN = object()
const WITH_TEMPLATE = object({ spec: { fields: { template: TEMPLATE } }, status: CONDITIONS })
const JOB_TEMPLATE: MergeRule = { fields: { metadata: METADATA, spec: { fields: { template: TEMPLATE } } } }
const CRON_JOB = object({ spec: { fields: { jobTemplate: JOB_TEMPLATE } } })
const WITH_CONDITIONS = object({ status: CONDITIONS })
const WEBHOOKS = object({ webhooks: byName() })
const CSI_NODE = object({ spec: { fields: { drivers: byName() } } })

/** Kinds with more lists than those of the metadata, which every kind has. */
const RULES: readonly (readonly [rule: MergeRule, apiVersions: string, kinds: string])[] = [
  [WITH_TEMPLATE, 'apps/v1', 'DaemonSet Deployment ReplicaSet StatefulSet'],
  [WITH_TEMPLATE, 'batch/v1', 'Job'],
  [WITH_TEMPLATE, 'v1', 'ReplicationController'],
  [CRON_JOB, 'batch/v1 batch/v1beta1', 'CronJob'],
  [object({ spec: POD_SPEC, status: { fields: { ...CONDITIONS.fields, podIPs: keyedBy(['ip']) } } }), 'v1', 'Pod'],
  [object({ template: TEMPLATE }), 'v1', 'PodTemplate'],
  [object({ spec: { fields: { ports: keyedBy(['port', 'protocol']) } }, status: CONDITIONS }), 'v1', 'Service'],
  [object({ secrets: byName() }), 'v1', 'ServiceAccount'],
  [WITH_CONDITIONS, 'v1', 'Namespace PersistentVolumeClaim'],
  [WITH_CONDITIONS, 'policy/v1 policy/v1beta1', 'PodDisruptionBudget'],
  [WITH_CONDITIONS, 'apiregistration.k8s.io/v1 apiregistration.k8s.io/v1beta1', 'APIService'],
  [object({ conditions: keyedBy(['type']) }), 'v1', 'ComponentStatus'],
  [
    object({ spec: { fields: { podCIDRs: SET } }, status: { fields: { ...CONDITIONS.fields, addresses: keyedBy(['type']) } } }),
    'v1',
    'Node',
  ],
  [
    WEBHOOKS,
    'admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  ],
  [CSI_NODE, 'storage.k8s.io/v1 storage.k8s.io/v1beta1', 'CSINode'],
  [{ fields: { configMapGenerator: byName(), secretGenerator: byName() } }, 'kustomize.config.k8s.io/v1beta1', 'Kustomization'],
]

const BY_KIND: ReadonlyMap<string, MergeRule> = new Map([
  ...kindsOf('merge').map(({ apiVersion, kind }) => [`${apiVersion} ${kind}`, PLAIN] as const),
  ...RULES.flatMap(([rule, apiVersions, kinds]) =>
    apiVersions.split(' ').flatMap((apiVersion) => kinds.split(' ').map((kind) => [`${apiVersion} ${kind}`, rule] as const)),
  ),
])

/** Returns the rule of an object by its apiVersion and kind. Applies to an object inside another, too (kyaml walk.go GetSchema). */
export function ruleOfObject(value: JsonValue | undefined): MergeRule | undefined {
  return isRecord(value) ? BY_KIND.get(kindOf(value)) : undefined
}

function kindOf(object: JsonRecord): string {
  return `${keyText(lookup(object, 'apiVersion')) ?? ''} ${keyText(lookup(object, 'kind')) ?? ''}`
}
