import { isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'

/** The lists of a rule in which `*` means everything. */
const LISTS = ['verbs', 'resources', 'apiGroups', 'nonResourceURLs'] as const

/** A rule of a role, as lists of texts. */
interface AccessRule {
  readonly lists: Readonly<Record<(typeof LISTS)[number], readonly string[]>>
  readonly resourceNames: readonly string[]
}

/**
 * Returns the paths by which a role or binding gives more access than before: a rule with `*` or on secrets that no earlier rule covers,
 * or a new subject of cluster-admin. Without an earlier state, all that it gives is more.
 */
export function widenedAccess(before: JsonRecord | undefined, after: JsonRecord): readonly string[] {
  const kind = scalarText(lookup(after, 'kind'))
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') {
    const old = adminSubjects(before)
    return adminSubjects(after).flatMap((subject, i) => (old.includes(subject) ? [] : [`subjects[${i}]`]))
  }
  const old = rulesOf(before)
  return rulesOf(after).flatMap((rule, i) => {
    const everything = LISTS.find((list) => rule.lists[list].includes('*'))
    if (everything !== undefined && !old.some((each) => covers(each, rule))) return [`rules[${i}].${everything}`]
    const secrets = onSecrets(rule)
    return secrets === undefined || old.some((each) => covers(each, secrets)) ? [] : [`rules[${i}].resources`]
  })
}

function rulesOf(role: JsonRecord | undefined): readonly AccessRule[] {
  return recordsOf(memberOf(role, 'rules')).map((rule) => ({
    lists: {
      verbs: textsOf(lookup(rule, 'verbs')),
      resources: textsOf(lookup(rule, 'resources')),
      apiGroups: textsOf(lookup(rule, 'apiGroups')),
      nonResourceURLs: textsOf(lookup(rule, 'nonResourceURLs')),
    },
    resourceNames: textsOf(lookup(rule, 'resourceNames')),
  }))
}

/** Returns the part of a rule that is about secrets; undefined if the rule does not name them. */
function onSecrets(rule: AccessRule): AccessRule | undefined {
  const { resources, apiGroups } = rule.lists
  if (!resources.includes('secrets') || !(apiGroups.includes('') || apiGroups.includes('*'))) return undefined
  return { ...rule, lists: { ...rule.lists, resources: ['secrets'], apiGroups: [''] } }
}

/** Returns true if a rule gives at least the access of another one. */
function covers(rule: AccessRule, other: AccessRule): boolean {
  const hasAll = (list: readonly string[], wanted: readonly string[]) => list.includes('*') || wanted.every((text) => list.includes(text))
  const isNamed = rule.resourceNames.length === 0 || (other.resourceNames.length > 0 && hasAll(rule.resourceNames, other.resourceNames))
  return isNamed && LISTS.every((list) => hasAll(rule.lists[list], other.lists[list]))
}

/** Returns the subjects of a binding to cluster-admin as texts; none of another binding. */
function adminSubjects(binding: JsonRecord | undefined): readonly string[] {
  if (memberOf(memberOf(binding, 'roleRef'), 'name') !== 'cluster-admin') return []
  return recordsOf(memberOf(binding, 'subjects')).map((subject) =>
    JSON.stringify(['kind', 'namespace', 'name'].map((field) => scalarText(lookup(subject, field)))),
  )
}

function recordsOf(value: JsonValue | undefined): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(scalarText) : []
}
