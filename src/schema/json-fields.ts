import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { describeChoice, describeValue, quoteText } from './describe-value.ts'
import { didYouMean } from './nearest-name.ts'

/** Reads the fields of a JSON document that one run writes and a later run reads, such as a saved plan. Anyone may have written it. */
export class JsonFields {
  readonly #document: string
  readonly #report: (message: string) => void

  /**
   * @param document  the document in messages: `a plan`
   * @param report    receives the message of each fault, which begins with the field. May throw; after a return, the field is empty
   */
  constructor(document: string, report: (message: string) => void) {
    this.#document = document
    this.#report = report
  }

  onlyKeys(value: JsonRecord, known: readonly string[], prefix = ''): void {
    for (const key of Object.keys(value))
      if (!known.includes(key)) this.fault(`${prefix}${key}`, `must not be in ${this.#document}${didYouMean(key, known)}`)
  }

  record(value: JsonValue | undefined, field: string): JsonRecord {
    if (isRecord(value)) return value
    this.fault(field, 'must be a map', value)
    return {}
  }

  list(value: JsonValue | undefined, field: string): readonly JsonValue[] {
    if (Array.isArray(value)) return value
    this.fault(field, 'must be a list', value)
    return []
  }

  boolean(value: JsonValue | undefined, field: string): boolean {
    if (typeof value !== 'boolean') this.fault(field, 'must be true or false', value)
    return value === true
  }

  text(value: JsonValue | undefined, field: string): string {
    if (typeof value === 'string') return value
    this.fault(field, 'must be a string', value)
    return ''
  }

  /** @param form  the digits of the hash */
  hash(value: JsonValue | undefined, field: string, form: RegExp): string {
    if (typeof value === 'string' && form.test(value)) return value
    this.fault(field, 'must be hexadecimal digits of a hash', value)
    return ''
  }

  /** @param least  the smallest whole number that is allowed */
  count(value: JsonValue | undefined, field: string, least: number): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
    this.fault(field, `must be a whole number from ${least}`, value)
    return least
  }

  /** Returns the one of several names that a value is; undefined after a fault. */
  oneOf<const Name extends string>(value: JsonValue | undefined, field: string, names: readonly Name[]): Name | undefined {
    const found = names.find((name) => name === value)
    if (found === undefined) this.fault(field, `must be ${describeChoice(names)}`, value)
    return found
  }

  /** Reports a fault of a field. */
  fault(field: string, message: string, value?: JsonValue): void {
    this.#report(`\`${quoteText(field).slice(1, -1)}\` ${message}${value === undefined ? '' : `, got ${describeValue(value)}`}`)
  }
}
