/**
 * The YAML of an object before and after a change: '' before if it is new, '' after if it is deleted. Further documents are other objects of
 * the package.
 */
export type ObjectStates = readonly [before: string, after: string]

/** A danger of `diff`: what has it and why. Texts are Markdown without the period at their end. */
interface DangerRecord {
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

export type DangerRecords = Readonly<Record<string, DangerRecord>>
