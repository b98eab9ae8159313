import { formatFieldPath } from '../../field-path.ts'
import { equalJson, type JsonRecord } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { type Finding, formatPlace } from '../finding.ts'
import type { BroughtObject } from '../owners.ts'
import type { KindOfApi } from '../package-index.ts'
import { childField, childText, itemFields, type ObjectField, placeOfField, textOfField } from './field.ts'

/** One version of a package in a catalog. `field` is its record, or the bare string by which only its existence is known. */
export interface CatalogVersion {
  readonly version: string
  readonly field: ObjectField
}

/** A package of a catalog, with the versions that may be installed beside those that objects define. */
export interface CatalogPackage {
  readonly ecosystem: string
  readonly id: string
  readonly kind: string
  readonly namespace: string
  readonly repository: string
  /** The version that the repository calls the latest (Glasskube); '' if none is named. */
  readonly latest: string
  readonly versions: readonly CatalogVersion[]
}

/**
 * Returns the packages that catalogs list. If a version is listed twice with different content, the first is used and the second reported.
 *
 * @param entries  the items of `spec.packages` of the Catalogs, by name, then those of `spec.catalog` of the function config
 */
export function readCatalogEntries(entries: readonly ObjectField[]): { packages: CatalogPackage[]; findings: Finding[] } {
  const seen: SeenVersions = new Map()
  const findings: Finding[] = []
  const packages = entries.flatMap((entry) => readPackage(entry, seen, findings) ?? [])
  return { packages, findings }
}

/** Returns true if the object is a Catalog of `fn.krm-variants.dev`. */
export function isCatalog({ apiVersion, kind }: KrmObject): boolean {
  return kind === 'Catalog' && apiVersion?.startsWith('fn.krm-variants.dev/') === true
}

/** The first entry of each version, by package and version. */
type SeenVersions = Map<string, Map<string, CatalogVersion>>

function readPackage(entry: ObjectField, seen: SeenVersions, findings: Finding[]): CatalogPackage | undefined {
  const ecosystem = childText(entry, 'ecosystem')
  const id = childText(entry, 'id')
  if (ecosystem === '' || id === '') return undefined
  const found = {
    ecosystem,
    id,
    kind: childText(entry, 'kind'),
    namespace: childText(entry, 'namespace'),
    repository: childText(entry, 'repository'),
    latest: childText(entry, 'latest'),
  }
  const key = `${ecosystem} ${id} ${found.namespace} ${found.repository}`
  const own = remember(seen, key, () => new Map<string, CatalogVersion>())
  const versions = itemFields(childField(entry, 'versions')).flatMap((field) => {
    const version = textOfField(field) ?? childText(field, 'version')
    if (version === '' && ecosystem !== VERSIONLESS) {
      findings.push(withoutVersion(found, childField(field, 'version')))
      return []
    }
    const first = own.get(version)
    if (first !== undefined && !isBare(first.field)) {
      if (!isBare(field) && !equalJson(first.field.value, field.value)) findings.push(conflict(found, version, first.field, field))
      return []
    }
    const listed = { version, field }
    own.set(version, listed)
    return [listed]
  })
  return { ...found, versions }
}

/** The ecosystem that has packages without a version. */
const VERSIONLESS = 'glasskube'

function withoutVersion({ ecosystem, id }: NamedPackage, field: ObjectField): Finding {
  const place = placeOfField(field)
  const message = `\`${formatFieldPath(place.path)}\` must be set, since each version of ${id} is chosen by it`
  return { rule: 'dependency-form-invalid', message, place, tags: { ecosystem, package: id } }
}

function isBare(field: ObjectField): boolean {
  return typeof field.value === 'string'
}

type NamedPackage = Pick<CatalogPackage, 'ecosystem' | 'id'>

function conflict({ ecosystem, id }: NamedPackage, version: string, first: ObjectField, second: ObjectField): Finding {
  const where = `${first.object.kind} ${first.object.name ?? ''}`.trim()
  return {
    rule: 'package-conflicting',
    message: `${`${id} ${version}`.trim()} is in the catalog twice, with other content; that of ${where} (${formatPlace(placeOfField(first))}) is used`,
    place: { ...placeOfField(second), currentValue: undefined },
    tags: { ecosystem, package: id, installed: version },
  }
}

/** Returns the objects that a version brings, from the field `brings` of a catalog. */
export function broughtBy(brings: ObjectField | undefined, by: string, id: string): BroughtObject[] {
  if (brings === undefined) return []
  return itemFields(brings).map((item) => ({ object: nameOfBrought(item), by, package: id, place: placeOfField(item) }))
}

/** Returns the name of an object from its fields `kind` and `name`: `Composition buckets`. */
export function nameOfBrought(field: ObjectField): string {
  return `${childText(field, 'kind')} ${childText(field, 'name')}`
}

/** Returns a kind from its fields; missing texts are ''. */
export function kindIn(field: ObjectField): KindOfApi {
  return { apiVersion: childText(field, 'apiVersion'), kind: childText(field, 'kind') }
}

/** A version of a package that was read from contents of the package, as a Catalog lists it. */
export interface CatalogEntry {
  readonly ecosystem: string
  readonly id: string
  /** '' for a package of Glasskube without versions. */
  readonly version: string
  /** The other fields of the package: `kind` of Crossplane, `repository` and `latest` of Glasskube. */
  readonly package: JsonRecord
  /** The other fields of the version; empty if nothing but its existence is known. */
  readonly fields: JsonRecord
}
