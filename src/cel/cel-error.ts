import type { Hint } from './hints/hint.ts'

/** Where an expression failed: while it was compiled, while it ran, or because its value is no string. */
export type CelPhase = 'compile' | 'eval' | 'convert'

/** A key that a map does not have, and those that it has, in order. */
export interface MissingKey {
  readonly key: string
  readonly keys: readonly string[]
}

/** Where and why, as far as it is known; lines and columns count from 1, columns in code points. */
export interface CelErrorDetail {
  readonly line?: number
  readonly column?: number
  readonly missingKey?: MissingKey
  /** A variable that the place may have and this target does not. */
  readonly missingVariable?: string
  /** What may mend it; asked for when it is reported, since most errors of a fleet are the same. */
  readonly hints?: () => readonly Hint[]
}

/** An expression that does not compile, or has no string for a target. The message is cel-go's whole text: several errors, several lines. */
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

  /** What may mend the expression, in the order of its places. */
  get hints(): readonly Hint[] {
    return this.#hints()
  }
}
