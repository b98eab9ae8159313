import { readList } from '../dependencies/config/catalogs.ts'
import { sharedOptions } from '../dependencies/config/options.ts'
import { INSTALLING } from '../dependencies/ecosystems.ts'
import type { FieldPlace } from '../dependencies/finding.ts'
import { needsOf } from '../dependencies/needs.ts'
import { readObjects } from '../dependencies/read-objects.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { type FileRef, formatResourceRef, type ResourceRef } from '../result.ts'

/** A package that another one needs, with the reason. */
export interface PackageNeed {
  readonly packageName: string
  readonly needs: string
  readonly reason: string
}

/**
 * Returns the order of the packages of one cluster that requirements of a package manager have: what meets a requirement comes first.
 *
 * @example  `app` installs a Configuration that depends on a Provider, which `base` installs → `app` needs `base`
 * @param objects   the objects of the packages
 * @param catalogs  the objects that describe versions of packages (`knownEverywhere`)
 */
export function orderFromRequirements(
  objects: readonly { readonly object: KrmObject; readonly packageName: string }[],
  catalogs: readonly KrmObject[],
): readonly PackageNeed[] {
  const managed = objects.filter(({ object }) => isManaged(object))
  if (new Set(managed.map(({ packageName }) => packageName)).size < 2) return []
  const packageOf = new Map(managed.map(({ object, packageName }) => [keyOf(object), packageName] as const))
  const ownerOf = (place: FieldPlace): string | undefined => packageOf.get(keyOf(place))
  const { input } = readList({ items: [...managed.map(({ object }) => object), ...catalogs] }, sharedOptions({}, undefined))
  const { indexes, kinds } = readObjects(input)
  return indexes.flatMap((index) =>
    [...needsOf(index, kinds)].flatMap(([pkg, needs]) =>
      needs.flatMap(({ dependent, isMetBy }) => {
        const [by, install] = [ownerOf(dependent.place), pkg.installs.find(isMetBy)]
        const owner = install === undefined ? undefined : ownerOf(install.place)
        if (by === undefined || owner === undefined || by === owner) return []
        return [{ packageName: by, needs: owner, reason: `${pkg.name}, which ${dependent.name} requires` }]
      }),
    ),
  )
}

function isManaged({ apiVersion = '' }: KrmObject): boolean {
  const group = groupOf(apiVersion)
  return INSTALLING.some(({ groups }) => groups.test(group))
}

function keyOf({ ref, file }: { readonly ref: ResourceRef; readonly file?: FileRef | undefined }): string {
  return `${file?.path ?? ''} ${file?.index ?? 0} ${formatResourceRef(ref)}`
}
