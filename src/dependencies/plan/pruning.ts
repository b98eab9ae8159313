import { groupBy } from '../../group-by.ts'
import { formatResourceRef } from '../../result.ts'
import { type Finding, formatPlace, wholeObject } from '../finding.ts'
import { needsMetBy, needsOf } from '../needs.ts'
import type { Install, PackageIndex, ServedKinds } from '../package-index.ts'

/** Returns the reason why `prune` keeps an install although nothing that was read requires its package; undefined if there is none. */
export type PruneGuard = (install: Install) => string | undefined

/**
 * Returns the guard of an index. A generated install is kept if people edited the object, if the install that it was made for was not read,
 * if the requirements of another install of its scope are not known, or, where no owner is recorded, if no person installed a package.
 *
 * Example: a folder has `PackageInstall b.1.0.0`, made for `PackageInstall a` of another folder: `prune` keeps b, which a needs.
 */
export function pruneGuard({ installs, dependents }: PackageIndex): PruneGuard {
  const isWanted = installs.some(({ generated }) => !generated) || dependents.some(({ install }) => install === undefined)
  const unread = installs.filter(({ metadataKnown }) => !metadataKnown)
  const unknown = groupBy(unread, ({ package: { scope } }) => scope)
  return (install) => ownerUnknown(install) ?? install.keptBecause ?? mayBeRequired(install, unknown) ?? nobodyHere(install, isWanted)
}

function ownerUnknown({ isOwnerKnown, owner, place }: Install): string | undefined {
  if (isOwnerKnown !== false) return undefined
  const { kind } = place.ref
  if (owner === undefined) return `nothing says for which ${kind} it was installed`
  return `${kind} ${owner}, for which it was installed, is not here and may be in another folder; \`krm-variants resolve --prune --against REF\` removes it if REF has the owner`
}

function mayBeRequired({ package: { scope } }: Install, unknown: ReadonlyMap<string | undefined, readonly Install[]>): string | undefined {
  const [first] = unknown.get(scope) ?? []
  if (first === undefined) return undefined
  const { package: pkg, place } = first
  return `${formatResourceRef(place.ref)} (${formatPlace(place)}) may require it: the requirements of ${pkg.name} are not known`
}

function nobodyHere({ isOwnerKnown }: Install, isWanted: boolean): string | undefined {
  if (isWanted || isOwnerKnown !== undefined) return undefined
  return 'no package here was installed by a person: the packages that require it may be in another folder'
}

/** Reports the generated installs that nothing requires and that `prune` keeps. Describes the state, so a second run says the same. */
export function keptByPrune(indexes: readonly PackageIndex[], kinds: ServedKinds): Finding[] {
  return indexes.flatMap((index) => {
    const { ecosystem, installs } = index
    const generated = installs.filter((install) => install.generated)
    if (generated.length === 0) return []
    const [needs, guard] = [needsOf(index, kinds), pruneGuard(index)]
    return generated.flatMap((install): Finding[] => {
      const why = needsMetBy(install, needs).length > 0 ? undefined : guard(install)
      if (why === undefined) return []
      const { package: pkg, place, text } = install
      const message = `\`prune\` keeps ${formatResourceRef(place.ref)}, which nothing here requires: ${why}`
      return [{ rule: 'prune-unsafe', message, place: wholeObject(place), tags: { ecosystem, package: pkg.id, installed: text } }]
    })
  })
}
