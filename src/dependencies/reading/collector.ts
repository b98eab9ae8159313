import { formatFieldPath } from '../../field-path.ts'
import type { JsonValue } from '../../json.ts'
import { didYouMean } from '../../schema/nearest-name.ts'
import type { Finding, FindingTags } from '../finding.ts'
import type { RangeReader } from '../range.ts'
import { checkConstraint, type FindTrap, type WrittenConstraint } from './constraint-faults.ts'
import { childOf, type Field, keysOf, pathOf, placeOf } from './field.ts'

/** What a constraint is on. */
type ConstraintSubject = Pick<WrittenConstraint, 'known' | 'prereleases' | 'tags'>

/** What a front end finds while it reads: faults of forms and constraints. */
export class Collector {
  readonly findings: Finding[] = []
  readonly #ecosystem: string
  readonly #reader: RangeReader
  readonly #traps: readonly FindTrap[]

  /** @param traps  what constraints of the reader's dialect may say without meaning it */
  constructor(ecosystem: string, reader: RangeReader, traps: readonly FindTrap[]) {
    this.#ecosystem = ecosystem
    this.#reader = reader
    this.#traps = traps
  }

  /** One for a second reading of something whose faults are told already. */
  silent(): Collector {
    return new Collector(this.#ecosystem, this.#reader, this.#traps)
  }

  /** Adds a finding about a field; the message begins with the field. */
  add(rule: Finding['rule'], field: Field, message: string, more: Partial<Finding> = {}): void {
    const place = placeOf(field)
    const tags: FindingTags = { ecosystem: this.#ecosystem, ...more.tags }
    this.findings.push({ rule, message: `\`${formatFieldPath(place.path)}\` ${message}`, place, ...more, tags })
  }

  /** A form that is wrong. */
  form(field: Field, message: string, proposedValue?: JsonValue): void {
    this.add('dependency-form-invalid', field, message, proposedValue === undefined ? {} : { proposedValue })
  }

  /** Every key of a map that is not one of the known. */
  unknownKeys(field: Field, known: readonly string[]): void {
    for (const key of keysOf(field)) {
      if (!known.includes(key)) this.form(childOf(field, key), `is not a field of ${holderName(field)}${didYouMean(key, known)}`)
    }
  }

  /** Faults and traps of a constraint. */
  constraint(field: Field, text: string, { known, prereleases = false, tags = {} }: ConstraintSubject): void {
    const [ecosystem, reader, traps] = [this.#ecosystem, this.#reader, this.#traps]
    this.findings.push(...checkConstraint({ text, known, prereleases, tags, ecosystem, reader, traps, place: () => placeOf(field) }))
  }

  /** What a field that must be a string holds; anything else is a fault. */
  text(field: Field): string | undefined {
    if (field.value === undefined || typeof field.value === 'string') return field.value
    const written = writtenText(field)
    this.form(field, `must be a string, got ${written === undefined ? 'a map or a list' : written}`, written)
    return undefined
  }
}

// `versionSelection`; of an item the list, `override[]`.
function holderName({ key, parent }: Field): string {
  return typeof key === 'number' ? `${parent?.key ?? ''}[]` : key
}

// `0.10` is a number that has lost its zero; the text of the scalar still has it.
function writtenText(field: Field): string | undefined {
  const path = pathOf(field)
  for (const scalar of field.object.scalars(path)) if (scalar.path.length === path.length) return scalar.text
  return undefined
}
