import type { FieldPath } from '../../../field-path.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import type { Collector } from '../../reading/collector.ts'
import { fieldAt, textOfField } from '../../reading/field.ts'
import { groupKind } from '../../reading/object-metadata.ts'

/** The fields of a PackageRepository in which vendir reads a range of versions, by the rules of kapp-controller. */
const RANGES: readonly FieldPath[] = [
  ['spec', 'fetch', 'imgpkgBundle', 'tagSelection', 'semver', 'constraints'],
  ['spec', 'fetch', 'image', 'tagSelection', 'semver', 'constraints'],
  ['spec', 'fetch', 'git', 'refSelection', 'semver', 'constraints'],
]

/** Reports the ranges of PackageRepositories that do not parse or select something else than they seem to: none of their packages is offered then. */
export function checkRepositoryRanges(objects: readonly KrmObject[], collector: Collector): void {
  for (const object of objects) {
    if (groupKind(object) !== 'packaging.carvel.dev/PackageRepository') continue
    for (const path of RANGES) {
      const field = fieldAt(object, path)
      const constraint = textOfField(field) ?? ''
      if (constraint !== '') collector.constraint(constraint, () => ({ field, known: () => [], tags: { package: object.name ?? '' } }))
    }
  }
}
