import type { JsonRecord, JsonValue } from '../../src/json.ts'

/** Runs the vectors of one folder: inputs with the answers of a real system. */
export interface Adapter {
  /** The folder below the tree of vectors: `porch/fan-out`. Of two adapters the one with the longer folder gets a file. */
  readonly folder: string
  /** The cases of a file; none is fine. What is no map fails alone. A file of another format: an error that says so. */
  cases(file: JsonValue): readonly JsonValue[]
  /** Returns the differences of our answer to a case from the recorded one; an error thrown fails the case and is never meant. */
  run(vector: JsonRecord): readonly Difference[] | Promise<readonly Difference[]>
  /** Differences that are meant. */
  readonly known: readonly KnownDifference[]
}

/** One respect in which our answer is not the recorded one. */
export interface Difference {
  /** The place of the difference, such as `variant default/a: spec.downstream.repo`. */
  readonly what: string
  /** The recorded answer, absent when it has nothing there. */
  readonly expected?: JsonValue | undefined
  /** Ours, absent when it has nothing there. */
  readonly actual?: JsonValue | undefined
}

/** A test of the input of a case. */
export type Holds = (vector: JsonRecord) => boolean

/** Differences that are meant, as a rule: never the name of a case. */
export interface KnownDifference {
  /** Where it is documented: `docs/porch.md 27`. */
  readonly row: string
  readonly reason: string
  /** Returns true if the input is of the kind that the rule is about. A rule about a field of any input has `explains` alone. */
  readonly holds?: Holds
  /**
   * Returns true if the rule is about the field of this difference, and our value there is the one that must be there instead. A case
   * passes when each of its differences is explained by a rule.
   */
  explains(difference: Difference, vector: JsonRecord): boolean
  /** True: where the rule holds, our answer must differ; a case in which the rule explains nothing fails. */
  readonly always?: true
}
