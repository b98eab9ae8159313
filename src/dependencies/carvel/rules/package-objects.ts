import { type FieldPath, formatFieldPath } from '../../../field-path.ts'
import { equalJson } from '../../../json.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import type { Parsed } from '../../../versions/version.ts'
import { quote, shorten } from '../../finding.ts'
import { formatPlace } from '../../place.ts'
import type { RangeReader } from '../../range.ts'
import { placeIn, textAt } from '../../reading/field.ts'
import { isPackageMetadata, type WrittenPackage } from '../packages.ts'
import type { CarvelFinding } from './carvel-rules.ts'

/** A field of a Carvel Package that kapp-controller refuses, and why. */
interface NameFault {
  readonly path: FieldPath
  readonly message: string
  readonly proposedValue?: string
}

const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

const LONGEST_NAME = 253

const FEWEST_SEGMENTS = 3

const REVISION_ANNOTATION = 'packaging.carvel.dev/revision'

/** Package and PackageMetadata objects that kapp-controller refuses, and Packages that are there twice with other content. */
export function checkCarvelObjects(
  objects: readonly KrmObject[],
  packages: readonly WrittenPackage[],
  reader: RangeReader,
): CarvelFinding[] {
  return [
    ...objects
      .filter(isPackageMetadata)
      .flatMap((object) => nameFindings(object, qualifiedNameFaults(object.name ?? '', ['metadata', 'name']))),
    ...packages.flatMap((each) => nameFindings(each.object, packageFaults(each, reader))),
    ...conflicts(packages),
  ]
}

function packageFaults({ name, refName, version }: WrittenPackage, reader: RangeReader): NameFault[] {
  return [
    ...packageNameFaults({ name, refName, version }),
    ...qualifiedNameFaults(refName, ['spec', 'refName']),
    ...(reader.version(version) === undefined ? packageVersionFaults(version, reader.dialect.parseVersion) : []),
  ]
}

function nameFindings(object: KrmObject, faults: readonly NameFault[]): CarvelFinding[] {
  return faults.map((fault) => nameFinding(object, fault))
}

function nameFinding(object: KrmObject, { path, message, proposedValue }: NameFault): CarvelFinding {
  return {
    rule: 'package-name-invalid',
    message: `\`${formatFieldPath(path)}\` ${message}`,
    place: placeIn(object, path, object.get(path)),
    proposedValue,
    tags: { ecosystem: 'carvel', package: textAt(object, 'spec', 'refName') || (object.name ?? '') },
  }
}

// Two repositories may bring one Package when it is the same, or when an annotation says which one counts.
function conflicts(packages: readonly WrittenPackage[]): CarvelFinding[] {
  const first = new Map<string, KrmObject>()
  return packages.flatMap(({ object, name, namespace }) => {
    const key = `${namespace} ${name}`
    const other = first.get(key)
    if (other === undefined) first.set(key, object)
    return other === undefined || isSame(object, other) ? [] : [conflict(object, other)]
  })
}

function isSame(second: KrmObject, first: KrmObject): boolean {
  return second.annotations.has(REVISION_ANNOTATION) || equalJson(first.get(['spec']), second.get(['spec']))
}

function conflict(second: KrmObject, first: KrmObject): CarvelFinding {
  return {
    rule: 'package-conflicting',
    message: `${formatResourceRef(second.ref)} is there twice, with other content; the first (${formatPlace(placeIn(first, ['metadata', 'name']))}) is used, unless the annotation ${REVISION_ANNOTATION} says which`,
    place: placeIn(second, []),
    tags: { ecosystem: 'carvel', package: textAt(second, 'spec', 'refName'), installed: textAt(second, 'spec', 'version') },
  }
}

/** A refName or the name of a PackageMetadata: a DNS name of at least three segments (kapp-controller validation, validateFullyQualifiedName). */
export function qualifiedNameFaults(name: string, path: FieldPath): NameFault[] {
  const qualified = name.length <= LONGEST_NAME && SUBDOMAIN.test(name) && name.split('.').length >= FEWEST_SEGMENTS
  return qualified ? [] : [{ path, message: `must be a DNS name of at least three segments, got ${quote(name)}` }]
}

/** metadata.name of a Package is its refName, a dot and its version. */
export function packageNameFaults({
  name,
  refName,
  version,
}: {
  readonly name: string
  readonly refName: string
  readonly version: string
}): NameFault[] {
  const wanted = `${refName}.${version}`
  return name === wanted
    ? []
    : [{ path: ['metadata', 'name'], message: `must be refName and version, ${quote(wanted)}, got ${quote(name)}`, proposedValue: wanted }]
}

/** spec.version is a full semantic version, without a v. */
export function packageVersionFaults(version: string, parseVersion: (text: string) => Parsed<unknown>): NameFault[] {
  const parsed = parseVersion(version)
  return parsed.ok
    ? []
    : [{ path: ['spec', 'version'], message: `must be a version such as 1.2.3, got ${quote(version)}: ${shorten(parsed.error)}` }]
}
