import { SERVED_KINDS, versionOf } from '../kubernetes/kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { describeChoice, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { FLEET_API, OWN_API, PORCH_CONFIG_GROUP, PORCH_GROUP } from '../well-known.ts'
import { kindsOfPackageManagers } from './package-kinds.ts'

/** The names of kinds by API group. */
export type KindsOfGroups = ReadonlyMap<string, readonly string[]>

/** Our groups, in which no other program has kinds, so that any other kind in a group is a misspelling. */
const OWN_GROUP = groupOf(OWN_API)
const OWN_GROUPS: ReadonlySet<string> = new Set([OWN_GROUP, groupOf(FLEET_API)])
const OWN: readonly [string, readonly string[]] = [
  OWN_GROUP,
  [
    'Catalog',
    'CheckDependencies',
    'FanOut',
    'GenerateSync',
    'InjectConfig',
    'PrependPipeline',
    'RenderVariants',
    'ResolveDependencies',
    'SetContext',
  ],
]

/** Our own kinds of a fleet. */
const OWN_FLEET: readonly [string, readonly string[]] = [groupOf(FLEET_API), ['FleetPolicy', 'PackageRevisionSet', 'PackageVariantMatrix']]

/** The groups of kinds that no other program has: in another group such a kind is a mistake. */
export const GROUP_OF_KIND: ReadonlyMap<string, string> = new Map([
  ['PackageVariant', PORCH_CONFIG_GROUP],
  ['PackageVariantSet', PORCH_CONFIG_GROUP],
  ...OWN_FLEET[1].map((kind) => [kind, OWN_FLEET[0]] as const),
])

/** The kinds of a fleet: those of Porch (docs/porch.md 12), of kpt (kpt.dev/v1, v1alpha1), and ours. */
export const FLEET_KINDS: KindsOfGroups = new Map([
  [PORCH_CONFIG_GROUP, servedIn(PORCH_CONFIG_GROUP)],
  [PORCH_GROUP, servedIn(PORCH_GROUP)],
  ['kpt.dev', ['Kptfile', 'ResourceGroup']],
  OWN,
  OWN_FLEET,
])

/** The kinds of package managers: Carvel, Crossplane (with those of Packages v2), Glasskube, and ours. */
export const PACKAGE_KINDS: KindsOfGroups = new Map([...kindsOfPackageManagers(), OWN])

function servedIn(group: string): readonly string[] {
  const kinds = SERVED_KINDS.filter(({ apiVersion, scope }) => scope === 'namespaced' && groupOf(apiVersion) === group)
  return [...new Set(kinds.map(({ kind }) => kind))].sort()
}

/**
 * Reports each item whose kind is misspelt: the group does not have the kind, but a similar one. Readers of the group would miss such an
 * item. In our own group every unknown kind is an error; in other groups, which gain kinds, a misspelt kind gives a warning. A kind of
 * `GROUP_OF_KIND` in a group that is not in `known` gives a warning too, if `known` has the right group.
 * Example: `PackageVarientSet` of config.porch.kpt.dev is reported with `PackageVariantSet` as the proposed value.
 */
export function unknownKinds(items: readonly KrmObject[], known: KindsOfGroups): Result[] {
  return items.flatMap((object) => {
    const { apiVersion = '', kind = '' } = object
    const group = groupOf(apiVersion)
    const kinds = known.get(group)
    if (kinds === undefined) return otherGroup(object, known)
    if (isOneOf(kind, kinds)) return []
    if (GROUP_OF_KIND.has(kind)) return otherGroup(object, known)
    const meant = nearestName(kind, kinds)
    return meant === undefined && !OWN_GROUPS.has(group) ? [] : [unknownKind(object, kinds, meant)]
  })
}

/**
 * Returns the kind of Porch's group that an object was most likely meant to have. Returns undefined if the object already has such a
 * kind, and for all other objects.
 */
export function nearKind({ apiVersion = '', kind = '' }: KrmObject): string | undefined {
  const kinds = FLEET_KINDS.get(PORCH_CONFIG_GROUP) ?? []
  if (apiVersion.startsWith(`${PORCH_CONFIG_GROUP}/`)) return isOneOf(kind, kinds) ? undefined : nearestName(kind, kinds)
  return GROUP_OF_KIND.get(kind) === PORCH_CONFIG_GROUP ? kind : undefined
}

function isOneOf(kind: string, kinds: readonly string[]): boolean {
  return kinds.includes(kind) || (kind.endsWith('List') && kinds.includes(kind.slice(0, -'List'.length)))
}

function unknownKind(object: KrmObject, kinds: readonly string[], meant: string | undefined): Result {
  const { apiVersion = '', kind = '' } = object
  const group = groupOf(apiVersion)
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`
  return faultToResult(object, {
    severity: OWN_GROUPS.has(group) ? 'error' : 'warning',
    rule: 'unknown-kind',
    path: ['kind'],
    message: `must be a kind of ${group}, ${describeChoice(kinds)}, got ${quoteText(kind)}, which is passed over${hint}`,
    ...(meant !== undefined && { proposedValue: meant }),
  })
}

/** Reports an object whose kind is of another group, if `known` has this group. */
function otherGroup(object: KrmObject, known: KindsOfGroups): Result[] {
  const { apiVersion = '', kind = '' } = object
  const group = GROUP_OF_KIND.get(kind)
  if (group === undefined || !known.has(group)) return []
  const message = `must be of the group ${group} for a ${kind}, got ${quoteText(apiVersion)}, which is passed over`
  const proposedValue = apiOf(kind, group, OWN_GROUPS.has(groupOf(apiVersion)) ? undefined : versionOf(apiVersion))
  const severity = OWN_GROUPS.has(groupOf(apiVersion)) ? 'error' : 'warning'
  return [
    faultToResult(object, {
      severity,
      rule: 'unknown-kind',
      path: ['apiVersion'],
      message: `${message}; write ${quoteText(proposedValue)}`,
      proposedValue,
    }),
  ]
}

/**
 * Returns the apiVersion of a kind in its group: the given version if the group serves the kind in it, else the newest that does.
 *
 * @param version  that of a group that is most likely misspelt
 */
function apiOf(kind: string, group: string, version: string | undefined): string {
  if (group === groupOf(FLEET_API)) return FLEET_API
  const served = SERVED_KINDS.filter((each) => each.scope === 'namespaced' && each.kind === kind && groupOf(each.apiVersion) === group)
  const same = served.find(({ apiVersion }) => versionOf(apiVersion) === version)
  return (same ?? served.at(-1))?.apiVersion ?? group
}
