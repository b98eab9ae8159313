import { formatFieldPath } from '../../field-path.ts'
import { equalJson } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../result.ts'
import type { Finding } from '../finding.ts'
import { isCarvelPackage, isPackageMetadata, namespaceOf } from '../front-ends/carvel-packages.ts'
import { placeIn, textAt } from '../front-ends/field.ts'
import type { RangeReader } from '../range.ts'
import { type NameFault, packageNameFaults, packageVersionFaults, qualifiedNameFaults } from './package-names.ts'

const REVISION_ANNOTATION = 'packaging.carvel.dev/revision'

/** Package and PackageMetadata objects that kapp-controller refuses, and Packages that are there twice with other content. */
export function checkCarvelObjects(objects: readonly KrmObject[], reader: RangeReader): Finding[] {
  const named = objects.flatMap((object) => nameFaults(object, reader).map((fault) => nameFinding(object, fault)))
  return [...named, ...conflicts(objects.filter(isCarvelPackage))]
}

function nameFaults(object: KrmObject, reader: RangeReader): NameFault[] {
  const name = object.name ?? ''
  if (isPackageMetadata(object)) return qualifiedNameFaults(name, ['metadata', 'name'])
  if (!isCarvelPackage(object)) return []
  const [refName, version] = [textAt(object, 'spec', 'refName'), textAt(object, 'spec', 'version')]
  return [
    ...packageNameFaults({ name, refName, version }),
    ...qualifiedNameFaults(refName, ['spec', 'refName']),
    ...packageVersionFaults(version, reader.dialect.parseVersion),
  ]
}

function nameFinding(object: KrmObject, { path, message, proposedValue }: NameFault): Finding {
  return {
    rule: 'package-name-invalid',
    message: `\`${formatFieldPath(path)}\` ${message}`,
    place: placeIn(object, path, object.get(path)),
    proposedValue,
    tags: { ecosystem: 'carvel', package: textAt(object, 'spec', 'refName') || (object.name ?? '') },
  }
}

// Two repositories may bring one Package when it is the same, or when an annotation says which one counts.
function conflicts(packages: readonly KrmObject[]): Finding[] {
  const first = new Map<string, KrmObject>()
  const findings: Finding[] = []
  for (const each of packages) {
    const key = `${namespaceOf(each)} ${each.name}`
    const other = first.get(key)
    if (other === undefined) first.set(key, each)
    else if (!each.annotations.has(REVISION_ANNOTATION) && !equalJson(other.get(['spec']), each.get(['spec'])))
      findings.push(conflict(each, other))
  }
  return findings
}

function conflict(second: KrmObject, first: KrmObject): Finding {
  const where = first.file === undefined ? '' : ` (${first.file.path})`
  return {
    rule: 'package-conflicting',
    message: `${formatResourceRef(second.ref)} is there twice, with other content${where}; the first is used, unless the annotation ${REVISION_ANNOTATION} says which`,
    place: placeIn(second, []),
    tags: { ecosystem: 'carvel', package: textAt(second, 'spec', 'refName'), installed: textAt(second, 'spec', 'version') },
  }
}
