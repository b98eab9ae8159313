import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { PackageTarget, ServedKinds, WantedKind } from '../universe.ts'
import { definedKinds } from './definitions.ts'
import type { ProvidedKind } from './ecosystem.ts'

/** An API the user says the cluster serves. */
export interface GivenApi {
  readonly apiVersion: string
  readonly kind: string
}

/** The served kinds for ecosystems whose packages require packages, never kinds. */
export const NO_KINDS: ServedKinds = { serves: () => true, servesAnyway: () => true, providersOf: () => [], targetsOf: () => new Map() }

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
export function servedKinds(definitions: readonly KrmObject[], apis: readonly GivenApi[], provided: readonly ProvidedKind[]): ServedKinds {
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
function providersAmong(provided: readonly ProvidedKind[]): Pick<ServedKinds, 'providersOf' | 'targetsOf'> {
  const byKind = groupBy(provided, kindKey)
  const providers = new Map<string, readonly ProvidedKind[]>()
  const targets = new Map<string, ReadonlyMap<PackageTarget, ReadonlySet<string>>>()
  const providersOf = (wanted: WantedKind): readonly ProvidedKind[] =>
    'apiVersion' in wanted ? remember(providers, kindKey(wanted), (key) => sortedByName(byKind.get(key) ?? [])) : []
  return {
    providersOf,
    targetsOf: (wanted, requirer) => {
      const key = 'apiVersion' in wanted ? `${kindKey(wanted)} ${requirer?.scope ?? ''}` : ''
      return remember(targets, key, () => targetsFor(requirer, providersOf(wanted)))
    },
  }
}

function sortedByName(provided: readonly ProvidedKind[]): readonly ProvidedKind[] {
  return [...new Map(provided.map((each) => [each.by, each])).values()].sort((a, b) => compareText(a.by, b.by))
}

function targetsFor(
  requirer: PackageTarget | undefined,
  providers: readonly ProvidedKind[],
): ReadonlyMap<PackageTarget, ReadonlySet<string>> {
  const targets = new Map<PackageTarget, Set<string>>()
  for (const { targetFor, version } of providers) {
    const target = targetFor(requirer)
    if (target !== undefined) targets.set(target, (targets.get(target) ?? new Set()).add(version))
  }
  return targets
}

function remember<Value>(known: Map<string, Value>, key: string, work: (key: string) => Value): Value {
  const there = known.get(key)
  if (there !== undefined) return there
  const value = work(key)
  known.set(key, value)
  return value
}

function kindKey({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string {
  return `${apiVersion} ${kind}`
}
