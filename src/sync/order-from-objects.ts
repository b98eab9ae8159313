import { groupBy } from '../group-by.ts'
import { scalarText } from '../json.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { DEPENDS_ON } from '../well-known.ts'
import type { DraftDeployment } from './options.ts'
import { orderFromRequirements } from './order-from-requirements.ts'

/** The packages that a package needs in its cluster, each with the reason. */
export type PackageOrder = ReadonlyMap<string, ReadonlyMap<string, string>>

/** An object of a package. */
interface Owned {
  readonly object: KrmObject
  readonly packageName: string
}

/**
 * Returns the order of packages that their objects have: the CustomResourceDefinition of a kind before objects of the kind, a Namespace
 * before its contents, what the annotation `config.kubernetes.io/depends-on` names before the object with it, and what a package of
 * Crossplane, Carvel or Glasskube requires before that package.
 *
 * @example  `certs` has the definition of Certificate, `dns` a Certificate → `dns` needs `certs`
 * @param catalogs  the objects that describe versions of packages (`knownEverywhere`)
 */
export function orderFromObjects(drafts: readonly DraftDeployment[], catalogs: readonly KrmObject[]): PackageOrder {
  const order = new Map<string, Map<string, string>>()
  const add = (packageName: string, owner: string, reason: string): void => {
    const needed = order.get(packageName) ?? new Map<string, string>()
    order.set(packageName, needed.has(owner) ? needed : needed.set(owner, reason))
  }
  for (const own of groupBy(drafts, ({ namespace, repository }) => `${namespace}/${repository}`).values()) {
    const objects = own.flatMap(({ packageName, contents }) =>
      packageName === undefined ? [] : contents.flatMap(({ applied }) => applied.map((object): Owned => ({ object, packageName }))),
    )
    const providers = providersIn(objects)
    const needs = objects.flatMap(({ object, packageName }) => needsOf(object).map((need) => ({ ...need, packageName })))
    for (const { key, reason, packageName } of needs) {
      const owner = onlyOf(providers.get(key))
      if (owner !== undefined && owner !== packageName) add(packageName, owner, reason)
    }
    for (const required of orderFromRequirements(objects, catalogs)) add(required.packageName, required.needs, required.reason)
  }
  return order
}

/** Returns the only package of a set: of an object in several packages, no rule says which one comes first. */
function onlyOf(owners: ReadonlySet<string> | undefined): string | undefined {
  const [owner, ...others] = owners ?? []
  return others.length === 0 ? owner : undefined
}

/** Returns the packages that have what other objects need, by a text that names it. */
function providersIn(objects: readonly Owned[]): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Set(objects.flatMap(({ object }) => referencesOf(object)))
  const providers = new Map<string, Set<string>>()
  const provide = (key: string, packageName: string): void => {
    const owners = providers.get(key) ?? new Set()
    providers.set(key, owners.add(packageName))
  }
  for (const { object, packageName } of objects) {
    const { apiVersion = '', kind = '', name = '' } = object
    if (kind === 'CustomResourceDefinition') provide(kindKey(textAt(object, 'group'), textAt(object, 'names', 'kind')), packageName)
    if (kind === 'Namespace' && apiVersion === 'v1') provide(`namespace ${name}`, packageName)
    const reference = referenceTo(object)
    if (wanted.has(reference)) provide(reference, packageName)
  }
  return providers
}

function textAt(object: KrmObject, ...path: readonly string[]): string {
  return scalarText(object.get(['spec', ...path]))
}

function needsOf(object: KrmObject): readonly { readonly key: string; readonly reason: string }[] {
  const { apiVersion = '', kind = '', namespace = '' } = object
  return [
    { key: kindKey(groupOf(apiVersion), kind), reason: `the definition of ${kind}` },
    ...(namespace === '' ? [] : [{ key: `namespace ${namespace}`, reason: `Namespace '${namespace}'` }]),
    ...referencesOf(object).map((reference) => ({ key: reference, reason: `${reference}, which ${DEPENDS_ON} names` })),
  ]
}

function kindKey(group: string, kind: string): string {
  return `kind ${group} ${kind}`
}

/** Returns the objects that an annotation names: `apps/namespaces/shop/Deployment/db, v1/…`. */
function referencesOf({ annotations }: KrmObject): readonly string[] {
  const text = annotations.get(DEPENDS_ON)
  return text === undefined ? [] : text.split(',').map((each) => each.trim())
}

/** Returns an object as `config.kubernetes.io/depends-on` names it: `GROUP/namespaces/NAMESPACE/KIND/NAME`, or `GROUP/KIND/NAME`. */
function referenceTo({ apiVersion = '', kind = '', namespace = '', name = '' }: KrmObject): string {
  return [groupOf(apiVersion), ...(namespace === '' ? [] : ['namespaces', namespace]), kind, name].join('/')
}
