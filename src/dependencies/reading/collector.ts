import { attempt } from '../../attempt.ts'
import { type FieldPath, formatFieldPath } from '../../field-path.ts'
import { isRecord, type JsonValue } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { FunctionError } from '../../result.ts'
import { describeChoice, describeValue } from '../../schema/describe-value.ts'
import { didYouMean, nearestName } from '../../schema/nearest-name.ts'
import type { Finding, FindingTags } from '../finding.ts'
import type { RangeReader } from '../range.ts'
import { childField, fieldAt, itemFields, keysOf, type ObjectField, pathOfField, placeOfField } from './field.ts'
import { checkConstraint, type FindTrap, type WrittenConstraint } from './written-constraint.ts'

/** The field of a constraint, and the package or platform that the constraint is on. */
interface ConstraintSubject extends Pick<WrittenConstraint, 'known' | 'prereleases' | 'tags'> {
  readonly field: ObjectField
}

/** The findings of a reader: faults of forms and constraints. */
export class Collector {
  readonly findings: Finding[]
  readonly #ecosystem: string
  readonly #reader: RangeReader
  readonly #traps: readonly FindTrap[]
  /** The keys that reported misspellings stand for, by the map. */
  readonly #misspelt = new WeakMap<ObjectField, Set<string>>()
  #silent: Collector | undefined

  /** @param traps  the checks for constraints that parse but most likely do not mean what their author expects */
  constructor(ecosystem: string, reader: RangeReader, traps: readonly FindTrap[], findings: Finding[] = []) {
    this.findings = findings
    this.#ecosystem = ecosystem
    this.#reader = reader
    this.#traps = traps
  }

  /** Returns a collector with findings of its own, for a second reading whose faults are already reported. */
  silent(): Collector {
    this.#silent ??= new Collector(this.#ecosystem, this.#reader, this.#traps)
    return this.#silent
  }

  /** Returns a collector that adds to the same findings but checks no traps. */
  withoutTraps(): Collector {
    return new Collector(this.#ecosystem, this.#reader, [], this.findings)
  }

  /** Adds a finding about a field; the message begins with the field. */
  add(rule: Finding['rule'], field: ObjectField, message: string, more: Partial<Finding> = {}): void {
    const place = placeOfField(field)
    const tags: FindingTags = { ecosystem: this.#ecosystem, ...more.tags }
    this.findings.push({ rule, message: `\`${formatFieldPath(place.path)}\` ${message}`, place, ...more, tags })
  }

  /** Reports a field of the wrong form (`dependency-form-invalid`). */
  form(field: ObjectField, message: string, proposedValue?: JsonValue): void {
    this.add('dependency-form-invalid', field, message, proposedValue === undefined ? {} : { proposedValue })
  }

  /** Reports every key of a map that is not a known key. */
  unknownKeys(field: ObjectField, known: readonly string[]): void {
    // `versionSelection`; of an item the list, `override[]`.
    const holder = typeof field.key === 'number' ? `${field.parent?.key ?? ''}[]` : field.key
    for (const key of keysOf(field)) {
      if (known.includes(key)) continue
      this.form(childField(field, key), `is not a field of ${holder}${didYouMean(key, known)}`)
      remember(this.#misspelt, field, () => new Set()).add(nearestName(key, known) ?? '')
    }
  }

  /**
   * Reports misspelt forms of a key that the map at `path` lacks, such as `dependancies`: their values would be ignored.
   * Reads the map only if the object's text has a similar key: a Package may be a megabyte of templates and schemas. Returns true if there
   * are any.
   */
  misspelt(object: KrmObject, path: FieldPath, key: string): boolean {
    return holdsKeyLike(object.toText(), key) && this.nearMiss(object, path, key)
  }

  /** Reports misspelt forms of a key as `misspelt` does, and always reads the map. Returns true if there are any. */
  nearMiss(object: KrmObject, path: FieldPath, key: string): boolean {
    // An alias that cannot be read is no fault of this field.
    const map = attempt(() => object.get(path), FunctionError)
    const meant = isRecord(map) && !Object.hasOwn(map, key) ? Object.keys(map).filter((each) => nearestName(each, [key]) !== undefined) : []
    for (const each of meant) {
      const field = fieldAt(object, [...path, each])
      this.form(field, `is not a field of ${path.at(-1) ?? 'the file'}; did you mean '${key}'?`)
    }
    return meant.length > 0
  }

  /** Reports the faults and traps of a constraint. Calls `subject` only if there may be one. */
  constraint(text: string, subject: () => ConstraintSubject): void {
    const [ecosystem, reader, traps] = [this.#ecosystem, this.#reader, this.#traps]
    if (traps.length === 0 && reader.constraint(text).ok) return
    const { field, ...written } = subject()
    this.findings.push(...checkConstraint({ text, ...written, ecosystem, reader, traps, place: () => placeOfField(field) }))
  }

  /** Returns the value of a boolean field; reports any other value and returns undefined. */
  flag(field: ObjectField): boolean | undefined {
    const { value } = field
    if (value === undefined || typeof value === 'boolean') return value
    this.form(field, `must be true or false, got ${describeValue(value)}`)
    return undefined
  }

  /**
   * Returns a text that must be one of some; reports any other value, with the nearest allowed text, and returns undefined. Proposes no
   * value: `check --fix` would write the guess.
   */
  choice<Text extends string>(field: ObjectField, allowed: readonly Text[]): Text | undefined {
    const { value } = field
    const found = allowed.find((each) => each === value)
    if (value === undefined || found !== undefined) return found
    const hint = typeof value === 'string' ? didYouMean(value, allowed) : ''
    this.form(field, `must be ${describeChoice(allowed)}, got ${describeValue(value)}${hint}`)
    return undefined
  }

  /** Returns the items of a list; reports any other value. */
  items(field: ObjectField): ObjectField[] {
    const { value } = field
    if (value !== undefined && !Array.isArray(value)) this.form(field, `must be a list, got ${describeValue(value)}`)
    return itemFields(field)
  }

  /** Reports the unknown keys of a field that must be a map, or a value that is no map. Returns false for such a value. */
  map(field: ObjectField, known: readonly string[]): boolean {
    const { value } = field
    if (value !== undefined && !isRecord(value)) this.form(field, `must be a map, got ${describeValue(value)}`)
    this.unknownKeys(field, known)
    return value === undefined || isRecord(value)
  }

  /** Returns the text of a field that must be set; reports a missing text and returns ''. */
  name(field: ObjectField): string {
    this.required(field)
    return this.text(field) ?? ''
  }

  /** Reports a field that must be set, unless a misspelling of its key is reported. */
  required(field: ObjectField): void {
    const { value, parent, key } = field
    const isMisspelt = parent !== undefined && this.#misspelt.get(parent)?.has(String(key)) === true
    if ((value === undefined || value === '') && !isMisspelt) this.form(field, 'must be set')
  }

  /** Returns the text of a field; reports a value that is no string and returns undefined. */
  text(field: ObjectField): string | undefined {
    if (field.value === undefined || typeof field.value === 'string') return field.value
    // A null is a missing value, not the text 'null'.
    const written = field.value === null ? undefined : writtenText(field)
    const got = field.value === null ? 'null' : 'a map or a list'
    this.form(field, `must be a string, got ${written === undefined ? got : `${written}; write ${JSON.stringify(written)}`}`, written)
    return undefined
  }
}

// Nearly every misspelling of a key begins as it does; most texts have none.
function holdsKeyLike(text: string, key: string): boolean {
  const stem = key.slice(0, STEM)
  return hasKeyLike(stem, text, key) || hasKeyLike(stem.charAt(0).toUpperCase() + stem.slice(1), text, key)
}

const STEM = 3

/** Returns true if a key in the text contains the stem and is similar to the key. */
function hasKeyLike(stem: string, text: string, key: string): boolean {
  let at = text.indexOf(stem)
  if (at === -1) return false
  const found = new Set<string>()
  for (; at !== -1; at = text.indexOf(stem, at + STEM)) {
    const [before = ''] = /[\w.-]*$/.exec(text.slice(Math.max(0, at - key.length), at)) ?? []
    const [, rest] = /^([\w.-]+)['"]?\s*:/.exec(text.slice(at, at + 2 * key.length)) ?? []
    if (rest !== undefined) found.add(before + rest)
  }
  return [...found].some((each) => nearestName(each, [key]) !== undefined)
}

// `0.10` is a number that has lost its zero; the text of the scalar still has it.
function writtenText(field: ObjectField): string | undefined {
  const path = pathOfField(field)
  for (const scalar of field.object.scalars(path)) if (scalar.path.length === path.length) return scalar.text
  return undefined
}
