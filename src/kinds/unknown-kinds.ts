import { versionOf } from '../kubernetes/kinds.ts'
import { SERVED_KINDS } from '../kubernetes/served-kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteNames, quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { nearestName } from '../schema/nearest-name.ts'
import { OWN_API, PORCH_CONFIG_GROUP, PORCH_GROUP } from '../well-known.ts'

/** The kinds of some API groups, by group. */
export type KindsOfGroups = ReadonlyMap<string, readonly string[]>

/** No other program has a kind in our group, so that any other name in it is a slip. */
const OWN_GROUP = groupOf(OWN_API)
const OWN: readonly [string, readonly string[]] = [
  OWN_GROUP,
  ['Catalog', 'CheckDependencies', 'FanOut', 'InjectConfig', 'PrependPipeline', 'RenderVariants', 'ResolveDependencies', 'SetContext'],
]

/** What a fleet is made of: the kinds of Porch (docs/porch.md 12), of kpt (kpt.dev/v1, v1alpha1), and ours. */
export const FLEET_KINDS: KindsOfGroups = new Map([
  [PORCH_CONFIG_GROUP, servedIn(PORCH_CONFIG_GROUP)],
  [PORCH_GROUP, servedIn(PORCH_GROUP)],
  ['kpt.dev', ['Kptfile', 'ResourceGroup']],
  OWN,
])

/** What installs packages, or is one: the kinds of Carvel, Crossplane (those of Packages v2 among them) and Glasskube, and ours. */
export const PACKAGE_KINDS: KindsOfGroups = new Map([
  ['packaging.carvel.dev', ['PackageInstall', 'PackageRepository']],
  ['data.packaging.carvel.dev', ['Package', 'PackageMetadata']],
  ['internal.packaging.carvel.dev', ['InternalPackage', 'InternalPackageMetadata']],
  ['kappctrl.k14s.io', ['App']],
  [
    'pkg.crossplane.io',
    [
      'Configuration',
      'ConfigurationRevision',
      'ControllerConfig',
      'DeploymentRuntimeConfig',
      'Function',
      'FunctionRevision',
      'ImageConfig',
      'Lock',
      'Package',
      'PackageLock',
      'PackageRevision',
      'Provider',
      'ProviderRevision',
    ],
  ],
  ['meta.pkg.crossplane.io', ['Configuration', 'Function', 'Provider']],
  ['packages.glasskube.dev', ['ClusterPackage', 'Package', 'PackageInfo', 'PackageRepository']],
  OWN,
])

function servedIn(group: string): readonly string[] {
  const kinds = Object.entries(SERVED_KINDS).flatMap(([apiVersion, { namespaced }]) => (groupOf(apiVersion) === group ? namespaced : []))
  return [...new Set(kinds)].sort()
}

/**
 * Reports each item whose kind is none of its group's, but near one: a slip that hides the item from whoever reads the group. In our own
 * group every other kind is an error; of others, which grow, it is a warning. A PackageVariant or PackageVariantSet of another group than
 * Porch's is a slip too.
 */
export function unknownKinds(items: readonly KrmObject[], known: KindsOfGroups): Result[] {
  return items.flatMap((object) => {
    const { apiVersion = '', kind = '' } = object
    const group = groupOf(apiVersion)
    const kinds = known.get(group)
    if (kinds === undefined) return known.has(PORCH_CONFIG_GROUP) && isOnlyPorchs(kind) ? [otherGroup(object)] : []
    if (isOneOf(kind, kinds)) return []
    const meant = nearestName(kind, kinds)
    return meant === undefined && group !== OWN_GROUP ? [] : [unknownKind(object, kinds, meant)]
  })
}

/** Returns the kind of Porch's group that an object most likely was meant to be of; undefined for one that is of it, and for all others. */
export function nearKind({ apiVersion = '', kind = '' }: KrmObject): string | undefined {
  const kinds = servedIn(PORCH_CONFIG_GROUP)
  if (groupOf(apiVersion) === PORCH_CONFIG_GROUP) return isOneOf(kind, kinds) ? undefined : nearestName(kind, kinds)
  return isOnlyPorchs(kind) ? kind : undefined
}

function isOneOf(kind: string, kinds: readonly string[]): boolean {
  return kinds.includes(kind) || (kind.endsWith('List') && kinds.includes(kind.slice(0, -'List'.length)))
}

/** What only Porch has, so that another group can only be a slip. */
function isOnlyPorchs(kind: string): boolean {
  return kind === 'PackageVariantSet' || kind === 'PackageVariant'
}

function unknownKind(object: KrmObject, kinds: readonly string[], meant: string | undefined): Result {
  const { apiVersion = '', kind = '' } = object
  const group = groupOf(apiVersion)
  const hint = meant === undefined ? '' : `; did you mean '${meant}'?`
  return faultToResult(object, {
    severity: group === OWN_GROUP ? 'error' : 'warning',
    rule: 'unknown-kind',
    path: ['kind'],
    message: `must be a kind of ${group}, one of ${quoteNames(kinds)}, got ${quoteText(kind)}, which is passed over${hint}`,
    ...(meant !== undefined && { proposedValue: meant }),
  })
}

function otherGroup(object: KrmObject): Result {
  const { apiVersion = '', kind = '' } = object
  return faultToResult(object, {
    severity: 'warning',
    rule: 'unknown-kind',
    path: ['apiVersion'],
    message: `must be of the group ${PORCH_CONFIG_GROUP} for a ${kind}, got ${quoteText(apiVersion)}, which is passed over`,
    proposedValue: `${PORCH_CONFIG_GROUP}/${versionOf(apiVersion)}`,
  })
}
