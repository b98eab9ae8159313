import type { Severity } from '../result.ts'

interface RuleTexts {
  readonly severity: Severity | readonly Severity[]
  /** When the rule has which severity: `warning; error of `plan``. */
  readonly when?: string
  /**
   * `safe`: the proposed value means what is read today, or what the field must mean. `unsafe`: it is the likeliest of several. A person
   * must fix the others.
   */
  readonly fix?: 'safe' | 'unsafe'
  /** The fault, in a line. */
  readonly summary: string
  /** The reason, the source of the rule, and its exceptions. */
  readonly why?: string
  /** A few words that have the fault. */
  readonly example: string
  /** How a person fixes the fault. */
  readonly toFix?: string
  /** The first version with the rule; 0.1.0 if missing. */
  readonly since?: string
}

/** Files that have the fault, and the same files without it. */
export interface RuleExample {
  /** The arguments of the tool that reports the rule: `check` if missing. */
  readonly run?: string
  /** The file fleet.yaml. A line `# file: PATH` begins another file. In a line `# ^` the arrow is below the place of the finding. */
  readonly bad: string
  /** `FILE:LINE:COLUMN` of the finding, where the files cannot have a line with an arrow. */
  readonly at?: string
  /** The files without the fault; or a text of `bad` and what to write in its place. A rule without faults has none. */
  readonly good?: string | readonly [bad: string, good: string]
}

/** A rule: what a finding with its id means. Texts are Markdown without the period at their end. */
export type RuleRecord = RuleTexts &
  (
    | (RuleExample & { readonly shownBy?: string })
    // The golden case, transcript or test file that shows the message.
    | { readonly shownBy: string; readonly bad?: undefined }
  )

/** The rules of a family by their ids. */
export type RuleRecords = Readonly<Record<string, RuleRecord>>

/** Rules that belong together: a section of docs/rules.md. */
export interface RuleFamily {
  readonly title: string
  /** The subject of the rules, in a line. */
  readonly about: string
  readonly rules: RuleRecords
}
