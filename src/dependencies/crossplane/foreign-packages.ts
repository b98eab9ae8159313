import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { textAt } from '../reading/field.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import { isBuiltInGroup } from '../reading/served-kinds.ts'
import { isOfCrossplane } from './dependencies.ts'
import { type CrossplanePackage, packageOf } from './objects.ts'
import type { PackageKinds } from './write-crossplane.ts'

/** Returns true for an object with the text `spec.package`. Most objects have no such word, so they are not read. */
export function mayInstall(object: KrmObject): boolean {
  return object.toText().includes('package') && textAt(object, 'spec', 'package') !== ''
}

/**
 * Returns the packages of kinds that others define, such as Upbound's AddOn: where a requirement names the kind for the source, and where a
 * resolution made the object.
 */
export function readForeignPackages(objects: readonly KrmObject[], kinds: Pick<PackageKinds, 'of'>): CrossplanePackage[] {
  const isForeign = ({ apiVersion = '' }: KrmObject) => !isBuiltInGroup(groupOf(apiVersion)) && !isOfCrossplane(apiVersion)
  const found = objects.filter((object) => isForeign(object) && mayInstall(object)).map(packageOf)
  return found.filter(({ object, kind, reference }) => {
    const wanted = kinds.of(reference.source)
    const isWanted = wanted?.kind === kind && groupOf(wanted.apiVersion) === groupOf(object.apiVersion ?? '')
    return isWanted || object.annotations.has(RESOLVED_ANNOTATION)
  })
}
