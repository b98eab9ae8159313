import { KrmObject } from '../../../resource-list/krm-object.ts'
import { DIALECTS } from '../../../versions/dialects.ts'
import { rangeReader } from '../../range.ts'
import { type CatalogPackage, readCatalogEntries } from '../../reading/catalog.ts'
import { Collector } from '../../reading/collector.ts'
import type { ReadOptions } from '../../reading/ecosystem.ts'
import { fieldAt, itemFields, type ObjectField } from '../../reading/field.ts'
import { readCrossplane } from '../crossplane.ts'
import type { CrossplaneOptions } from '../known.ts'

/** Returns the parser of versions and ranges that Crossplane uses. */
export const READER = rangeReader(DIALECTS.m350)

/** Returns a digest of one repeated letter: `sha256:aaa…`. */
export function digest(letter: string): string {
  return `sha256:${letter.repeat(64)}`
}

/** Returns an object of a value, as it is in a file of its own. */
export function objectOf(value: object, path = 'object.yaml'): KrmObject {
  return KrmObject.fromDocument(JSON.stringify(value), { path, index: 0, line: 1 })
}

/** Returns a Provider, or a package of another kind, with the given reference. */
export function packageObject(name: string, reference: string, spec: object = {}, kind = 'Provider'): KrmObject {
  return objectOf({ apiVersion: 'pkg.crossplane.io/v1', kind, metadata: { name }, spec: { package: reference, ...spec } }, `${name}.yaml`)
}

/** Returns a revision of a Provider. */
export function revisionObject(parent: string, name: string, spec: object, metadata: object = {}): KrmObject {
  const labels = { 'pkg.crossplane.io/package': parent }
  return objectOf(
    { apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision', metadata: { name, labels, ...metadata }, spec },
    `${name}.yaml`,
  )
}

/** Returns the metadata of a Configuration that is being written. */
export function metadataObject(name: string, spec: object, annotations: object = {}): KrmObject {
  const metadata = { name, annotations }
  return objectOf({ apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Configuration', metadata, spec }, `${name}/crossplane.yaml`)
}

/** Returns the Lock with the given packages. */
export function lockObject(...packages: readonly object[]): KrmObject {
  return objectOf({ apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'Lock', metadata: { name: 'lock' }, packages }, 'lock.yaml')
}

/** Returns an entry of the Lock. */
export function lockEntry(source: string, version: string, dependencies: readonly object[] = [], name = 'entry') {
  return { name, source, version, dependencies }
}

/** Returns a package of a catalog with its versions. */
export function knownPackage(id: string, ...versions: readonly unknown[]) {
  return { id, versions }
}

/** Returns a version of a package of a catalog. */
export function knownVersion(version: string, dependencies: readonly object[] = [], more: object = {}) {
  return { version, dependencies, ...more }
}

/** Returns a value as a field of an object. */
export function fieldOf(value: unknown): ObjectField {
  return fieldAt(objectOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'holder' }, value }), ['value'])
}

/** Returns a collector without findings and traps. */
export function collector(): Collector {
  return new Collector('crossplane', READER, [])
}

/** Returns the packages of a catalog, each an entry of `spec.packages` without its ecosystem. */
export function catalogOf(...entries: readonly object[]): CatalogPackage[] {
  return readCatalogEntries(itemFields(fieldOf(entries.map((entry) => ({ ecosystem: 'crossplane', ...entry }))))).packages
}

/** Returns what the ecosystem reads of objects and catalog entries. */
export function read(
  objects: readonly KrmObject[],
  catalog: readonly object[] = [],
  options: Partial<CrossplaneOptions & ReadOptions> = {},
) {
  return readCrossplane(objects, catalogOf(...catalog), { closed: true, crossplaneSemantics: 'current', ...options })
}

/** Returns the findings on the objects themselves as `RULE: MESSAGE`. */
export function findingsOn(...given: Parameters<typeof read>): string[] {
  return read(...given)
    .findings()
    .map(({ rule, message }) => `${rule}: ${message}`)
}
