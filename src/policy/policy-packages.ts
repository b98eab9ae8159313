import { groupBy } from '../group-by.ts'
import { appliedObjects, isLocalConfig } from '../resource-list/applied-objects.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, locate, nearestFolder } from '../resource-list/package-of.ts'

/** A package of a fleet, as it is after a plan. */
export interface PolicyPackage {
  /** The folder of the package among all packages; '' for the top. */
  readonly folder: string
  readonly kptfile: KrmObject
  /** Returns the objects that a cluster gets of the package and its subpackages. */
  readonly objects: () => readonly KrmObject[]
}

/** Returns the packages of a fleet whose Kptfile passes a test. */
export type PolicyPackages = (isWanted: (kptfile: KrmObject, folder: string) => boolean) => readonly PolicyPackage[]

/** Returns the packages among the items of a list. The objects of a subpackage are those of the nearest wanted package above it. */
export function packagesAmong(items: readonly KrmObject[]): PolicyPackages {
  return (isWanted) => {
    const kptfiles = items.filter(({ kind }) => kind === 'Kptfile').flatMap((kptfile) => located(kptfile))
    const wanted = kptfiles.filter(({ object, location }) => isKptfile(location) && isWanted(object, folderOf(location)))
    const folders = new Set(wanted.map(({ location }) => folderOf(location)))
    if (folders.size === 0) return []
    const packageOf = nearestFolder(folders)
    const byFolder = groupBy(items.flatMap(located), ({ location }) => packageOf(location))
    return wanted.map(({ object, location }) => {
      const folder = folderOf(location)
      const own = byFolder.get(folder) ?? []
      return { folder, kptfile: object, objects: () => own.flatMap((each) => clusterObjects(each.object)) }
    })
  }
}

function located(object: KrmObject): readonly { readonly object: KrmObject; readonly location: string }[] {
  return object.file === undefined ? [] : [{ object, location: locate(object.file.path, object.packagePath) }]
}

/**
 * Returns the objects that a cluster gets of a document: those of a List, and none of a Kptfile and of an object that only tools on disk
 * read.
 */
export function clusterObjects(object: KrmObject): readonly KrmObject[] {
  return reachesCluster(object) ? appliedObjects(object).filter(reachesCluster) : []
}

function reachesCluster(object: KrmObject): boolean {
  return object.isMap() && object.kind !== undefined && object.kind !== 'Kptfile' && !isLocalConfig(object)
}
