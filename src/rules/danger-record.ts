import type { JsonRecord } from '../json.ts'
import type { DANGERS } from './generated/dangers.ts'

/** An object, or several of a package, of which the change is about the first. */
type State = JsonRecord | readonly JsonRecord[]

/** A change: it has no `before` if the object is new, no `after` if it is deleted. */
export interface ObjectStates {
  readonly before?: State
  readonly after?: State
}

/**
 * A danger of `diff`: what has it and why. Texts are Markdown without the period at their end. Only tests and pages read them, so no bundle
 * has them.
 */
export interface DangerRecord {
  /** A judgement: it is listed, and is no danger for `--fail-on danger`. */
  readonly severity?: 'notice'
  readonly when: string
  /** The page or code that says what the change does. */
  readonly source: string
  /** Changes that have the danger, each of its forms. Empty for a danger of many objects. */
  readonly dangerous: readonly ObjectStates[]
  /** Changes that nearly have the danger. */
  readonly safe: readonly ObjectStates[]
}

/** The id of a danger. */
export type DangerId = keyof typeof DANGERS
