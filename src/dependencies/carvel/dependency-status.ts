import type { JsonRecord } from '../../json.ts'
import { isMetBy } from '../plan/native-state.ts'
import { leavesOf } from '../requirement-leaves.ts'
import type { Dependent, GvkRequirement, Install, PackageRequirement, Requirement, ServedKinds, Universe } from '../universe.ts'

/**
 * Returns `status.dependencies` of each PackageInstall (seed 002): the install or kind that fulfils each dependency, and whether the
 * install was created for this PackageInstall.
 */
export function dependencyStatuses({ dependents }: Universe, kinds: ServedKinds): ReadonlyMap<Install, readonly JsonRecord[]> {
  const statuses = dependents.flatMap((dependent) => {
    const { install, requirements } = dependent
    return install === undefined ? [] : [[install, requirements.flatMap((each) => statusOf(each, dependent, kinds))] as const]
  })
  return new Map(statuses)
}

/** Returns the statuses of the first alternative that is fulfilled; an empty list when no alternative is. */
function statusOf(requirement: Requirement, by: Dependent, kinds: ServedKinds): JsonRecord[] {
  const statuses = leavesOf(requirement).flatMap((leaf) => {
    if (leaf.type === 'gvk') return kindStatus(leaf, by, kinds)
    return leaf.type === 'package' ? packageStatus(leaf, by) : []
  })
  return statuses.slice(0, 1)
}

function packageStatus(requirement: PackageRequirement, by: Dependent): JsonRecord[] {
  const { target } = requirement
  const install = target.installs.find((each) => isMetBy({ version: each.version, digest: undefined, text: each.text }, requirement))
  if (install === undefined) return []
  const created = install.generated && install.owner !== undefined && install.owner === by.install?.name
  return [{ created, package: { packageInstallRef: install.name, refName: target.id, version: install.text } }]
}

// A kind that the cluster serves without a known install has no known provider: its `gvk` is empty.
function kindStatus({ wanted }: GvkRequirement, by: Dependent, kinds: ServedKinds): JsonRecord[] {
  if (!kinds.serves(wanted)) return []
  const provider = kinds
    .providersOf(wanted)
    .find(({ targetFor, version }) => targetFor(by.target)?.installs.some(({ text }) => text === version))
  const target = provider?.targetFor(by.target)
  const gvk = provider === undefined || target === undefined ? {} : { providedBy: target.id, version: provider.version }
  return [{ created: false, gvk }]
}
