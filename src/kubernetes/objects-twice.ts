import { groupBy } from '../group-by.ts'
import { appliedObjects } from '../resource-list/applied-objects.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { AppliedTogether, type Deployed, isAppliedAsNamed } from './applied-together.ts'

/** An object, and the path of its file. */
export interface ObjectOfFile {
  readonly object: KrmObject
  readonly path: string
}

/**
 * Returns the objects that a package holds more than once, under one group, kind, namespace and name: each with the others behind it, in
 * the order of the files. A cluster keeps one of them. Two objects of which only one names the namespace count as two. A package with a
 * kustomization is left out: which of its files go together is not known.
 *
 * @param items  the objects of all files, also those of lists
 */
export function objectsTwice(
  items: readonly ObjectOfFile[],
  { kptfiles, roots }: Omit<Deployed, 'paths'>,
): readonly (readonly ObjectOfFile[])[] {
  const together = new AppliedTogether({ paths: items.map(({ path }) => path), kptfiles, roots })
  const applied = items.flatMap(({ object: item, path }) => {
    if (!kptfiles.has(together.ownPackage(path)) || together.isBuilt(path)) return []
    return appliedObjects(item)
      .filter(isAppliedAsNamed)
      .map((object) => ({ object, path }))
  })
  const keyOf = ({ object, path }: ObjectOfFile): string => `${together.packageOf(path)} ${identityOfObject(object)}`
  return [...groupBy(applied, keyOf).values()].filter(({ length }) => length > 1)
}
