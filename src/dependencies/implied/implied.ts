import { attempt } from '../../attempt.ts'
import type { FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { isLocalConfig } from '../../resource-list/applied-objects.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { packageFinder } from '../../resource-list/package-of.ts'
import { FunctionError, formatResourceRef } from '../../result.ts'
import { type FieldPlace, type Finding, formatPlace, listNames, nameSome } from '../finding.ts'
import type { ServedKinds } from '../package-index.ts'
import { childField, childText, fieldAt, isTrue, itemFields, type ObjectField, placeIn, placeOfField, textAt } from '../reading/field.ts'
import { type GroupKind, groupKind, isOneOf } from '../reading/object-metadata.ts'
import { definedGroupKinds, definitionsAmong, isBuiltInGroup } from '../reading/served-kinds.ts'

/** An object that another object needs, and the place of the reference. */
interface Reference {
  /** `Namespace team-a`, `Secret team-a/tls` */
  readonly package: string
  readonly referrer: KrmObject
  readonly place: () => FieldPlace
  /** True for a definition: no package of the list brings it, and the user does not say that the cluster has it. */
  readonly isNowhere?: boolean
}

/** The facts about the whole list of objects that the check of one package needs. */
export interface ImpliedContext {
  readonly kinds: ServedKinds
  /** Kinds whose objects define kinds. */
  readonly definitions: readonly GroupKind[]
  /** Returns true for a group whose objects are applied before a package, or never. */
  readonly isAppliedBefore: (group: string) => boolean
}

// Groups of objects that configure tools and never reach a cluster.
const TOOL_GROUPS: ReadonlySet<string> = new Set([
  'fn.krm-variants.dev',
  'fleet.krm-variants.dev',
  'config.kubernetes.io',
  'kustomize.config.k8s.io',
])

// Groups of objects that declare a fleet. Other objects beside these are what a fleet is made from, such as targets, and reach no cluster.
const FLEET_GROUPS: ReadonlySet<string> = new Set(['fleet.krm-variants.dev', 'config.porch.kpt.dev'])

const SHOWN_REFERRERS = 3

/**
 * Returns a finding for each object that a package refers to and does not contain: Namespaces, definitions of its custom resources, and
 * objects that its pods need.
 */
export function checkImplied(objects: readonly KrmObject[], known: ImpliedContext): Finding[] {
  const packageOf = packageFinder(objects)
  const fleets = new Set(objects.filter(({ apiVersion = '' }) => FLEET_GROUPS.has(groupOf(apiVersion))).map((object) => packageOf(object)))
  // The folder of a package to install is never needed, and there may be thousands of them.
  const { definitions, isAppliedBefore } = known
  const needed = objects.filter((object) => isOneOf(object, definitions) || !isAppliedBefore(groupOf(object.apiVersion ?? '')))
  const members = groupBy(needed, (object) => packageOf(object))
  return [...members].flatMap(([key, each]) => checkPackage(each, known, !fleets.has(key)))
}

function checkPackage(members: readonly KrmObject[], known: ImpliedContext, isDeployed: boolean): Finding[] {
  const { kinds, definitions, isAppliedBefore } = known
  const secrets = members.flatMap(createdSecrets)
  const defined = definedGroupKinds(definitionsAmong(members, definitions))
  const references: Reference[] = []
  for (const object of members) {
    if (!isApplied(object) || isAppliedBefore(groupOf(object.apiVersion ?? ''))) continue
    references.push(...namespaceReference(object), ...definitionReference(object, defined, kinds), ...objectReferences(object))
  }
  // Most packages of a large list refer to nothing, so the names of their objects are not needed.
  if (references.length === 0) return []
  const present = new Set([...members.flatMap(nameInCoreGroup), ...secrets])
  const missing = references.filter(({ package: pkg }) => !present.has(pkg))
  return [...groupBy(missing, ({ package: pkg }) => pkg).values()].flatMap((group) => implied(group, isDeployed))
}

function isApplied(object: KrmObject): boolean {
  const { apiVersion = '', kind, name } = object
  return kind !== undefined && name !== undefined && !isLocalConfig(object) && !TOOL_GROUPS.has(groupOf(apiVersion))
}

/** Returns the name that an object of the core group fulfils. */
function nameInCoreGroup({ apiVersion = '', kind = '', namespace = '', name = '' }: KrmObject): string[] {
  return groupOf(apiVersion) === '' ? [named(kind, namespace, name)] : []
}

/** Returns the name of the Secret that an object creates. */
function createdSecrets(object: KrmObject): string[] {
  const { kind } = object
  if (kind !== 'SealedSecret' && kind !== 'ExternalSecret') return []
  const { namespace = '', name = '' } = object
  return [named('Secret', namespace, kind === 'ExternalSecret' ? textAt(object, 'spec', 'target', 'name') || name : name)]
}

function named(kind: string, namespace: string, name: string): string {
  return kind === 'Namespace' || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`
}

function namespaceReference(object: KrmObject): Reference[] {
  const { namespace = '' } = object
  if (namespace === '' || namespace === 'default' || namespace.startsWith('kube-')) return []
  return [{ package: `Namespace ${namespace}`, referrer: object, place: () => placeIn(object, ['metadata', 'namespace'], namespace) }]
}

function definitionReference(object: KrmObject, defined: ReadonlySet<string>, kinds: ServedKinds): Reference[] {
  const { apiVersion = '', kind = '' } = object
  const group = groupOf(apiVersion)
  if (isBuiltInGroup(group) || defined.has(`${group} ${kind}`) || kinds.serves({ apiVersion, kind })) return []
  const name = `CustomResourceDefinition of ${groupKind(object)}`
  return [{ package: name, referrer: object, place: () => placeIn(object, ['kind'], kind), isNowhere: true }]
}

function objectReferences(object: KrmObject): Reference[] {
  const { namespace = '' } = object
  // An alias in a workload is reported elsewhere. Here the alias only hides references, so the workload has none.
  const references = attempt(() => podReferences(object), FunctionError) ?? []
  const wanted = references.filter(({ kind, name }) => !IN_EVERY_NAMESPACE.has(`${kind} ${name}`))
  return wanted.map(({ kind, name, field }) => ({
    package: named(kind, namespace, name),
    referrer: object,
    place: () => placeOfField(field),
  }))
}

/** The objects that Kubernetes creates in every namespace. */
const IN_EVERY_NAMESPACE: ReadonlySet<string> = new Set(['ServiceAccount default', 'ConfigMap kube-root-ca.crt'])

function implied(references: readonly Reference[], isDeployed: boolean): Finding[] {
  const [first] = references
  if (first === undefined) return []
  const referrers = [...new Map(references.map((each) => [each.referrer, each])).values()]
  const need = `${listNames(nameSome(referrers, describeReferrer, SHOWN_REFERRERS))} ${referrers.length === 1 ? 'needs' : 'need'} it`
  const finding = { rule: 'dependency-implied', place: first.place(), tags: { dependency: first.package } } as const
  if (first.isNowhere !== true || !isDeployed) return [{ ...finding, message: `${first.package} is not in the package; ${need}` }]
  const { apiVersion = '', kind = '' } = first.referrer
  const toDeclare = `if the cluster has it, list \`{apiVersion: ${apiVersion}, kind: ${kind}}\` under \`provided\` of a CheckDependencies`
  const message = `${first.package} is not in the package, and nothing else brings it; ${need}; ${toDeclare}`
  return [{ ...finding, severity: 'warning', message }]
}

function describeReferrer({ referrer, place }: Reference): string {
  return `${formatResourceRef(referrer.ref)} (${formatPlace(place())})`
}

/** An object of the same namespace that a pod needs. */
interface PodReference {
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
function podReferences(object: KrmObject): PodReference[] {
  const path = POD_SPECS.get(object.kind ?? '')
  if (path === undefined) return []
  const pod = fieldAt(object, path)
  const containers = ['containers', 'initContainers'].flatMap((list) => itemFields(childField(pod, list)))
  return [
    ...namedReference('ServiceAccount', childField(pod, 'serviceAccountName'), pod),
    ...itemFields(childField(pod, 'imagePullSecrets')).flatMap((item) => namedReference('Secret', childField(item, 'name'), item)),
    ...itemFields(childField(pod, 'volumes')).flatMap(volumeReferences),
    ...containers.flatMap(environmentReferences),
  ]
}

function volumeReferences(volume: ObjectField): PodReference[] {
  const claim = childField(volume, 'persistentVolumeClaim')
  const secret = childField(volume, 'secret')
  const sources = itemFields(childField(childField(volume, 'projected'), 'sources'))
  return [
    ...namedReference('PersistentVolumeClaim', childField(claim, 'claimName'), claim),
    ...namedReference('Secret', childField(secret, 'secretName'), secret),
    ...mapReferences(volume, 'configMap'),
    ...sources.flatMap((source) => [...mapReferences(source, 'configMap'), ...mapReferences(source, 'secret')]),
  ]
}

function environmentReferences(container: ObjectField): PodReference[] {
  const from = itemFields(childField(container, 'envFrom'))
  const values = itemFields(childField(container, 'env')).map((item) => childField(item, 'valueFrom'))
  return [
    ...from.flatMap((item) => [...mapReferences(item, 'configMapRef'), ...mapReferences(item, 'secretRef')]),
    ...values.flatMap((value) => [...mapReferences(value, 'configMapKeyRef'), ...mapReferences(value, 'secretKeyRef')]),
  ]
}

function mapReferences(holder: ObjectField, key: string): PodReference[] {
  const reference = childField(holder, key)
  return namedReference(key.startsWith('secret') ? 'Secret' : 'ConfigMap', childField(reference, 'name'), reference)
}

function namedReference(kind: PodReference['kind'], field: ObjectField, holder: ObjectField): PodReference[] {
  const name = childText(holder, String(field.key))
  return name === '' || isTrue(childField(holder, 'optional')) ? [] : [{ kind, name, field }]
}
