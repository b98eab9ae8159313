import { KrmObject } from '../../../resource-list/krm-object.ts'
import type { Finding } from '../../finding.ts'
import type { PackageIndex } from '../../package-index.ts'
import { type CatalogPackage, readCatalogEntries } from '../../reading/catalog.ts'
import type { ReadEcosystem } from '../../reading/ecosystem.ts'
import { fieldAt, itemFields } from '../../reading/field.ts'
import { CARVEL } from '../carvel.ts'

/** Returns an object with a line for each value, in a file of its own. */
export function linedObject(value: object, path: string): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(value, null, 1), { path, index: 0, line: 1 })
}

/** Returns a Package in a file of its own, `REFNAME.VERSION.yaml`. */
export function packageInFile(refName: string, version: string, spec: object = {}, metadata: object = {}): KrmObject {
  const name = `${refName}.${version}`
  return linedObject(
    {
      apiVersion: 'data.packaging.carvel.dev/v1alpha1',
      kind: 'Package',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { refName, version, template: {}, ...spec },
    },
    `${name}.yaml`,
  )
}

/** The fields of a PackageInstall beside its package. */
interface InstallParts {
  readonly selection?: object
  readonly spec?: object
  readonly metadata?: object
  readonly status?: object
}

/** Returns a PackageInstall of a package in a file of its own, `NAME.yaml`. */
export function packageInstall(name: string, refName: string, { selection = {}, spec, metadata, status }: InstallParts = {}): KrmObject {
  return linedObject(
    {
      apiVersion: 'packaging.carvel.dev/v1alpha1',
      kind: 'PackageInstall',
      metadata: { name, namespace: 'default', ...metadata },
      spec: { packageRef: { refName, versionSelection: selection }, ...spec },
      ...(status && { status }),
    },
    `${name}.yaml`,
  )
}

type CarvelOptions = Parameters<typeof CARVEL.read>[2]

/** Returns the packages of a catalog of Carvel, each an entry of `spec.packages` without its ecosystem. */
export function carvelCatalog(...entries: readonly object[]): CatalogPackage[] {
  const packages = entries.map((entry) => ({ ecosystem: 'carvel', ...entry }))
  const catalog = linedObject({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', spec: { packages } }, 'catalog.yaml')
  return readCatalogEntries(itemFields(fieldAt(catalog, ['spec', 'packages']))).packages
}

/** The options of Carvel where a test sets none: an open universe, and the semver of 2024. */
export const CARVEL_OPTIONS: CarvelOptions = {
  closed: false,
  globalPackageNamespace: 'kapp-controller-packaging-global',
  carvelSemver: '2024',
}

/** Returns everything that is read of objects of Carvel and of a catalog. */
export function carvelReading(
  objects: readonly KrmObject[],
  options: Partial<CarvelOptions> = {},
  catalog: readonly CatalogPackage[] = [],
): ReadEcosystem & { readonly index: PackageIndex } {
  const reading = CARVEL.read(objects, catalog, { ...CARVEL_OPTIONS, ...options })
  const { index } = reading
  if (index === undefined) throw new Error('Carvel has a package index')
  return { ...reading, index }
}

/** Returns the findings on objects of Carvel themselves. */
export function carvelFindings(...given: Parameters<typeof carvelReading>): readonly Finding[] {
  return carvelReading(...given).findings()
}

/** Returns the findings on objects of Carvel, each as `RULE: MESSAGE`. */
export function carvelMessages(...given: Parameters<typeof carvelFindings>): readonly string[] {
  return carvelFindings(...given).map(({ rule, message }) => `${rule}: ${message}`)
}
