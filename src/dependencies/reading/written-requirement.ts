import type { FieldPlace } from '../place.ts'
import type { PackageRequirement, PackageTarget, Range } from '../universe.ts'
import { type ObjectField, placeOfField } from './field.ts'

/** What a field says of a package that is required. */
export interface WrittenFields extends Omit<PackageRequirement, 'type' | 'place' | 'range'> {
  readonly range: Range | undefined
  /** Where it stands. */
  readonly field: ObjectField
}

/** A requirement whose place is worked out when somebody asks: of a large catalog it is one in a thousand. */
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
