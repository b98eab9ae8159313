import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { describeWanted } from '../demands.ts'
import type { Universe } from '../universe.ts'
import { type CrossplanePackage, readLock } from './objects.ts'
import { type RevisionDependencies, revisionResolver } from './revision-resolution.ts'

/** What each package requires that is not there: `missing dependency xpkg.example.org/a/b ">=v1.0.0" (AT)`. */
export function missingFinder({ dependents }: Universe): (each: CrossplanePackage) => string[] {
  const bySource = groupBy(dependents, ({ target }) => target?.id)
  return ({ reference, object }) => {
    const own = (bySource.get(reference.source) ?? []).filter(({ install }) => install?.place.ref.name === object.name)
    const packages = own.flatMap(({ requirements }) => requirements.filter((each) => each.type === 'package'))
    const missing = packages.filter(({ target, optional }) => !optional && target.installs.length === 0)
    return missing.map((each) => `missing dependency ${each.target.id}${describeWanted(each)}`)
  }
}

/** What each Active revision, by its name, finds of its dependencies; one without an entry in the Lock is new. */
export function dependencyCounter(
  universe: Universe,
  objects: readonly KrmObject[],
): (revision: string, parent: CrossplanePackage) => RevisionDependencies {
  const locked = new Set(readLock(objects).map(({ name }) => name))
  const resolve = revisionResolver(universe)
  return (revision, { reference }) => resolve({ source: reference.source, isNew: !locked.has(revision), isActive: true })
}
