import type { JsonRecord, JsonValue } from '../../src/json.ts'

/** Runs the vectors of one folder: answers of the real systems. */
export interface Adapter {
  /** The folder below the tree of vectors: `porch/fan-out`. */
  readonly folder: string
  /** The cases of a file. */
  cases(file: JsonValue): readonly JsonRecord[]
  /** How our answer to a case differs from the recorded one, one text for each difference. */
  run(vector: JsonRecord): readonly string[]
  /** Differences that are meant. */
  readonly known: readonly KnownDifference[]
}

/** A difference that is meant, as a rule: never the name of a case. */
export interface KnownDifference {
  /** Where it is documented: `docs/porch.md 27`. */
  readonly row: string
  readonly reason: string
  /** Whether the case is of the kind that the rule is about. */
  holds(vector: JsonRecord): boolean
  /** What one of the differences must say. */
  readonly shows: RegExp
}
