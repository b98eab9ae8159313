import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, joinPath, locate, shortestPath } from '../../resource-list/package-of.ts'
import { childText, fieldAt, itemFields, textOfField } from './field.ts'

/** The API group of Kustomizations and Components; a `kustomization.yaml` may leave it out. */
export const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io'

const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|Kustomization)$/

/**
 * Returns a function that returns true for an object in a file that a Kustomization among the objects lists under `patches` or
 * `patchesStrategicMerge`: such an object is a part of another one, which the list need not have.
 */
export function kustomizePatches(objects: readonly KrmObject[]): (object: KrmObject) => boolean {
  const files = new Set(objects.filter(isKustomization).flatMap(patchFiles))
  return (object) => files.has(locationOf(object))
}

function isKustomization({ apiVersion, file }: KrmObject): boolean {
  return apiVersion === undefined ? KUSTOMIZATION.test(file?.path ?? '') : groupOf(apiVersion) === KUSTOMIZE_GROUP
}

function patchFiles(kustomization: KrmObject): string[] {
  const patches = itemFields(fieldAt(kustomization, ['patches'])).map((item) => childText(item, 'path'))
  const merges = itemFields(fieldAt(kustomization, ['patchesStrategicMerge'])).map((item) => textOfField(item) ?? '')
  const folder = folderOf(locationOf(kustomization))
  return [...patches, ...merges].filter((path) => path !== '').map((path) => shortestPath(joinPath(folder, path)))
}

function locationOf({ file, packagePath }: KrmObject): string {
  return file === undefined ? '' : shortestPath(locate(file.path, packagePath))
}
