import { type PlannedVariant, upstreamOfPlanned } from '../fleet/planned-variants.ts'
import { groupBy } from '../group-by.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE, locate } from '../resource-list/package-of.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'

/** The files in the root of a folder for which Argo CD builds a kustomization or a chart instead of reading the files of the folder. */
const BUILT: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization', 'Chart.yaml']

/** Returns true for a variant whose package is known to have a kustomization or a chart in its root. */
export type IsBuilt = (variant: PlannedVariant) => boolean

/**
 * Returns a function that looks at the packages of a variant among the items: the rendered package, and the upstream package in a folder
 * `REPO/PACKAGE@REVISION`. Of other packages nothing is known.
 *
 * @param exists  returns true for the path of a file, as the items have paths
 */
export function builtPackages(items: readonly KrmObject[], exists: (path: string) => boolean = pathsOf(items)): IsBuilt {
  const kptfiles = items.flatMap((item) => {
    const path = pathOf(item)
    return item.kind === KPTFILE && path !== undefined && isKptfile(path) ? [{ item, folder: folderOf(path) }] : []
  })
  const rendered = new Map(kptfiles.map(({ item, folder }) => [item.annotations.get(VARIANT_ANNOTATION) ?? '', folder]))
  const upstream = folderFinder(kptfiles.filter(({ item }) => !item.annotations.has(VARIANT_ANNOTATION)).map(({ folder }) => folder))
  const known = new Map<string, boolean>()
  const isBuilt = (folder: string): boolean => {
    const found = known.get(folder) ?? BUILT.some((name) => exists(folder === '' ? name : `${folder}/${name}`))
    known.set(folder, found)
    return found
  }
  return (variant) => {
    const made = rendered.get(`${variant.namespace}/${variant.name}`)
    if (made !== undefined && isBuilt(made)) return true
    return revisionFolders(variant).some((wanted) => upstream(wanted).some(isBuilt))
  }
}

/** Returns a function that returns the folders whose paths end with some parts: `catalog/shop@v1` finds `h/catalog/shop@v1`. */
function folderFinder(folders: readonly string[]): (end: string) => readonly string[] {
  const byLength = new Map<number, ReadonlyMap<string, readonly string[]>>()
  return (end) => {
    const { length } = end.split('/')
    const byEnd = byLength.get(length) ?? groupBy(folders, (folder) => folder.split('/').slice(-length).join('/'))
    byLength.set(length, byEnd)
    return byEnd.get(end) ?? []
  }
}

/** Returns the names that the folder of an upstream may have: `catalog/shop@v1`, `catalog/shop@1`, or with its workspace. */
function revisionFolders(variant: PlannedVariant): readonly string[] {
  const { repo, package: name, revision, workspaceName } = upstreamOfPlanned(variant)
  const revisions = [
    ...(revision === undefined ? [] : [`v${revision}`, `${revision}`]),
    ...(workspaceName === undefined ? [] : [workspaceName]),
  ]
  return revisions.map((each) => `${repo}/${name}@${each}`)
}

function pathOf({ file, packagePath }: KrmObject): string | undefined {
  return file === undefined ? undefined : locate(file.path, packagePath)
}

function pathsOf(items: readonly KrmObject[]): (path: string) => boolean {
  const paths = new Set(items.map(pathOf))
  return (path) => paths.has(path)
}
