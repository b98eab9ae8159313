import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, joinPath, locate, shortestPath } from '../../resource-list/package-of.ts'
import { childText, fieldAt, itemFields, textOfField } from './field.ts'

/** The API group of Kustomizations and Components; a `kustomization.yaml` may leave it out. */
export const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io'

const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|Kustomization)$/

/** The files that the Kustomizations among some objects list, and those beside them that no Kustomization lists. */
export interface KustomizeFiles {
  /** Returns true for an object of a file that is listed as a patch: a part of another object, which the list need not have. */
  isPatch(object: KrmObject): boolean
  /**
   * Returns the file of the Kustomization in the folder of an object if no Kustomization names the object's file: then kustomize passes
   * over it.
   */
  passingOver(object: KrmObject): string | undefined
}

/** Returns what the Kustomizations among objects say: `patches` and `patchesStrategicMerge` list patches. */
export function kustomizeFiles(objects: readonly KrmObject[]): KustomizeFiles {
  const kustomizations = objects.filter(isKustomization)
  const files = new Set(kustomizations.flatMap(patchFiles))
  return {
    isPatch: (object) => files.has(locationOf(object)),
    passingOver(object) {
      const location = locationOf(object)
      const name = location.slice(location.lastIndexOf('/') + 1)
      // What ends before the name must not be a part of a longer one: `data.yaml` is not `a.yaml`.
      const isNamed = (text: string) => text.split(name).some((before, at, parts) => at < parts.length - 1 && !/[\w.-]$/.test(before))
      if (name === '' || kustomizations.some((each) => isNamed(each.toText()))) return undefined
      return kustomizations.map(locationOf).find((each) => folderOf(each) === folderOf(location))
    },
  }
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
