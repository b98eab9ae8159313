import { compareText, type FieldPath } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { isNamespacedKind } from '../../kubernetes/built-in-kinds.ts'
import { isLocalConfig } from '../../resource-list/applied-objects.ts'
import { fieldPlace } from '../../resource-list/finding-place.ts'
import { groupOf, identityOfObject } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError } from '../../result.ts'
import type { KrmFunction } from '../../run.ts'
import { DEPENDS_ON } from '../../well-known.ts'
import { catalogConfig } from '../catalog-config.ts'
import type { CatalogFunction } from '../catalog-function.ts'
import { editItems, mapItems } from '../edit-items.ts'
import { fieldPlaces, wrongType } from '../field-places.ts'
import { kustomizeNamespace } from './kustomize-namespace.ts'
import { setMatchingNamespace } from './matching-namespace.ts'
import { configuredNamespace } from './namespace-config.ts'

/** Writes one namespace into every namespaced object, and into the references that name a namespace. */
export const SET_NAMESPACE: CatalogFunction = {
  name: 'set-namespace',
  versions: ['v0.4.1', 'v0.2.0', 'v0.1.4', 'master'],
  at: (version) => OTHER_VERSIONS[version] ?? setNamespace,
}

const OTHER_VERSIONS: Readonly<Record<string, KrmFunction>> = {
  'v0.2.0': kustomizeNamespace(true),
  'v0.1.4': kustomizeNamespace(false),
  master: setMatchingNamespace,
}

function setNamespace(list: ResourceList): void {
  const namespace = configuredNamespace(catalogConfig(list, { kinds: ['SetNamespace'] }))
  const items = mapItems(list).filter((item) => !isLocalConfig(item))
  const keys = new Set(items.map(keyOf))
  const before = new Map(items.map((item) => [item, identityOfObject(item)]))
  const replaced = new Map<string, number>()
  editItems(items, (item) => {
    for (const path of placesOf(item)) {
      const old = textAt(item, path)
      if (old === namespace) continue
      item.set(path, namespace)
      replaced.set(old, (replaced.get(old) ?? 0) + 1)
    }
  })
  const changed = [...replaced.values()].reduce((sum, count) => sum + count, 0)
  editItems(items, (item) => followDependency(item, keys, replaced, namespace))
  refuseTwins(before)
  list.results.push({ severity: 'info', message: summaryOf(replaced, changed, namespace), tags: { rule: 'set-namespace' } })
}

/**
 * Returns the places of an object that hold or need a namespace. The namespace of a service is written only if the object names a
 * service.
 */
function placesOf(item: KrmObject): readonly FieldPath[] {
  const { apiVersion = '', kind = '' } = item
  const places = (path: string, create = false) => fieldPlaces(item, { path, create })
  if (apiVersion === 'v1' && kind === 'Namespace') return places('metadata/name', true)
  const service = SERVICES[`${apiVersion} ${kind}`]
  if (service !== undefined) return places(service).map((path) => [...path, 'namespace'])
  const subjects =
    kind === 'RoleBinding' || kind === 'ClusterRoleBinding' ? places('subjects[]/namespace').filter((path) => item.get(path) !== null) : []
  const own = isNamespacedKind(apiVersion, kind) ? places('metadata/namespace', true) : places('metadata/namespace').filter(isSet(item))
  return [...(CLUSTER_KINDS.has(kind) ? [] : own), ...subjects.filter(isSet(item))]
}

/** The path of a service reference, by apiVersion and kind. */
const SERVICES: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io/v1 CustomResourceDefinition': 'spec/conversion/webhook/clientConfig/service',
  'apiregistration.k8s.io/v1 APIService': 'spec/service',
}

function isSet(item: KrmObject): (path: FieldPath) => boolean {
  return (path) => textAt(item, path) !== ''
}

/** Built-in kinds without a namespace; a namespace in such an object stays unchanged. */
const CLUSTER_KINDS: ReadonlySet<string> = new Set([
  'APIService',
  'CSIDriver',
  'CSINode',
  'CertificateSigningRequest',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'FlowSchema',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'Namespace',
  'Node',
  'PersistentVolume',
  'PodSecurityPolicy',
  'PriorityClass',
  'PriorityLevelConfiguration',
  'RuntimeClass',
  'StorageClass',
  'ValidatingWebhookConfiguration',
  'VolumeAttachment',
])

/** Returns the text at a path; '' if the path is missing. Throws FunctionError for another value. */
function textAt(item: KrmObject, path: FieldPath): string {
  const value = item.get(path)
  if (value !== undefined && typeof value !== 'string') throw wrongType(item, path, 'a string', value)
  return value ?? ''
}

const NAMESPACED_REFERENCE = /^([^/,]*)\/namespaces\/([^/,]*)\/([^/,]*)\/([^/,]*)$/

/** Replaces the namespace in `group/namespaces/OLD/kind/name` if the list holds that object and OLD was replaced. */
function followDependency(item: KrmObject, keys: ReadonlySet<string>, replaced: ReadonlyMap<string, number>, namespace: string): void {
  const [whole, group = '', old = '', kind = '', name = ''] = NAMESPACED_REFERENCE.exec(item.annotations.get(DEPENDS_ON) ?? '') ?? []
  if (whole === undefined || !replaced.has(old) || !keys.has([group, kind, name].join('/'))) return
  item.set(['metadata', 'annotations', DEPENDS_ON], `${group}/namespaces/${namespace}/${kind}/${name}`)
}

/**
 * Returns the key of an object for dependencies. An object of the core group has the key `v1/Kind/name`, which no reference has: as in
 * the catalog's function, it is never found.
 */
function keyOf({ apiVersion = '', kind = '', name = '' }: KrmObject): string {
  return [apiVersion.includes('/') ? groupOf(apiVersion) : apiVersion, kind, name].join('/')
}

/**
 * Refuses objects that the new namespace makes equal.
 *
 * @param before  the objects, each with its identity before the run
 * @throws FunctionError  with every object whose identity equals another's now and did not before
 */
function refuseTwins(before: ReadonlyMap<KrmObject, string>): void {
  const groups = [...groupBy(before.keys(), identityOfObject).values()]
  const twins = groups.flatMap(([first, ...others]) => others.filter((other) => before.get(other) !== before.get(first)))
  if (twins.length === 0) return
  throw new FunctionError(
    twins.map((twin) => {
      const { kind, name, namespace } = twin.ref
      // A Namespace has the new namespace as its name.
      const [key, words] =
        namespace === undefined
          ? ['name', `another ${kind}, got '${name}'`]
          : ['namespace', `another ${kind} '${name}', got '${namespace}'`]
      return {
        severity: 'error',
        message: `\`metadata.${key}\` must differ from that of ${words} for both`,
        ...fieldPlace(twin, ['metadata', key]),
        tags: { rule: 'duplicate-object' },
      }
    }),
  )
}

function summaryOf(replaced: ReadonlyMap<string, number>, changed: number, namespace: string): string {
  if (changed === 0) return `all namespaces are already "${namespace}". no value changed`
  const old = [...replaced.keys()].sort(compareText).map((name) => `"${name}"`)
  return `namespace ${old.join(',')} updated to "${namespace}", ${changed} value(s) changed`
}
