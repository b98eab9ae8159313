import { knownEverywhere } from '../dependencies/config/clusters.ts'
import { type PlannedVariant, upstreamOfPlanned } from '../fleet/planned-variants.ts'
import { groupBy } from '../group-by.ts'
import { KUSTOMIZATION_FILES } from '../kubernetes/applied-together.ts'
import { type Kinds, readKinds } from '../kubernetes/kinds.ts'
import { remember } from '../remember.ts'
import { appliedObjects, isLocalConfig } from '../resource-list/applied-objects.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, joinPath, KPTFILE, locate } from '../resource-list/package-of.ts'
import { VARIANT_ANNOTATION } from '../well-known.ts'

/** The known content of the package of a variant: that of the rendered package, else of the upstream package. */
export interface DeployedPackage {
  /** The name of the package in its downstream Repository. */
  readonly packageName: string
  /** False for an upstream package: the functions of the package may change these objects. */
  readonly isRendered: boolean
  /** True if a kustomization is in the root: then the controller builds the kustomization, and reads no other file. */
  readonly isKustomized: boolean
  /** True if a kustomization or a chart is in the root, which Argo CD builds. */
  readonly isBuilt: boolean
  /** The objects that a controller applies. */
  readonly applied: readonly KrmObject[]
  /** Returns true for an object in a file that is a symbolic link; unset where there can be none. */
  readonly isLinked?: (object: KrmObject) => boolean
  /** The objects that only tools on disk read: with the annotation of local-config, and configs of functions. */
  readonly local: readonly KrmObject[]
  /** The documents and files that are no Kubernetes objects, by their paths in the package. */
  readonly strange: ReadonlyMap<string, KrmObject | undefined>
  /** The folder of the package. */
  readonly folder: string
  /** The folder from the top of the git repository that the items are in; undefined if the items are in none. */
  readonly inGit: string | undefined
}

/** The packages of a fleet, as far as they are among the items. */
export interface DeployedPackages {
  /** Returns the content of a variant's package; undefined if neither the package nor its upstream package is known. */
  readonly of: (variant: PlannedVariant) => DeployedPackage | undefined
  readonly kinds: Kinds
  /** The objects that describe versions of packages of package managers. */
  readonly catalogs: readonly KrmObject[]
  /** The folder below which `render` writes the packages, from the top of the git repository. */
  readonly outInGit?: string | undefined
}

/** Knows no package. */
export const NO_PACKAGES: DeployedPackages = { of: () => undefined, kinds: readKinds([]), catalogs: [] }

/** The files beside the items. */
export interface OtherFiles {
  /** Returns true for the path of a file, as the items have paths. Without it, only the files of the items exist. */
  readonly exists?: (path: string) => boolean
  /** Returns true for the path of a symbolic link. Without it, the items have none. */
  readonly isLink?: (path: string) => boolean
  /** The paths of files that hold no objects, such as templates and lists. */
  readonly templates?: readonly string[]
  /** Returns the path from the top of the git repository; undefined for items outside of one. */
  readonly inGit?: ((path: string) => string | undefined) | undefined
  /** The folder below which `render` writes the packages, as the items have paths. */
  readonly out?: string | undefined
}

/**
 * Returns the packages of the variants among the items: the rendered package of a variant, else the upstream package in a folder
 * `REPO/PACKAGE@REVISION`.
 */
export function readDeployedPackages(
  items: readonly KrmObject[],
  { exists = pathsOf(items), isLink = () => false, templates = [], inGit, out }: OtherFiles,
): DeployedPackages {
  const kptfiles = items.flatMap((item) => {
    const path = pathOf(item)
    return item.kind === KPTFILE && path !== undefined && isKptfile(path) ? [{ item, folder: folderOf(path) }] : []
  })
  const rendered = new Map(kptfiles.map(({ item, folder }) => [item.annotations.get(VARIANT_ANNOTATION) ?? '', folder]))
  const upstream = folderFinder(kptfiles.filter(({ item }) => !item.annotations.has(VARIANT_ANNOTATION)).map(({ folder }) => folder))
  const holds = (folder: string, names: readonly string[]) => names.some((name) => exists(joinPath(folder, name)))
  const roots = new Set(kptfiles.map(({ folder }) => folder))
  const itemsBelow = below(roots, items, pathOf)
  const templatesBelow = below(roots, templates, (path) => path)
  const read = (folder: string, isRendered: boolean): DeployedPackage => {
    const own = itemsBelow().get(folder) ?? []
    const objects = own.filter(({ kind }) => kind !== undefined && kind !== KPTFILE).flatMap(appliedObjects)
    const pathIn = (path: string) => (folder === '' ? path : path.slice(folder.length + 1))
    const documents = own.filter(({ kind }) => kind === undefined).map((each) => [pathIn(pathOf(each) ?? ''), each] as const)
    return {
      folder,
      packageName: '',
      inGit: inGit?.(folder),
      isRendered,
      isKustomized: holds(folder, KUSTOMIZATION_FILES),
      isBuilt: holds(folder, [...KUSTOMIZATION_FILES, 'Chart.yaml']),
      applied: objects.filter((object) => !isForTools(object)),
      isLinked: (object) => isLink(pathOf(object) ?? ''),
      local: objects.filter(isForTools),
      strange: new Map([...documents, ...(templatesBelow().get(folder) ?? []).map((path) => [pathIn(path), undefined] as const)]),
    }
  }
  const known = new Map<string, DeployedPackage>()
  const contentOf = (folder: string, isRendered: boolean) => remember(known, folder, () => read(folder, isRendered))
  return {
    kinds: readKinds(items),
    catalogs: knownEverywhere(items),
    outInGit: out === undefined ? undefined : inGit?.(out),
    of: (variant) => {
      const made = rendered.get(`${variant.namespace}/${variant.name}`)
      const sources = revisionFolders(variant).flatMap((wanted) => upstream(wanted))
      const source = sources.find((folder) => contentOf(folder, false).isBuilt) ?? sources[0]
      if (made === undefined) return source === undefined ? undefined : contentOf(source, false)
      const content = contentOf(made, true)
      return source !== undefined && contentOf(source, false).isBuilt ? { ...content, isBuilt: true } : content
    },
  }
}

/** Returns true for an object that `kpt live apply` and kustomize leave out, or that configures a function. */
function isForTools(object: KrmObject): boolean {
  return isLocalConfig(object) || /^fn\.(kpt|krm-variants)\.dev\//.test(object.apiVersion ?? '')
}

/** Returns a function that returns the values below each root: a root inside of another root has its values too. */
function below<Value>(
  roots: ReadonlySet<string>,
  values: readonly Value[],
  pathOfValue: (value: Value) => string | undefined,
): () => ReadonlyMap<string, readonly Value[]> {
  let found: Map<string, Value[]> | undefined
  return () => {
    if (found !== undefined) return found
    found = new Map([...roots].map((root) => [root, []]))
    for (const value of values) {
      const path = pathOfValue(value)
      for (let folder = folderOf(path ?? ''); path !== undefined; folder = folderOf(folder)) {
        found.get(folder)?.push(value)
        if (folder === '') break
      }
    }
    return found
  }
}

/** Returns a function that returns the folders whose paths end with some parts: `catalog/shop@v1` finds `h/catalog/shop@v1`. */
function folderFinder(folders: readonly string[]): (end: string) => readonly string[] {
  const byLength = new Map<number, ReadonlyMap<string, readonly string[]>>()
  return (end) => {
    const { length } = end.split('/')
    const byEnd = remember(byLength, length, () => groupBy(folders, (folder) => folder.split('/').slice(-length).join('/')))
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
