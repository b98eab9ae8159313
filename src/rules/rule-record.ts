import type { Severity } from '../result.ts'

/** A rule: what a finding with its id means. Texts are Markdown without the period at their end. */
export interface RuleRecord {
  readonly severity: Severity | readonly Severity[]
  /** When the rule has which severity: `warning; error of `plan``. */
  readonly when?: string
  /** `safe`: the proposed value means what is read today, or what the field must mean. `unsafe`: it is the likeliest of several. A person must fix the others. */
  readonly fix?: 'safe' | 'unsafe'
  /** What is wrong, in a line. */
  readonly summary: string
  /** The reason, the source of the rule, and its exceptions. */
  readonly why?: string
  /** A few words that have the fault. */
  readonly example: string
  /** How a person fixes the fault. */
  readonly toFix?: string
  /** The golden case, transcript or test file that shows the message. */
  readonly shownBy: string
  /** The first version with the rule; 0.1.0 if missing. */
  readonly since?: string
}

/** The rules of a family by their ids. */
export type RuleRecords = Readonly<Record<string, RuleRecord>>

/** Rules that belong together: a section of docs/rules.md. */
export interface RuleFamily {
  readonly title: string
  /** What the rules are about, in a line. */
  readonly about: string
  readonly rules: RuleRecords
}
