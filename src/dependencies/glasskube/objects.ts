import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { childField, childText, fieldAt, itemFields, type ObjectField, textAt, textOfField } from '../reading/field.ts'
import { groupKind, isGenerated, namespaceOf } from '../reading/object-metadata.ts'

/** A ClusterPackage or Package. */
export interface GlasskubePackage {
  readonly object: KrmObject
  /** '' for a ClusterPackage. */
  readonly namespace: string
  /** The name of the instance; of a ClusterPackage that of its manifest. */
  readonly instance: string
  /** The name in the repository. */
  readonly manifestName: string
  /** `spec.packageInfo` */
  readonly infoField: ObjectField
  readonly nameField: ObjectField
  readonly version: string
  readonly versionField: ObjectField
  readonly repository: string
  readonly asDependency: boolean
  readonly autoUpdate: boolean
  /** The manifest names of the packages that it is a component of, the outermost first; absent for any other package. */
  readonly within?: readonly string[]
}

/** A version of a package: from a PackageInfo, or from a catalog. `manifest` is undefined where only its existence is known. */
export interface GlasskubeManifest {
  /** The PackageInfo that has it; none in a catalog. */
  readonly object?: KrmObject
  readonly name: string
  readonly version: string
  /** '' for a PackageInfo, which names no repository. */
  readonly repository: string
  readonly manifest: ManifestFields | undefined
}

/** The fields of a manifest that count here. */
export interface ManifestFields {
  readonly scope: string
  readonly scopeField: ObjectField
  readonly defaultNamespace: string
  readonly dependencies: ObjectField | undefined
  readonly components: ObjectField
  readonly brings: ObjectField | undefined
  readonly provides: ObjectField | undefined
}

const GROUP = 'packages.glasskube.dev'
/** The annotation of packages that Glasskube installed for another package. */
export const AS_DEPENDENCY_ANNOTATION = 'packages.glasskube.dev/installed-as-dependency'
const AUTO_UPDATE_ANNOTATION = 'packages.glasskube.dev/auto-update'

/** Returns the installed packages; packages that are being deleted are left out. */
export function readGlasskubePackages(objects: readonly KrmObject[]): GlasskubePackage[] {
  return objects.filter(isPackage).map((object) => {
    const info = fieldAt(object, ['spec', 'packageInfo'])
    const manifestName = childText(info, 'name') || (object.name ?? '')
    const namespaced = object.kind === 'Package'
    return {
      object,
      namespace: namespaced ? namespaceOf(object) : '',
      instance: namespaced ? (object.name ?? '') : manifestName,
      manifestName,
      infoField: info,
      nameField: childField(info, 'name'),
      version: childText(info, 'version'),
      versionField: childField(info, 'version'),
      repository: childText(info, 'repositoryName'),
      asDependency: isGenerated(object, {
        written: childText(info, 'version'),
        marked: object.annotations.get(AS_DEPENDENCY_ANNOTATION) === 'true',
      }),
      autoUpdate: object.annotations.get(AUTO_UPDATE_ANNOTATION) === 'true',
    }
  })
}

function isPackage(object: KrmObject): boolean {
  const kind = groupKind(object)
  const known = kind === `${GROUP}/ClusterPackage` || kind === `${GROUP}/Package`
  return known && object.get(['metadata', 'deletionTimestamp']) === undefined
}

/** Returns the manifests of PackageInfos, then those of catalogs. Of equal versions the first is used. */
export function readManifests(objects: readonly KrmObject[], catalog: readonly CatalogPackage[]): GlasskubeManifest[] {
  const infos = packageInfos(objects).map(([used]) => manifestOfInfo(used))
  const listed = catalog.flatMap((entry) => (entry.ecosystem === 'glasskube' ? manifestsOfCatalog(entry) : []))
  const manifests = new Map<string, GlasskubeManifest>()
  for (const each of [...infos, ...listed]) {
    const key = `${each.name} ${each.version} ${each.repository}`
    if (manifests.get(key)?.manifest === undefined) manifests.set(key, each)
  }
  return [...manifests.values()]
}

/**
 * Returns the PackageInfos of each name, the one that counts first: the first with a manifest, else the first. A cluster has one of a name.
 */
export function packageInfos(objects: readonly KrmObject[]): [KrmObject, ...KrmObject[]][] {
  const infos = objects.filter((object) => groupKind(object) === `${GROUP}/PackageInfo`)
  return [...groupBy(infos, (object) => object.name ?? object).values()].map((group) => {
    const used = group.find((object) => object.get(MANIFEST) !== undefined) ?? group[0]
    return [used, ...group.filter((object) => object !== used)]
  })
}

/** The path of the manifest of a PackageInfo, which the operator has fetched. */
export const MANIFEST = ['status', 'manifest']

function manifestOfInfo(object: KrmObject): GlasskubeManifest {
  const manifest = fieldAt(object, MANIFEST)
  return {
    object,
    name: textAt(object, 'spec', 'name'),
    version: textAt(object, 'spec', 'version'),
    repository: '',
    manifest: manifest.value === undefined ? undefined : { ...fieldsOf(manifest), dependencies: childField(manifest, 'dependencies') },
  }
}

// In a catalog absent dependencies are unknown ones.
function manifestsOfCatalog({ id, repository, versions }: CatalogPackage): GlasskubeManifest[] {
  return versions.map(({ version, field }) => {
    const dependencies = childField(field, 'dependencies')
    const known = dependencies.value === undefined ? undefined : dependencies
    return {
      name: id,
      version,
      repository,
      manifest: textOfField(field) === undefined ? { ...fieldsOf(field), dependencies: known } : undefined,
    }
  })
}

function fieldsOf(field: ObjectField): Omit<ManifestFields, 'dependencies'> {
  return {
    scope: childText(field, 'scope'),
    scopeField: childField(field, 'scope'),
    defaultNamespace: childText(field, 'defaultNamespace'),
    components: childField(field, 'components'),
    brings: childField(field, 'brings'),
    provides: childField(field, 'provides'),
  }
}

/** A dependency or component of a manifest. */
export interface ManifestRequirement {
  /** '' where it has none: that is a fault of its own. */
  readonly name: string
  readonly nameField: ObjectField
  readonly installedName: string
  readonly constraint: string
  readonly constraintField: ObjectField
  readonly field: ObjectField
}

/** Returns the items of `dependencies` or `components`; an empty version admits any version. */
export function manifestRequirements(list: ObjectField | undefined): ManifestRequirement[] {
  if (list === undefined) return []
  return itemFields(list).map((field) => ({
    name: childText(field, 'name'),
    nameField: childField(field, 'name'),
    installedName: childText(field, 'installedName') || childText(field, 'name'),
    constraint: childText(field, 'version'),
    constraintField: childField(field, 'version'),
    field,
  }))
}

/** Returns the identity of an instance: `NAMESPACE/INSTANCE`, or the instance alone for a ClusterPackage. */
export function instanceKey(namespace: string, instance: string): string {
  return namespace === '' ? instance : `${namespace}/${instance}`
}

/** Returns the names of the repositories that some manifests are in, sorted. */
export function repositoriesOf(manifests: readonly GlasskubeManifest[]): string[] {
  const names = manifests.map(({ repository }) => repository).filter((name) => name !== '')
  return [...new Set(names)].sort(compareText)
}
