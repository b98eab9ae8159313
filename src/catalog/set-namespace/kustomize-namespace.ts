import type { FieldPath } from '../../field-path.ts'
import { asRecord, isRecord, type JsonValue, lookup } from '../../json.ts'
import { isClusterKind } from '../../kubernetes/built-in-kinds.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { KrmFunction } from '../../run.ts'
import { isNestedValue } from '../../schema/config-map-pairs.ts'
import { catalogConfig, fieldError } from '../catalog-config.ts'
import { editItems, mapItems, refuseTwins } from '../edit-items.ts'
import { type FieldSpec, isOfSpecKind, kustomizePlaces, wrongType } from '../field-places.ts'
import { refuseInfinity, renamedFields } from '../kustomize-fields.ts'

/**
 * Returns set-namespace as v0.1 and v0.2 have it: the namespace transformer of kustomize. Every kind gets the namespace that is no known
 * kind without one, local config too; there are no results.
 *
 * @param knowsAccounts  if true, subjects that are ServiceAccounts of the list get the namespace, too; always those named `default`
 */
export function kustomizeNamespace(knowsAccounts: boolean): KrmFunction {
  return (list) => {
    const config = catalogConfig(list, { kinds: ['SetNamespace', 'SetNamespaceConfig'], hasExactConfigMap: true })
    const namespace = namespaceOf(config)
    const fields = [...NAMESPACE_FIELDS, ...renamedFields(config, 'additionalNamespaceFields').filter((field) => !isHardCoded(field))]
    const items = mapItems(list)
    refuseInfinity(items)
    refuseTwins(items)
    const accounts = new Set(items.filter(({ kind }) => knowsAccounts && kind === 'ServiceAccount').map(({ name }) => name))
    editItems(items, (item) => {
      const own: FieldPath[] = isClusterKind(item.apiVersion, item.kind) ? [] : [['metadata', 'namespace']]
      const places = fields.filter((field) => isOfSpecKind(item, field)).flatMap((field) => kustomizePlaces(item, field))
      for (const place of [...own, ...subjectPlaces(item, accounts), ...places]) write(item, place, namespace)
    })
  }
}

/** Returns the namespace of a SetNamespace or of the `data` of a ConfigMap, a number or boolean as spelled. */
function namespaceOf(config: KrmObject): string {
  const path = config.kind === 'ConfigMap' ? ['data', 'namespace'] : ['namespace']
  const holder = config.kind === 'ConfigMap' ? config.get(['data']) : undefined
  if (holder !== undefined && !isRecord(holder)) throw wrongType(config, ['data'], 'a map', holder)
  const value = config.get(path) ?? ''
  if (isNestedValue(value)) throw wrongType(config, path, 'a string', value)
  const [scalar] = value === '' ? [] : config.scalars(path)
  if (scalar !== undefined) return scalar.text
  throw fieldError(config, { rule: 'required', path, message: 'must be set' })
}

const NAMESPACE_FIELDS: readonly FieldSpec[] = [
  { kind: 'Namespace', path: 'metadata/name', create: true },
  { group: 'apiregistration.k8s.io', kind: 'APIService', path: 'spec/service/namespace', create: false },
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    create: false,
  },
]

/** Returns true for a field that kustomize writes by a rule of its own and not as the functionConfig says. */
function isHardCoded({ path, kind }: FieldSpec): boolean {
  return path === 'metadata/namespace' || (path === 'subjects' && (kind === 'RoleBinding' || kind === 'ClusterRoleBinding'))
}

/** Returns the places of the namespace in the subjects of a binding. */
function subjectPlaces(item: KrmObject, accounts: ReadonlySet<string | undefined>): readonly FieldPath[] {
  if (item.kind !== 'RoleBinding' && item.kind !== 'ClusterRoleBinding') return []
  const subjects = item.get(['subjects']) ?? []
  if (!Array.isArray(subjects)) throw wrongType(item, ['subjects'], 'a list', subjects)
  return subjects.flatMap((subject: JsonValue, index): readonly FieldPath[] => {
    const name = lookup(asRecord(subject), 'name')
    const isAccount = lookup(asRecord(subject), 'kind') === 'ServiceAccount' && typeof name === 'string' && accounts.has(name)
    return name === 'default' || isAccount ? [['subjects', index, 'namespace']] : []
  })
}

function write(item: KrmObject, place: FieldPath, namespace: string): void {
  const old = item.get(place)
  if (old !== undefined && isNestedValue(old)) throw wrongType(item, place, 'a string', old)
  if (old !== namespace) item.set(place, namespace)
}
