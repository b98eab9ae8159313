import { RULE_FAMILIES } from './generated/rule-families.ts'
import type { RuleFamily, RuleRecord } from './rule-record.ts'

/** A rule with its id. */
export type Rule = RuleRecord & { readonly id: string }

/** Every rule by its id. Functions import types of this folder only, so that their bundles have no texts of rules. */
export const RULES: ReadonlyMap<string, Rule> = new Map(
  RULE_FAMILIES.flatMap(({ rules }: RuleFamily) => Object.entries(rules))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, rule]) => [id, { id, ...rule }]),
)

/** Returns the severities of a rule for people: `error, warning`. */
export function severityText({ severity, when }: RuleRecord): string {
  return when ?? [severity].flat().join(', ')
}

/** Returns what a rule means, in sentences without the last period. */
export function meaningOf({ summary, why }: RuleRecord): string {
  return why === undefined ? summary : `${summary}. ${why}`
}
