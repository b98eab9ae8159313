import type { RULE_FAMILIES } from './generated/rule-families.ts'

type KeyOf<Family> = Family extends { readonly rules: infer Rules } ? keyof Rules & string : never

/**
 * The id of a rule. An id without a record in src/rules does not compile. To users of the SDK, which have rules of their own, any text is
 * one.
 */
export type RuleId = KeyOf<(typeof RULE_FAMILIES)[number]>
