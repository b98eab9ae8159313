import { compareText, type FieldPath } from '../../field-path.ts'
import { asRecord, isRecord, type JsonValue, lookup } from '../../json.ts'
import { isClusterKind, isNamespacedKind } from '../../kubernetes/built-in-kinds.ts'
import { isLocalConfig } from '../../resource-list/applied-objects.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { ResourceList } from '../../resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../result.ts'
import { isNestedValue } from '../../schema/config-map-pairs.ts'
import { DEPENDS_ON, UPSTREAM_IDENTIFIER } from '../../well-known.ts'
import { catalogConfig } from '../catalog-config.ts'
import { editItems, mapItems } from '../edit-items.ts'
import { wrongType } from '../field-places.ts'
import { configuredNamespace } from './namespace-config.ts'

/**
 * Sets namespaces as set-namespace of the catalog's unreleased master does: with `namespaceMatcher` only that namespace is replaced, as it
 * is now or as it was upstream; without, all namespaces are, provided that they came from one upstream namespace.
 */
export function setMatchingNamespace(list: ResourceList): void {
  const config = catalogConfig(list, { kinds: ['SetNamespace'] })
  const namespace = configuredNamespace(config)
  const matcher = config.get(config.kind === 'ConfigMap' ? ['data', 'namespaceMatcher'] : ['namespaceMatcher']) ?? ''
  if (typeof matcher !== 'string') throw wrongType(config, ['namespaceMatcher'], 'a string', matcher)
  const items = mapItems(list).filter((item) => !isLocalConfig(item))
  const known = new Set(items.flatMap(dependencyOf))
  const results = matcher === '' ? checkOrigins(items) : originsMissing(items)
  const change: Change = { known, namespace, matcher, replaced: [], followed: [], results }
  editItems(items, (item) => replaceIn(item, change))
  editItems(items, (item) => followDependency(item, change))
  list.results.push(...results, info(summaryOf(change.replaced, namespace)), info(dependencySummary(change.followed, namespace)))
}

/** The namespaces to replace. The lists get an entry for each replaced namespace, and for each reference to one. */
interface Change {
  readonly known: ReadonlySet<string>
  readonly namespace: string
  readonly matcher: string
  readonly replaced: string[]
  readonly followed: string[]
  readonly results: Result[]
}

function replaceIn(item: KrmObject, { namespace, matcher, replaced, results }: Change): void {
  for (const { path, origin } of placesOf(item)) {
    const old = textAt(item, path) || 'default'
    const isReplaced = old !== namespace && ['', old, origin].includes(matcher)
    if (isReplaced) replaced.push(old)
    if (isReplaced && matcher !== '' && matcher === origin) results.push(info(`[${nameOf(item)}] has matching origin ${origin}`))
    const value = isReplaced ? namespace : old
    if (value !== item.get(path)) item.set(path, value)
  }
}

/** A place of a namespace, and the namespace that the object had upstream; '' if a place has none. */
interface Place {
  readonly path: FieldPath
  readonly origin: string
}

function placesOf(item: KrmObject): readonly Place[] {
  const { apiVersion = '', kind = '', name = '' } = item
  const origin = originOf(item)
  if (!isClusterKind(apiVersion, kind))
    return isNamespaced(item) ? [{ path: ['metadata', 'namespace'], origin: origin?.namespace ?? ownNamespace(item) }] : []
  if (apiVersion === 'v1' && kind === 'Namespace') return [{ path: ['metadata', 'name'], origin: origin?.name ?? name }]
  const service = SERVICES[`${apiVersion} ${kind}`]
  if (service !== undefined) return isRecord(item.get(service)) ? [{ path: [...service, 'namespace'], origin: '' }] : []
  if (kind !== 'ClusterRoleBinding') return []
  const subjects = item.get(['subjects']) ?? []
  if (!Array.isArray(subjects)) throw wrongType(item, ['subjects'], 'a list', subjects)
  return subjects.flatMap((subject: JsonValue, index) =>
    lookup(asRecord(subject), 'namespace') === undefined ? [] : [{ path: ['subjects', index, 'namespace'], origin: '' }],
  )
}

const SERVICES: Readonly<Record<string, FieldPath>> = {
  'apiextensions.k8s.io/v1 CustomResourceDefinition': ['spec', 'conversion', 'webhook', 'clientConfig', 'service'],
  'apiregistration.k8s.io/v1 APIService': ['spec', 'service'],
}

function isNamespaced(item: KrmObject): boolean {
  return isNamespacedKind(item.apiVersion, item.kind) || (item.namespace ?? '') !== ''
}

function ownNamespace({ namespace = '' }: KrmObject): string {
  return namespace === '' ? 'default' : namespace
}

/** Returns namespace and name of the object upstream, `group|kind|namespace|name` in an annotation that kpt writes. */
function originOf(item: KrmObject): { readonly namespace: string; readonly name: string } | undefined {
  const parts = item.annotations.get(UPSTREAM_IDENTIFIER)?.split('|')
  return parts && { namespace: parts[2] ?? '', name: parts[3] ?? '' }
}

function originsMissing(items: readonly KrmObject[]): Result[] {
  const missing = items.filter((item) => originOf(item) === undefined)
  return missing.map((item) => ({
    severity: 'warning',
    message: `${nameOf(item)} does not have upstream origin.`,
    tags: { rule: 'no-upstream-origin' },
  }))
}

/** Throws FunctionError when the objects came from several upstream namespaces; else returns the warnings about objects without one. */
function checkOrigins(items: readonly KrmObject[]): Result[] {
  const namespaced = items.filter((item) => !isClusterKind(item.apiVersion, item.kind))
  const origins = new Set(namespaced.flatMap((item) => originOf(item)?.namespace ?? []))
  if (origins.size <= 1) return originsMissing(items)
  const message = `the objects must come from one upstream namespace, or \`namespaceMatcher\` must name one, got '${[...origins].sort(compareText).join("', '")}'`
  throw new FunctionError([{ severity: 'error', message, tags: { rule: 'several-origins' } }])
}

function nameOf(item: KrmObject): string {
  const { apiVersion = '', kind = '', name = '' } = item
  const namespace = item.get(['metadata', 'namespace'])
  return `Resource(apiVersion=${apiVersion}, kind=${kind}, namespace=${typeof namespace === 'string' ? namespace : ''}, name=${name})`
}

/** Returns the text by which `depends-on` refers to a namespaced object. */
function dependencyOf(item: KrmObject): readonly string[] {
  const { apiVersion = '', kind = '', name = '' } = item
  if (isClusterKind(apiVersion, kind) || !isNamespaced(item)) return []
  return [`${groupOf(apiVersion)}/namespaces/${ownNamespace(item)}/${kind}/${name}`]
}

function followDependency(item: KrmObject, { known, namespace, matcher, followed }: Change): void {
  const reference = item.annotations.get(DEPENDS_ON) ?? ''
  const [group = '', , old = '', ...rest] = reference.split('/')
  if (!known.has(reference) || old === namespace || (matcher !== '' && matcher !== old)) return
  followed.push(old)
  item.set(['metadata', 'annotations', DEPENDS_ON], [group, 'namespaces', namespace, ...rest].join('/'))
}

/** Returns the text at a path; '' if the path is missing, or a namespace is a number. Throws FunctionError for another value. */
function textAt(item: KrmObject, path: FieldPath): string {
  const holder = item.get(path.slice(0, -1))
  if (holder !== undefined && !isRecord(holder)) throw wrongType(item, path.slice(0, -1), 'a map', holder)
  const value = item.get(path)
  if (path[0] === 'metadata' && path[1] === 'namespace' && !isNestedValue(value ?? null)) return typeof value === 'string' ? value : ''
  if (value !== undefined && typeof value !== 'string') throw wrongType(item, path, 'a string', value)
  return value ?? ''
}

function info(message: string): Result {
  return { severity: 'info', message, tags: { rule: 'set-namespace' } }
}

function summaryOf(replaced: readonly string[], namespace: string): string {
  if (replaced.length === 0) return `all matching namespaces are already "${namespace}". no value changed`
  return `namespace ${listOf(replaced)} updated to "${namespace}", ${replaced.length} value(s) changed`
}

function dependencySummary(followed: readonly string[], namespace: string): string {
  if (followed.length === 0) return 'all `depends-on` annotations are up-to-date. no `namespace` changed'
  return `\`depends-on\` annotation namespace ${listOf(followed)} updated to "${namespace}", ${followed.length} value(s) changed`
}

function listOf(names: readonly string[]): string {
  return `[${[...new Set(names)].sort(compareText).join(' ')}]`
}
