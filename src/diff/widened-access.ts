import { isRecord, type JsonRecord, type JsonValue, lookup, memberOf, scalarText } from '../json.ts'

/** The lists of a rule in which `*` means everything. */
const LISTS = ['verbs', 'resources', 'apiGroups', 'nonResourceURLs'] as const

/** A rule of a role, as lists of texts. */
interface AccessRule {
  readonly lists: Readonly<Record<(typeof LISTS)[number], readonly string[]>>
  readonly resourceNames: readonly string[]
}

/**
 * Returns the paths by which a role or binding gives more access than before: `*`, secrets or a way to more access that no earlier rule
 * covers, a new subject of cluster-admin, or everybody. Without an earlier state, all that it gives is more.
 *
 * Rules are compared as Kubernetes does, verb by verb and resource by resource (component-helpers auth/rbac/validation, Covers): two rules
 * that become one give nothing more.
 */
export function widenedAccess(before: JsonRecord | undefined, after: JsonRecord): readonly string[] {
  const kind = scalarText(lookup(after, 'kind'))
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') {
    const old = wideSubjects(before)
    return [...wideSubjects(after)].flatMap(([subject, path]) => (old.has(subject) ? [] : [path]))
  }
  const old = rulesOf(before)
  return rulesOf(after).flatMap((rule, i) => {
    const wide = partsOf(rule)
      .flatMap((part) => wideList(part) ?? [])
      .filter(({ part }) => !old.some((each) => covers(each, part)))
    return [...new Set(wide.map(({ list }) => `rules[${i}].${list}`))].slice(0, 1)
  })
}

/** Returns the parts of a rule with one verb, one group and one resource or URL each. */
function partsOf({ lists: { verbs, apiGroups, resources, nonResourceURLs }, resourceNames }: AccessRule): readonly AccessRule[] {
  return verbs.flatMap((verb) => [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        (resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name])).map((names) => ({
          lists: { verbs: [verb], apiGroups: [group], resources: [resource], nonResourceURLs: [] },
          resourceNames: names,
        })),
      ),
    ),
    ...nonResourceURLs.map((url) => ({
      lists: { verbs: [verb], apiGroups: [], resources: [], nonResourceURLs: [url] },
      resourceNames: [],
    })),
  ])
}

/** Verbs that give a role more than what its rules say, and resources by which pods, nodes and accounts are taken over. */
const WIDE_VERBS: ReadonlySet<string> = new Set(['escalate', 'bind', 'impersonate'])
const WIDE_RESOURCES: ReadonlySet<string> = new Set(['secrets', 'pods/exec', 'pods/attach', 'serviceaccounts/token', 'nodes/proxy'])

/** Returns a part of a rule with the list that makes it wide; undefined for a part that is not. */
function wideList(part: AccessRule): { readonly part: AccessRule; readonly list: string } | undefined {
  const everything = LISTS.find((list) => part.lists[list].includes('*'))
  if (everything !== undefined) return { part, list: everything }
  const { verbs, resources, apiGroups } = part.lists
  if (verbs.some((verb) => WIDE_VERBS.has(verb))) return { part, list: 'verbs' }
  return apiGroups.includes('') && resources.some((resource) => WIDE_RESOURCES.has(resource)) ? { part, list: 'resources' } : undefined
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

/** Returns true if a rule gives at least the access of another one. */
function covers(rule: AccessRule, other: AccessRule): boolean {
  const hasAll = (list: readonly string[], wanted: readonly string[]) => list.includes('*') || wanted.every((text) => list.includes(text))
  const isNamed = rule.resourceNames.length === 0 || (other.resourceNames.length > 0 && hasAll(rule.resourceNames, other.resourceNames))
  return isNamed && LISTS.every((list) => hasAll(rule.lists[list], other.lists[list]))
}

/** The groups and the user that stand for everybody. */
const EVERYBODY: ReadonlySet<string> = new Set(['system:authenticated', 'system:unauthenticated', 'system:anonymous'])

/** Returns the subjects of a binding to the ClusterRole cluster-admin, and everybody in any binding, with their paths. */
function wideSubjects(binding: JsonRecord | undefined): ReadonlyMap<string, string> {
  const role = memberOf(binding, 'roleRef')
  const isAdmin = memberOf(role, 'kind') === 'ClusterRole' && memberOf(role, 'name') === 'cluster-admin'
  const subjects = recordsOf(memberOf(binding, 'subjects')).map((subject, i) => {
    const [kind = '', namespace = '', name = ''] = ['kind', 'namespace', 'name'].map((field) => scalarText(lookup(subject, field)))
    const isWide = isAdmin || (kind !== 'ServiceAccount' && EVERYBODY.has(name))
    return [isWide ? JSON.stringify([isAdmin, kind, namespace, name]) : '', `subjects[${i}]`] as const
  })
  return new Map(subjects.filter(([subject]) => subject !== ''))
}

function recordsOf(value: JsonValue | undefined): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(scalarText) : []
}
