import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml'
import { parse } from 'yaml'
import { equalJson, isRecord, type JsonValue } from '../../src/json.ts'
import { emitValue, type Layout } from '../../src/yaml/emit/emit.ts'
import { nastyValue } from './nasty-value.ts'
import { type Random, randomFrom } from './random.ts'
import { shrink } from './shrink.ts'
import { type FuzzOutcome, type FuzzTarget, runCases } from './target.ts'

/** One document holds so many values: readers are slow to start, and what stands before a value must not matter. */
const BATCH = 200

interface Reader {
  readonly name: string
  read(text: string): JsonValue
  /** The value as this reader can give it back. */
  readonly sees: (value: JsonValue) => JsonValue
}

const same = (value: JsonValue): JsonValue => value

/** js-yaml knows no bigint. */
function withoutBigint(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withoutBigint)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withoutBigint(child)])) : value
}

const BY_YAML = { intAsBigInt: true, uniqueKeys: false, logLevel: 'error' } as const

/** Every reader says the same of what the emitter writes. */
const READERS: readonly Reader[] = [
  { name: 'yaml in YAML 1.2', read: (text) => parse(text, { ...BY_YAML, version: '1.2' }), sees: same },
  { name: 'yaml in YAML 1.1', read: (text) => parse(text, { ...BY_YAML, version: '1.1' }), sees: same },
  { name: 'js-yaml in YAML 1.2', read: (text) => decoded(load(text, { schema: CORE_SCHEMA })), sees: withoutBigint },
  { name: 'js-yaml in YAML 1.1', read: (text) => decoded(load(text, { schema: YAML11_SCHEMA })), sees: withoutBigint },
]

function decoded(value: unknown): JsonValue {
  return value as JsonValue
}

/** Checks that the emitter writes the same value for two independent readers, in YAML 1.1 and in YAML 1.2. */
export const emitter: FuzzTarget = {
  name: 'emitter',
  count: 1_000_000,
  run(count, seed): FuzzOutcome {
    const random = randomFrom(seed)
    const outcome = runCases(Math.ceil(count / BATCH), (batch) => {
      const size = Math.min(BATCH, count - batch * BATCH)
      const values = Array.from({ length: size }, () => placed(random, nastyValue(random, 4)))
      return failuresOf(values, { column: 0, sequences: random.pick(['wide', 'compact']) })
    })
    return { ...outcome, cases: Math.min(count, outcome.cases * BATCH) }
  },
}

/** The value at some depth, below lists and keys. */
function placed(random: Random, value: JsonValue): JsonValue {
  if (random.oneIn(3)) return value
  return placed(random, random.oneIn(2) ? [value] : { key: value })
}

function failuresOf(values: readonly JsonValue[], layout: Layout): readonly string[] {
  if (misread(values, layout) === undefined) return []
  const single = values.filter((value) => misread([value], layout) !== undefined)
  return (single.length > 0 ? single.map((value) => [value]) : [values]).map((failing) => describe(failing, layout))
}

function describe(failing: JsonValue, layout: Layout): string {
  const least = shrink(failing, (value) => misread(value, layout) !== undefined)
  return `${misread(least, layout)}, ${layout.sequences}:\n${JSON.stringify(emitValue(least, layout))}`
}

/** The first reader that does not read the value back, and what it said. */
function misread(value: JsonValue, layout: Layout): string | undefined {
  const text = `${emitValue(value, layout)}\n`
  for (const reader of READERS) {
    const fault = faultOf(reader, text, value)
    if (fault !== undefined) return `${reader.name}: ${fault}`
  }
  return undefined
}

function faultOf(reader: Reader, text: string, value: JsonValue): string | undefined {
  try {
    return equalJson(reader.read(text), reader.sees(value)) ? undefined : 'another value'
  } catch (error) {
    return String(error)
  }
}
