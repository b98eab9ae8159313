import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { didYouMean, nearestName } from '../../schema/nearest-name.ts'
import type { Finding, FindingTags } from '../finding.ts'
import type { RangeReader } from '../range.ts'
import { checkConstraint, type FindTrap, type WrittenConstraint } from './constraint-faults.ts'
import { childField, fieldAt, keysOf, type ObjectField, pathOfField, placeOfField } from './field.ts'

/** What a constraint is on. */
type ConstraintSubject = Pick<WrittenConstraint, 'known' | 'prereleases' | 'tags'>

/** What a front end finds while it reads: faults of forms and constraints. */
export class Collector {
  readonly findings: Finding[]
  readonly #ecosystem: string
  readonly #reader: RangeReader
  readonly #traps: readonly FindTrap[]
  #silent: Collector | undefined

  /** @param traps  what constraints of the reader's dialect may say without meaning it */
  constructor(ecosystem: string, reader: RangeReader, traps: readonly FindTrap[], findings: Finding[] = []) {
    this.findings = findings
    this.#ecosystem = ecosystem
    this.#reader = reader
    this.#traps = traps
  }

  /** One for a second reading of something whose faults are told already. */
  silent(): Collector {
    this.#silent ??= new Collector(this.#ecosystem, this.#reader, this.#traps)
    return this.#silent
  }

  /** One that adds to the same findings, but takes a constraint for what it says. */
  withoutTraps(): Collector {
    return new Collector(this.#ecosystem, this.#reader, [], this.findings)
  }

  /** Adds a finding about a field; the message begins with the field. */
  add(rule: Finding['rule'], field: ObjectField, message: string, more: Partial<Finding> = {}): void {
    const place = placeOfField(field)
    const tags: FindingTags = { ecosystem: this.#ecosystem, ...more.tags }
    this.findings.push({ rule, message: `\`${formatFieldPath(place.path)}\` ${message}`, place, ...more, tags })
  }

  /** A form that is wrong. */
  form(field: ObjectField, message: string, proposedValue?: JsonValue): void {
    this.add('dependency-form-invalid', field, message, proposedValue === undefined ? {} : { proposedValue })
  }

  /** Every key of a map that is not one of the known. */
  unknownKeys(field: ObjectField, known: readonly string[]): void {
    for (const key of keysOf(field)) {
      if (!known.includes(key)) this.form(childField(field, key), `is not a field of ${holderName(field)}${didYouMean(key, known)}`)
    }
  }

  /**
   * A key that an object does not have, while the map at `path` has one that most likely means it: what stands there would be lost.
   * The map is read only when a key like it is in the object's text: a Package may be a megabyte of templates and schemas.
   */
  misspelt(object: KrmObject, path: FieldPath, key: string): void {
    if (holdsKeyLike(object.toText(), key)) this.nearMiss(object, path, key)
  }

  /** The same of an object that hardly ever lacks the key: its map is read anyway. */
  nearMiss(object: KrmObject, path: FieldPath, key: string): void {
    const map = readOrNothing(object, path)
    const meant = isRecord(map) && !Object.hasOwn(map, key) ? Object.keys(map).filter((each) => nearestName(each, [key]) !== undefined) : []
    for (const each of meant) {
      const field = fieldAt(object, [...path, each])
      this.form(field, `is not a field of ${path.at(-1)}; did you mean '${key}'?`)
    }
  }

  /** Faults and traps of a constraint; what it is on is asked where there may be one. */
  constraint(field: ObjectField, text: string, subject: () => ConstraintSubject): void {
    const [ecosystem, reader, traps] = [this.#ecosystem, this.#reader, this.#traps]
    if (traps.length === 0 && reader.constraint(text).ok) return
    const { known, prereleases = false, tags = {} } = subject()
    this.findings.push(...checkConstraint({ text, known, prereleases, tags, ecosystem, reader, traps, place: () => placeOfField(field) }))
  }

  /** The name in a field that must have one; '' with its fault. */
  name(field: ObjectField): string {
    const name = this.text(field) ?? ''
    if (field.value === undefined || field.value === '') this.form(field, 'must be set')
    return name
  }

  /** What a field that must be a string holds; anything else is a fault. */
  text(field: ObjectField): string | undefined {
    if (field.value === undefined || typeof field.value === 'string') return field.value
    const written = writtenText(field)
    this.form(field, `must be a string, got ${written === undefined ? 'a map or a list' : written}`, written)
    return undefined
  }
}

// Nearly every misspelling of a key begins as it does; most texts have none.
function holdsKeyLike(text: string, key: string): boolean {
  const stem = key.slice(0, STEM)
  return hasKeyLike(stem, text, key) || hasKeyLike(stem.charAt(0).toUpperCase() + stem.slice(1), text, key)
}

const STEM = 3

/** Whether a key in the text has the stem in it and is near the key. */
function hasKeyLike(stem: string, text: string, key: string): boolean {
  const found = new Set<string>()
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + STEM)) {
    const [before = ''] = /[\w.-]*$/.exec(text.slice(Math.max(0, at - key.length), at)) ?? []
    const [, rest] = /^([\w.-]+)['"]?\s*:/.exec(text.slice(at, at + 2 * key.length)) ?? []
    if (rest !== undefined) found.add(before + rest)
  }
  return [...found].some((each) => nearestName(each, [key]) !== undefined)
}

// An alias beside what is looked for is nobody's fault here.
function readOrNothing(object: KrmObject, path: FieldPath): JsonValue | undefined {
  try {
    return object.get(path)
  } catch (error) {
    if (error instanceof FunctionError) return undefined
    throw error
  }
}

// `versionSelection`; of an item the list, `override[]`.
function holderName({ key, parent }: ObjectField): string {
  return typeof key === 'number' ? `${parent?.key ?? ''}[]` : key
}

// `0.10` is a number that has lost its zero; the text of the scalar still has it.
function writtenText(field: ObjectField): string | undefined {
  const path = pathOfField(field)
  for (const scalar of field.object.scalars(path)) if (scalar.path.length === path.length) return scalar.text
  return undefined
}
