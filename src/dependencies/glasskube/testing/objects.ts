import { KrmObject } from '../../../resource-list/krm-object.ts'
import type { PackageIndex } from '../../package-index.ts'
import { readCatalogEntries } from '../../reading/catalog.ts'
import type { ReadEcosystem } from '../../reading/ecosystem.ts'
import { fieldAt, itemFields } from '../../reading/field.ts'
import { GLASSKUBE } from '../glasskube.ts'

/** Returns an object of Glasskube in a file of its own, `NAME.yaml`. */
export function glasskubeObject(kind: string, name: string, metadata: object, rest: object): KrmObject {
  const value = { apiVersion: 'packages.glasskube.dev/v1alpha1', kind, metadata: { name, ...metadata }, ...rest }
  return KrmObject.fromDocument(JSON.stringify(value, null, 1), { path: `${name}.yaml`, index: 0, line: 1 })
}

/** The fields of an install beside its name, manifest and version. */
interface InstallParts {
  /** The namespace of a Package; a ClusterPackage has none. */
  readonly namespace?: string
  readonly manifest?: string
  readonly annotations?: object
  readonly info?: object
  readonly spec?: object
}

/** Returns a ClusterPackage of a manifest at a version, or a Package if a namespace is given. */
export function glasskubeInstall(
  name: string,
  version: string,
  { namespace, manifest = name, annotations, info, spec }: InstallParts = {},
): KrmObject {
  const metadata = { ...(namespace !== undefined && { namespace }), ...(annotations && { annotations }) }
  const packageInfo = { name: manifest, version, repositoryName: '', ...info }
  return glasskubeObject(namespace === undefined ? 'ClusterPackage' : 'Package', name, metadata, { spec: { packageInfo, ...spec } })
}

/** Returns everything that is read of objects of Glasskube, and of the entries of a catalog, each without its ecosystem. */
export function glasskubeReading(
  objects: readonly KrmObject[],
  entries: readonly object[] = [],
  closed = true,
): ReadEcosystem & { readonly index: PackageIndex } {
  const packages = entries.map((entry) => ({ ecosystem: 'glasskube', ...entry }))
  const catalog = glasskubeObject('Catalog', 'known', {}, { spec: { packages } })
  const listed = readCatalogEntries(itemFields(fieldAt(catalog, ['spec', 'packages']))).packages
  const reading = GLASSKUBE.read(objects, listed, { closed })
  const { index } = reading
  if (index === undefined) throw new Error('Glasskube has a package index')
  return { ...reading, index }
}
