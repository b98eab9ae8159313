import { type JsonRecord, lookup, memberOf, scalarText } from '../json.ts'
import { listedTexts, recordsOf } from './danger-rule.ts'

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

/** Verbs by which a subject gets more than its rules say, with the resources of which they do. Of others, the verbs mean nothing. */
const WIDE_VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['escalate', ['roles', 'clusterroles']],
  ['bind', ['roles', 'clusterroles']],
  ['impersonate', ['users', 'groups', 'serviceaccounts', 'uids', 'userextras']],
])
/** Resources by which pods, nodes and accounts are taken over. */
const WIDE_RESOURCES: ReadonlySet<string> = new Set([
  'secrets',
  'pods/exec',
  'pods/attach',
  'pods/ephemeralcontainers',
  'serviceaccounts/token',
  'nodes/proxy',
  // RBAC reads `*/exec` as that part of every resource.
  '*/exec',
  '*/attach',
  '*/token',
  '*/proxy',
])

/** Returns a part of a rule with the list that makes it wide; undefined for a part that is not. */
function wideList(part: AccessRule): { readonly part: AccessRule; readonly list: string } | undefined {
  const everything = LISTS.find((list) => part.lists[list].includes('*'))
  if (everything !== undefined) return { part, list: everything }
  const { verbs, resources, apiGroups } = part.lists
  const isWide = verbs.some((verb) => resources.some((resource) => WIDE_VERBS.get(verb)?.includes(resource.split('/')[0] ?? '') === true))
  if (isWide) return { part, list: 'verbs' }
  return apiGroups.includes('') && resources.some((resource) => WIDE_RESOURCES.has(resource)) ? { part, list: 'resources' } : undefined
}

function rulesOf(role: JsonRecord | undefined): readonly AccessRule[] {
  return recordsOf(memberOf(role, 'rules')).map((rule) => ({
    lists: {
      verbs: listedTexts(lookup(rule, 'verbs')),
      resources: listedTexts(lookup(rule, 'resources')),
      apiGroups: listedTexts(lookup(rule, 'apiGroups')),
      nonResourceURLs: listedTexts(lookup(rule, 'nonResourceURLs')),
    },
    resourceNames: listedTexts(lookup(rule, 'resourceNames')),
  }))
}

/** Returns true if a rule gives at least the access of another one. */
function covers(rule: AccessRule, other: AccessRule): boolean {
  const hasAll = (list: readonly string[], wanted: readonly string[]) => list.includes('*') || wanted.every((text) => list.includes(text))
  const isNamed = rule.resourceNames.length === 0 || (other.resourceNames.length > 0 && hasAll(rule.resourceNames, other.resourceNames))
  return isNamed && LISTS.every((list) => hasAll(rule.lists[list], other.lists[list]))
}

/** The groups and the user that stand for everybody, or for every pod. */
const EVERYBODY: ReadonlySet<string> = new Set([
  'system:authenticated',
  'system:unauthenticated',
  'system:anonymous',
  'system:serviceaccounts',
])

/** The roles that Kubernetes itself gives to everybody. */
const PUBLIC_ROLES: ReadonlySet<string> = new Set(['system:discovery', 'system:basic-user', 'system:public-info-viewer'])

/** Returns the subjects of a binding to the ClusterRole cluster-admin, and everybody in any binding, with their paths. */
function wideSubjects(binding: JsonRecord | undefined): ReadonlyMap<string, string> {
  const role = memberOf(binding, 'roleRef')
  const name = scalarText(memberOf(role, 'name'))
  const isAdmin = memberOf(role, 'kind') === 'ClusterRole' && name === 'cluster-admin'
  const subjects = recordsOf(memberOf(binding, 'subjects')).map((subject, i) => {
    const [kind = '', namespace = '', own = ''] = ['kind', 'namespace', 'name'].map((field) => scalarText(lookup(subject, field)))
    const isEverybody = kind !== 'ServiceAccount' && EVERYBODY.has(own) && !PUBLIC_ROLES.has(name)
    return [isAdmin || isEverybody ? JSON.stringify([isAdmin, kind, namespace, own]) : '', `subjects[${i}]`] as const
  })
  return new Map(subjects.filter(([subject]) => subject !== ''))
}
