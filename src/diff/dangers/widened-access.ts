import { equalJson, type JsonRecord, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../../json.ts'
import type { PackageObjects } from './danger-rule.ts'
import { hasGroupKind, labelsIn } from './pod-spec.ts'
import { matchesLabels } from './selectors.ts'

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
export function widenedAccess(before: JsonRecord | undefined, after: JsonRecord, cluster: PackageObjects): readonly string[] {
  const kind = scalarText(lookup(after, 'kind'))
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') {
    const old = wideSubjects(before)
    return [...wideSubjects(after)].flatMap(([subject, path]) => (old.has(subject) ? [] : [path]))
  }
  const own = memberOf(after, 'aggregationRule')
  if (own !== undefined) {
    const old = before === undefined ? [] : aggregatedRules(before, cluster.before)
    const isWider = wideParts(aggregatedRules(after, cluster.after)).some(({ part }) => !old.some((each) => covers(each, part)))
    return isWider && !equalJson(own, memberOf(before, 'aggregationRule')) ? ['aggregationRule'] : []
  }
  const old = rulesOf(before)
  const wider = rulesOf(after).flatMap((rule, i) => {
    const wide = wideParts([rule]).filter(({ part }) => !old.some((each) => covers(each, part)))
    return [...new Set(wide.map(({ list }) => `rules[${i}].${list}`))].slice(0, 1)
  })
  return wider.length > 0 || before === undefined || kind !== 'ClusterRole' ? wider : passedOn(before, after, cluster)
}

/** Returns the path of the label by which the rules of a ClusterRole reach another one, which gives more by them. */
function passedOn(before: JsonRecord, after: JsonRecord, cluster: PackageObjects): readonly string[] {
  const [was, is] = [before, after].map(({ metadata }) => labelsIn(metadata))
  const added = [...(is ?? [])].filter(([key, value]) => was?.get(key) !== value)
  const gives = (aggregate: readonly AccessRule[]) =>
    wideParts(rulesOf(after)).some(({ part }) => !aggregate.some((each) => covers(each, part)))
  return added.flatMap(([key, value]) => {
    const aggregates = cluster.after.filter((role) => selectorsOf(role).some((each) => matchesLabels(each, is ?? new Map())))
    const builtIn = value === 'true' ? BUILT_IN.get(key) : undefined
    const reaches = [...(builtIn === undefined ? [] : [builtIn]), ...aggregates.map((role) => aggregatedRules(role, cluster.before))]
    return reaches.some(gives) ? [`metadata.labels["${key}"]`] : []
  })
}

function selectorsOf(role: JsonRecord): readonly JsonRecord[] {
  return recordsOf(memberOf(memberOf(role, 'aggregationRule'), 'clusterRoleSelectors'))
}

/** Returns the rules that the controller writes into a ClusterRole: those of the ClusterRoles that it selects. */
function aggregatedRules(role: JsonRecord, objects: readonly JsonRecord[]): readonly AccessRule[] {
  const selectors = selectorsOf(role)
  return objects.flatMap((each) =>
    hasGroupKind(each, 'rbac.authorization.k8s.io', 'ClusterRole') &&
    selectors.some((selector) => matchesLabels(selector, labelsIn(each.metadata)))
      ? rulesOf(each)
      : [],
  )
}

/** The wide rules of the aggregated roles of Kubernetes, as Kubernetes ships them (plugin/pkg/auth/authorizer/rbac/bootstrappolicy). */
const IN_NAMESPACE = rulesOf({
  rules: [
    {
      apiGroups: [''],
      resources: ['secrets', 'pods/attach', 'pods/exec', 'pods/proxy', 'serviceaccounts/token'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    },
    { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
  ],
})
const BUILT_IN: ReadonlyMap<string, readonly AccessRule[]> = new Map([
  ['rbac.authorization.k8s.io/aggregate-to-admin', IN_NAMESPACE],
  ['rbac.authorization.k8s.io/aggregate-to-edit', IN_NAMESPACE],
  ['rbac.authorization.k8s.io/aggregate-to-view', []],
])

function wideParts(rules: readonly AccessRule[]): readonly { readonly part: AccessRule; readonly list: string }[] {
  return rules.flatMap(partsOf).flatMap((part) => wideList(part) ?? [])
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
  const subjects = recordsOf(memberOf(binding, 'subjects')).map((subject) => {
    const [kind = '', namespace = '', own = ''] = ['kind', 'namespace', 'name'].map((field) => scalarText(lookup(subject, field)))
    const isEverybody = kind !== 'ServiceAccount' && EVERYBODY.has(own) && !PUBLIC_ROLES.has(name)
    return [isAdmin || isEverybody ? JSON.stringify([isAdmin, kind, namespace, own]) : '', `subjects[${own}]`] as const
  })
  return new Map(subjects.filter(([subject]) => subject !== ''))
}
