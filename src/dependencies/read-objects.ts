import { groupBy } from '../group-by.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { ECOSYSTEMS, type EcosystemOptions, INSTALLING, PACKAGE_DEFINITIONS } from './ecosystems.ts'
import type { Finding } from './finding.ts'
import type { KindOfApi, PackageIndex, ServedKinds } from './package-index.ts'
import { readCatalogEntries } from './reading/catalog.ts'
import type { Ecosystem, ReadEcosystem } from './reading/ecosystem.ts'
import type { ObjectField } from './reading/field.ts'
import { definitionsAmong, isBuiltInGroup, servedKinds } from './reading/served-kinds.ts'

/** The input of the readers. */
export interface ReadInput {
  readonly objects: readonly KrmObject[]
  /** Entries of catalogs: packages that may be installed. Of equal entries the first is used. */
  readonly listed: readonly ObjectField[]
  /** APIs that the cluster serves. */
  readonly apis: readonly KindOfApi[]
  readonly options: EcosystemOptions
}

/** The objects and catalogs of all ecosystems, as read. */
export interface Readings {
  readonly all: readonly EcosystemReading[]
  /** The package indexes of the ecosystems that have one. */
  readonly indexes: readonly PackageIndex[]
  readonly kinds: ServedKinds
  /** The faults of the catalogs. */
  readonly findings: readonly Finding[]
}

export interface EcosystemReading extends ReadEcosystem {
  /** The id of the ecosystem. */
  readonly ecosystem: string
}

/** Reads the objects and catalog entries of ecosystems, by default of those that install packages. Changes nothing. */
export function readObjects(
  { objects, listed: entries, apis, options }: ReadInput,
  ecosystems: readonly Ecosystem<EcosystemOptions>[] = INSTALLING,
): Readings {
  const { packages, findings } = readCatalogEntries(entries)
  const objectsOf = partition(objects)
  const all = ecosystems.map((each) => {
    const listed = packages.filter(({ ecosystem }) => ecosystem === each.id)
    return { ecosystem: each.id, ...each.read(objectsOf(each), listed, options) }
  })
  const provided = all.flatMap((reading) => reading.provided)
  const kinds = servedKinds(definitionsAmong(objects, PACKAGE_DEFINITIONS), apis, provided)
  return { all, indexes: all.flatMap(({ index }) => index ?? []), kinds, findings }
}

// Returns a function that returns the objects that an ecosystem reads, group by group.
function partition(objects: readonly KrmObject[]): (ecosystem: Ecosystem) => readonly KrmObject[] {
  const byGroup = [...groupBy(objects, ({ apiVersion = '' }) => groupOf(apiVersion))]
  const isOfOthers = (group: string) => !isBuiltInGroup(group) && !ECOSYSTEMS.some(({ groups }) => groups.test(group))
  return ({ groups, groupsBeside, mayInstall }) =>
    byGroup.flatMap(([group, members]) => {
      if (groups.test(group) || groupsBeside?.has(group) === true) return members
      return mayInstall !== undefined && isOfOthers(group) ? members.filter(mayInstall) : []
    })
}
