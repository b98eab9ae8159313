import { isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'
import { listedTexts, recordsOf, without } from './danger-rule.ts'
import { isNarrower } from './selectors.ts'

/** A webhook, or the field of an admission policy or its binding that says what is judged. */
type Scope = JsonValue | undefined

/** Returns the fields by which a webhook or an admission policy is asked about more than before. */
export function widerScope(before: Scope, after: Scope): readonly string[] {
  return [...otherRules(before, after), ...otherSelectors(before, after), ...(conditionsGone(before, after) ? ['matchConditions'] : [])]
}

/** Returns the fields by which a webhook or an admission policy is asked about less than before. A condition that was edited may be as good. */
export function narrowerScope(before: Scope, after: Scope): readonly string[] {
  const [was = 0, is = 0] = [before, after].map((scope) => recordsOf(memberOf(scope, 'matchConditions')).length)
  return [
    ...otherRules(after, before),
    ...otherSelectors(after, before),
    ...(is > was && conditionsGone(after, before) ? ['matchConditions'] : []),
  ]
}

function otherSelectors(narrow: Scope, wide: Scope): readonly string[] {
  return ['namespaceSelector', 'objectSelector'].filter((field) => isNarrower(memberOf(narrow, field), memberOf(wide, field)))
}

/** Returns the lists of rules by which the later scope has a request that the earlier one has not. */
function otherRules(before: Scope, after: Scope): readonly string[] {
  const isMore = (list: string, from: Scope, to: Scope) => {
    const [old, present] = [from, to].map((scope) => memberOf(scope, list))
    if (list === 'resourceRules' && old === undefined) return false
    const rules = recordsOf(old)
    return recordsOf(present)
      .flatMap(partsOfRule)
      .some((part) => !rules.some((rule) => coversPart(rule, part)))
  }
  const [was, is] = [before, after].map((scope) => isRecord(scope) && lookup(scope, 'resourceRules') !== undefined)
  return [
    ...['rules', 'resourceRules'].filter((list) => isMore(list, before, after)),
    // A binding without rules is asked about all that its policy is.
    ...(was === true && is !== true ? ['resourceRules'] : []),
    ...(isMore('excludeResourceRules', after, before) ? ['excludeResourceRules'] : []),
  ]
}

function conditionsGone(before: Scope, after: Scope): boolean {
  const conditions = (scope: Scope) => recordsOf(memberOf(scope, 'matchConditions')).map((each) => scalarText(lookup(each, 'expression')))
  return without(conditions(after), conditions(before)).length > 0
}

const RULE_LISTS = ['operations', 'apiGroups', 'apiVersions', 'resources'] as const

function partsOfRule(rule: JsonRecord): readonly (readonly string[])[] {
  return RULE_LISTS.reduce<readonly (readonly string[])[]>(
    (parts, list) => parts.flatMap((part) => listedTexts(lookup(rule, list)).map((text) => [...part, text])),
    [[]],
  ).map((part) => [...part, scalarText(lookup(rule, 'scope')) || '*'])
}

function coversPart(rule: JsonRecord, part: readonly string[]): boolean {
  const scope = scalarText(lookup(rule, 'scope')) || '*'
  const isInScope = scope === '*' || scope === part.at(-1)
  return isInScope && RULE_LISTS.every((list, i) => listedTexts(lookup(rule, list)).some((text) => text === '*' || text === part[i]))
}
