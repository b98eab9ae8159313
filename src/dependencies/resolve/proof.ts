import type { Incompatibility } from './incompatibility.ts'
import type { Rule } from './rule.ts'

/** The rules that an incompatibility was derived from. */
export function rulesBehind(proof: Incompatibility): Set<Rule> {
  const rules = new Set<Rule>()
  const seen = new Set([proof])
  for (const { origin } of seen) {
    if (origin.type === 'rule') rules.add(origin.rule)
    else for (const cause of [origin.conflict, ...origin.resolutions.map(({ reason }) => reason)]) seen.add(cause)
  }
  return rules
}
