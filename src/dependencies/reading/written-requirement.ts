import type { FieldPlace } from '../place.ts'
import type { PackageRequirement, PackageTarget, Range } from '../universe.ts'
import { type ObjectField, placeOfField } from './field.ts'

/** A requirement on a package, with the field that it is written in. */
export interface WrittenFields extends Omit<PackageRequirement, 'type' | 'place' | 'range'> {
  readonly range: Range | undefined
  /** The field of the requirement. */
  readonly field: ObjectField
}

/** A requirement whose place is computed when read: in a large catalog the place of one requirement in a thousand is needed. */
export class WrittenRequirement implements PackageRequirement {
  readonly type = 'package'
  readonly target: PackageTarget
  readonly range: Range | undefined
  readonly digest: string | undefined
  readonly optional: boolean
  readonly validateOnly: boolean
  readonly alias: string | undefined
  readonly #field: ObjectField

  constructor({ target, range, digest, optional, validateOnly, alias, field }: WrittenFields) {
    this.target = target
    this.range = range
    this.digest = digest
    this.optional = optional
    this.validateOnly = validateOnly
    this.alias = alias
    this.#field = field
  }

  get place(): FieldPlace {
    return placeOfField(this.#field)
  }
}
