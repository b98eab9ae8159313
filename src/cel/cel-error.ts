import type { Hint } from './advisor.ts'

/** The phase in which an expression failed: compiling, evaluating, or converting its value to a string. */
export type CelPhase = 'compile' | 'eval' | 'convert'

/** A key that a map does not have, and those that it has, in order. */
export interface MissingKey {
  readonly key: string
  readonly keys: readonly string[]
}

/** The place and the cause, where known. Lines and columns count from 1, columns in code points. */
export interface CelErrorDetail {
  readonly line?: number
  readonly column?: number
  readonly missingKey?: MissingKey
  /** A variable that the field may use and that this target does not have. */
  readonly missingVariable?: string
  /** Returns what may fix the expression. Called when the error is reported, since most errors of a fleet are the same. */
  readonly hints?: () => readonly Hint[]
}

/**
 * An expression that does not compile, or has no string for a target. The message is cel-go's whole text: several errors, several lines.
 */
export class CelError extends Error {
  readonly phase: CelPhase
  readonly line: number | undefined
  readonly column: number | undefined
  readonly missingKey: MissingKey | undefined
  readonly missingVariable: string | undefined
  readonly #hints: () => readonly Hint[]

  constructor(phase: CelPhase, message: string, detail: CelErrorDetail = {}) {
    super(message)
    this.name = 'CelError'
    this.phase = phase
    this.line = detail.line
    this.column = detail.column
    this.missingKey = detail.missingKey
    this.missingVariable = detail.missingVariable
    this.#hints = detail.hints ?? (() => [])
  }

  /** Returns what may fix the expression, in the order of the places in its text. */
  get hints(): readonly Hint[] {
    return this.#hints()
  }
}
