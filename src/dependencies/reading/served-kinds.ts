import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { versionsServedBy } from '../../kubernetes/kinds.ts'
import { remember } from '../../remember.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { KindOfApi, Package, ServedKinds, WantedKind } from '../package-index.ts'
import type { ProvidedKind } from './ecosystem.ts'
import { textAt } from './field.ts'
import { type GroupKind, isOneOf } from './object-metadata.ts'

/** The served kinds for ecosystems whose packages require packages, never kinds. */
export const NO_KINDS: ServedKinds = { serves: () => true, servesAnyway: () => true, providersOf: () => [], packagesOf: () => new Map() }

// Groups that every API server serves itself, whatever the version.
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'extensions',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
])

export function isBuiltInGroup(group: string): boolean {
  return BUILT_IN_GROUPS.has(group)
}

/** Returns the served kinds: built-in kinds, the user's `apis`, and the kinds of definitions and installed packages. */
export function servedKinds(definitions: readonly KrmObject[], apis: readonly KindOfApi[], provided: readonly ProvidedKind[]): ServedKinds {
  const defined = new Set([...apis, ...definitions.flatMap(definedKinds)].map(kindKey))
  const installed = new Set(provided.filter((each) => each.installed).map(kindKey))
  const names = new Set(definitions.map(({ name }) => name ?? ''))
  const servesAnyway = (wanted: WantedKind): boolean =>
    'definition' in wanted ? names.has(wanted.definition) : isBuiltInGroup(groupOf(wanted.apiVersion)) || defined.has(kindKey(wanted))
  return {
    servesAnyway,
    serves: (wanted) => servesAnyway(wanted) || ('apiVersion' in wanted && installed.has(kindKey(wanted))),
    ...providersAmong(provided),
  }
}

/** Returns the lookups of the packages that provide a kind. Results are remembered, because many packages may require one kind. */
function providersAmong(provided: readonly ProvidedKind[]): Pick<ServedKinds, 'providersOf' | 'packagesOf'> {
  const byKind = groupBy(provided, kindKey)
  const providers = new Map<string, readonly ProvidedKind[]>()
  const packages = new Map<string, ReadonlyMap<Package, ReadonlySet<string>>>()
  const providersOf = (wanted: WantedKind): readonly ProvidedKind[] =>
    'apiVersion' in wanted ? remember(providers, kindKey(wanted), (key) => sortedByName(byKind.get(key) ?? [])) : []
  return {
    providersOf,
    packagesOf: (wanted, requirer) => {
      const key = 'apiVersion' in wanted ? `${kindKey(wanted)} ${requirer?.scope ?? ''}` : ''
      return remember(packages, key, () => packagesFor(requirer, providersOf(wanted)))
    },
  }
}

function sortedByName(provided: readonly ProvidedKind[]): readonly ProvidedKind[] {
  return [...new Map(provided.map((each) => [each.by, each])).values()].sort((a, b) => compareText(a.by, b.by))
}

function packagesFor(requirer: Package | undefined, providers: readonly ProvidedKind[]): ReadonlyMap<Package, ReadonlySet<string>> {
  const packages = new Map<Package, Set<string>>()
  for (const { packageFor, version } of providers) {
    const pkg = packageFor(requirer)
    if (pkg !== undefined) remember(packages, pkg, () => new Set<string>()).add(version)
  }
  return packages
}

function kindKey({ apiVersion, kind }: KindOfApi): string {
  return `${apiVersion} ${kind}`
}

/** The kind that defines kinds. */
export const CUSTOM_RESOURCE_DEFINITION: GroupKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }

/** Returns the objects whose kind is one of the given definitions. */
export function definitionsAmong(objects: readonly KrmObject[], definitions: readonly GroupKind[]): KrmObject[] {
  return objects.filter((object) => isOneOf(object, definitions))
}

/** Returns the name of a definition as packages bring it, `CustomResourceDefinition NAME`; undefined for an object without a name. */
export function definitionName({ name }: KrmObject): string | undefined {
  return name === undefined ? undefined : `CustomResourceDefinition ${name}`
}

/** Returns the kinds that a definition makes the cluster serve, in each served version; claims are kinds, too. */
export function definedKinds(object: KrmObject): KindOfApi[] {
  const group = textAt(object, 'spec', 'group')
  const kinds = [textAt(object, 'spec', 'names', 'kind'), textAt(object, 'spec', 'claimNames', 'kind')].filter((kind) => kind !== '')
  return versionsServedBy(object).flatMap((version) => kinds.map((kind) => ({ apiVersion: `${group}/${version}`, kind })))
}

/** Groups and kinds that some definitions define, as `GROUP KIND`. */
export function definedGroupKinds(definitions: readonly KrmObject[]): ReadonlySet<string> {
  const kinds = definitions.flatMap((object) =>
    ['names', 'claimNames'].map((names) => ({ object, kind: textAt(object, 'spec', names, 'kind') })),
  )
  return new Set(kinds.map(({ object, kind }) => `${textAt(object, 'spec', 'group')} ${kind}`))
}
