import { isRecord, type JsonRecord, type JsonValue, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import { isNarrower } from './selectors.ts'

/** A webhook, or the field of an admission policy or its binding that says what is judged. */
type Scope = JsonValue | undefined

/** Returns the fields by which a webhook or an admission policy is asked about more than before. */
export function widerScope(before: Scope, after: Scope): readonly string[] {
  return narrowerScope(after, before)
}

/**
 * Returns the fields by which a webhook or an admission policy is asked about less than before. A condition that was edited may be as good.
 */
export function narrowerScope(before: Scope, after: Scope): readonly string[] {
  return [
    ...otherRules(after, before),
    ...otherSelectors(after, before),
    ...(isExact(after) && !isExact(before) ? ['matchPolicy'] : []),
    ...(conditionsOf(after).length > conditionsOf(before).length ? ['matchConditions'] : []),
  ]
}

function conditionsOf(scope: Scope): readonly JsonRecord[] {
  return recordsOf(memberOf(scope, 'matchConditions'))
}

/** Returns true for rules that pass over a request by another version or group of the API than the rules name. */
function isExact(scope: Scope): boolean {
  const rules = ['rules', 'resourceRules'].flatMap((list) => recordsOf(memberOf(scope, list)))
  return rules.length > 0 && memberOf(scope, 'matchPolicy') === 'Exact'
}

function otherSelectors(narrow: Scope, wide: Scope): readonly string[] {
  return ['namespaceSelector', 'objectSelector'].filter((field) => isNarrower(memberOf(narrow, field), memberOf(wide, field)))
}

/** Returns the lists of rules by which the later scope has a request that the earlier one has not. */
function otherRules(before: Scope, after: Scope): readonly string[] {
  const isMore = (list: string, from: Scope, to: Scope) => {
    const [old, present] = [from, to].map((scope) => memberOf(scope, list))
    if (list === 'resourceRules' && old === undefined) return false
    const known = recordsOf(old).flatMap(partsOfRule)
    return recordsOf(present)
      .flatMap(partsOfRule)
      .some((part) => !known.some((each) => coversPart(each, part)))
  }
  const [was, is] = [before, after].map((scope) => isRecord(scope) && lookup(scope, 'resourceRules') !== undefined)
  return [
    ...['rules', 'resourceRules'].filter((list) => isMore(list, before, after)),
    // A binding without rules is asked about all that its policy is.
    ...(was === true && is !== true ? ['resourceRules'] : []),
    ...(isMore('excludeResourceRules', after, before) ? ['excludeResourceRules'] : []),
  ]
}

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']
/** The position of the pattern of resources in a part of a rule. */
const RESOURCES = 3

/** Returns the parts of a rule: an operation, a group, a version, a pattern of resources, a scope and a name of an object each. */
function partsOfRule(rule: JsonRecord): readonly (readonly string[])[] {
  const textsOf = (list: string) => listedTexts(lookup(rule, list))
  const [operations, names, scope] = [textsOf('operations'), textsOf('resourceNames'), scalarText(lookup(rule, 'scope'))]
  const lists = [
    operations.includes('*') ? OPERATIONS : operations,
    textsOf('apiGroups'),
    textsOf('apiVersions'),
    textsOf('resources'),
    scope === '' || scope === '*' ? ['Namespaced', 'Cluster'] : [scope],
    names.length === 0 ? ['*'] : names,
  ]
  return lists.reduce<readonly (readonly string[])[]>((parts, list) => parts.flatMap((part) => list.map((text) => [...part, text])), [[]])
}

/** Returns true if a part of a rule stands for each request that another part does. */
function coversPart(part: readonly string[], other: readonly string[]): boolean {
  return part.every((text, i) => (i === RESOURCES ? coversResource(text, other[i] ?? '') : text === '*' || text === other[i]))
}

/**
 * Returns true if a pattern of resources stands for all that another one does, as the API server reads them: without a slash, for no
 * subresource; with `/*`, for the resource and all its subresources.
 * @example `*` → `pods`, but not `pods/exec`; `pods/*` → `pods`, `pods/exec`
 */
function coversResource(pattern: string, other: string): boolean {
  const [[resource, part = ''], [wanted, wantedPart = '']] = [pattern.split('/'), other.split('/')]
  return (resource === '*' || resource === wanted) && (part === '*' || part === wantedPart)
}
