import { formatFieldPath } from '../../../field-path.ts'
import { equalJson } from '../../../json.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import { formatPlace } from '../../place.ts'
import type { RangeReader } from '../../range.ts'
import { placeIn, textAt } from '../../reading/field.ts'
import { isPackageMetadata, type WrittenPackage } from '../packages.ts'
import type { CarvelFinding } from './carvel-rules.ts'
import { type NameFault, packageNameFaults, packageVersionFaults, qualifiedNameFaults } from './package-names.ts'

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
