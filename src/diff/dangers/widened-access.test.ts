import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { JsonRecord } from '../../json.ts'
import { widenedAccess } from './widened-access.ts'

const NONE = { before: [], after: [] }

const roleOf = (rules: string, more: JsonRecord = {}, metadata = '{name: a}'): JsonRecord => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: parse(metadata),
  rules: parse(rules),
  ...more,
})
const ruleOf = (verbs: string, groups: string, resources: string, more = '') =>
  `{verbs: [${verbs}], apiGroups: [${groups}], resources: [${resources}]${more}}`
const widened = (before: string, after: string) => widenedAccess(roleOf(before), roleOf(after), NONE)

test.each([
  // `*` in each list.
  [ruleOf('"*"', 'apps', 'pods'), 'rules[0].verbs'],
  [ruleOf('get', '"*"', 'pods'), 'rules[0].apiGroups'],
  [ruleOf('get', 'apps', '"*"'), 'rules[0].resources'],
  ['{verbs: [get], nonResourceURLs: ["*"]}', 'rules[0].nonResourceURLs'],
  ['{verbs: ["*"], nonResourceURLs: [/healthz]}', 'rules[0].verbs'],
  ['{verbs: [get], nonResourceURLs: [/healthz]}', undefined],
  // Verbs that give more than the rules say, of the resources of which they do.
  [ruleOf('escalate', 'g', 'roles'), 'rules[0].verbs'],
  [ruleOf('bind', 'g', 'clusterroles'), 'rules[0].verbs'],
  [ruleOf('bind', 'g', 'users'), undefined],
  [ruleOf('impersonate', '""', 'serviceaccounts'), 'rules[0].verbs'],
  [ruleOf('impersonate', 'authentication.k8s.io', 'userextras/scopes'), 'rules[0].verbs'],
  [ruleOf('impersonate', '""', 'roles'), undefined],
  [ruleOf('get', '""', 'users'), undefined],
  // Resources by which others are taken over, in the core group alone.
  ...['secrets', 'pods/exec', 'pods/attach', 'pods/ephemeralcontainers', 'serviceaccounts/token', 'nodes/proxy'].map(
    (resource) => [ruleOf('get', '""', resource), 'rules[0].resources'] as const,
  ),
  ...['exec', 'attach', 'token', 'proxy'].map((part) => [ruleOf('create', '""', `"*/${part}"`), 'rules[0].resources'] as const),
  [ruleOf('get', 'apps', 'secrets'), undefined],
  [ruleOf('get', '""', 'pods'), undefined],
  [ruleOf('get', '""', 'secrets', ', resourceNames: [a]'), 'rules[0].resources'],
  ['{verbs: [], apiGroups: ["*"], resources: ["*"]}', undefined],
] as const)('a role that gets the rule %s is wider by %s', (rule, path) => {
  const paths = path === undefined ? [] : [path]
  expect(widened('[]', `[${rule}]`)).toEqual(paths)
  expect(widenedAccess(undefined, roleOf(`[${rule}]`), NONE)).toEqual(paths)
  expect(widened(`[${rule}]`, '[]')).toEqual([])
  expect(widened(`[${rule}]`, `[${rule}]`)).toEqual([])
})

const secrets = (verbs: string, more = '') => ruleOf(verbs, '""', 'secrets', more)

test.each([
  ['two rules that become one', [secrets('get'), secrets('list')], [secrets('get, list')], []],
  ['a further verb', [secrets('get')], [secrets('get, list')], ['rules[0].resources']],
  ['one verb of all', [secrets('"*"')], [secrets('get')], []],
  ['all verbs of one', [secrets('get')], [secrets('"*"')], ['rules[0].verbs']],
  ['one resource of all', [ruleOf('get', '"*"', '"*"')], [secrets('get')], []],
  ['names of all', [secrets('get')], [secrets('get', ', resourceNames: [a]')], []],
  ['all of names', [secrets('get', ', resourceNames: [a]')], [secrets('get')], ['rules[0].resources']],
  ['fewer names', [secrets('get', ', resourceNames: [a, b]')], [secrets('get', ', resourceNames: [b]')], []],
  ['another name', [secrets('get', ', resourceNames: [a]')], [secrets('get', ', resourceNames: [a, b]')], ['rules[0].resources']],
  [
    'names of two rules',
    [secrets('get', ', resourceNames: [a]'), secrets('get', ', resourceNames: [b]')],
    [secrets('get', ', resourceNames: [a, b]')],
    [],
  ],
  [
    'the position of each rule that is wider',
    [],
    [ruleOf('get', '""', 'pods'), secrets('get'), ruleOf('bind', 'g', 'roles')],
    ['rules[1].resources', 'rules[2].verbs'],
  ],
  ['one path for a rule', [], ['{verbs: [bind, "*"], apiGroups: ["", "*"], resources: [roles, "*"]}'], ['rules[0].verbs']],
])('%s of a role is compared part by part', (_, before, after, paths) => {
  expect(widened(`[${before.join(', ')}]`, `[${after.join(', ')}]`)).toEqual(paths)
})

const bindingOf = (role: string, subjects: string, kind = 'ClusterRoleBinding'): JsonRecord => ({
  kind,
  roleRef: parse(role),
  subjects: parse(subjects),
})
const ADMIN = '{kind: ClusterRole, name: cluster-admin}'
const VIEW = '{kind: ClusterRole, name: view}'
const ADA = '{kind: User, name: ada}'

test.each([
  [ADMIN, '[]', ADMIN, `[${ADA}]`, ['subjects[ada]']],
  [ADMIN, `[${ADA}]`, ADMIN, `[${ADA}]`, []],
  [ADMIN, `[${ADA}]`, ADMIN, '[]', []],
  [VIEW, `[${ADA}]`, ADMIN, `[${ADA}]`, ['subjects[ada]']],
  [ADMIN, `[${ADA}]`, VIEW, `[${ADA}]`, []],
  [VIEW, '[]', VIEW, `[${ADA}]`, []],
  ['{kind: Role, name: cluster-admin}', '[]', '{kind: Role, name: cluster-admin}', `[${ADA}]`, []],
  [ADMIN, `[${ADA}]`, ADMIN, '[{kind: Group, name: ada}]', ['subjects[ada]']],
  [ADMIN, '[{kind: ServiceAccount, namespace: a, name: s}]', ADMIN, '[{kind: ServiceAccount, namespace: b, name: s}]', ['subjects[s]']],
  [ADMIN, '[]', ADMIN, `[${ADA}, {kind: User, name: bob}]`, ['subjects[ada]', 'subjects[bob]']],
  ...['system:authenticated', 'system:unauthenticated', 'system:serviceaccounts'].map(
    (name) => [VIEW, '[]', VIEW, `[{kind: Group, name: "${name}"}]`, [`subjects[${name}]`]] as const,
  ),
  [VIEW, '[]', VIEW, '[{kind: User, name: "system:anonymous"}]', ['subjects[system:anonymous]']],
  [VIEW, '[]', VIEW, '[{kind: ServiceAccount, name: "system:authenticated"}]', []],
  // Everybody may do more as cluster-admin than before.
  [
    VIEW,
    '[{kind: Group, name: "system:authenticated"}]',
    ADMIN,
    '[{kind: Group, name: "system:authenticated"}]',
    ['subjects[system:authenticated]'],
  ],
  ...['system:discovery', 'system:basic-user', 'system:public-info-viewer'].map(
    (name) => [VIEW, '[]', `{kind: ClusterRole, name: "${name}"}`, '[{kind: Group, name: "system:authenticated"}]', []] as const,
  ),
] as const)('a binding of %s to %s that becomes %s to %s gives more to %j', (role, subjects, toRole, toSubjects, paths) => {
  for (const kind of ['RoleBinding', 'ClusterRoleBinding'])
    expect(widenedAccess(bindingOf(role, subjects, kind), bindingOf(toRole, toSubjects, kind), NONE)).toEqual(paths)
})

test('a new binding gives all that it has', () => {
  expect(widenedAccess(undefined, bindingOf(ADMIN, `[${ADA}]`), NONE)).toEqual(['subjects[ada]'])
})

const selecting = (labels: string) => ({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: parse(labels) }] } })
const WIDE = roleOf(`[${secrets('get')}]`, {}, '{name: wide, labels: {to: x}}')
const OTHER = roleOf(`[${secrets('get, list')}]`, {}, '{name: other, labels: {to: y}}')
const own = (labels: string) => roleOf('[]', selecting(labels))

test('a role that takes up the rules of others is wider by what it selects', () => {
  const objects = [WIDE, OTHER, { ...WIDE, kind: 'Role', metadata: { labels: { to: 'z' } } }]
  const beside = { before: objects, after: objects }
  const paths = (before: JsonRecord | undefined, after: JsonRecord) => widenedAccess(before, after, beside)
  expect(paths(own('{to: none}'), own('{to: x}'))).toEqual(['aggregationRule'])
  expect(paths(undefined, own('{to: x}'))).toEqual(['aggregationRule'])
  expect(paths(own('{to: x}'), own('{to: y}'))).toEqual(['aggregationRule'])
  expect(paths(own('{to: y}'), own('{to: x}'))).toEqual([])
  expect(paths(own('{to: none}'), own('{to: z}'))).toEqual([])
  // The other role is where the change is, if the selector stays.
  expect(widenedAccess(own('{to: x}'), own('{to: x}'), { before: [], after: [WIDE] })).toEqual([])
  // What the selected role is given in the same change counts.
  expect(widenedAccess(own('{to: none}'), own('{to: x}'), { before: [], after: [WIDE] })).toEqual(['aggregationRule'])
  expect(widenedAccess(own('{to: y}'), own('{to: x}'), { before: [OTHER], after: [WIDE] })).toEqual([])
})

const labelled = (labels: string, rules = secrets('get')) => roleOf(`[${rules}]`, {}, `{name: a, labels: ${labels}}`)
const builtIn = (name: string) => `rbac.authorization.k8s.io/aggregate-to-${name}`

test.each([
  ['view', secrets('get'), true],
  ['edit', secrets('get'), false],
  ['admin', secrets('get'), false],
  ['edit', secrets('"*"'), true],
  ['edit', ruleOf('get', '""', 'nodes/proxy'), true],
  ['admin', ruleOf('impersonate', '""', 'serviceaccounts'), false],
  ['view', ruleOf('get', '""', 'pods'), false],
  ['other', secrets('get'), false],
])('a label that passes rules to the role %s of Kubernetes: %s is wider: %s', (name, rules, isWider) => {
  const key = builtIn(name)
  const [bare, passing] = [labelled('{}', rules), labelled(`{${key}: "true"}`, rules)]
  expect(widenedAccess(bare, passing, NONE)).toEqual(isWider ? [`metadata.labels["${key}"]`] : [])
  expect(widenedAccess(passing, bare, NONE)).toEqual([])
  expect(widenedAccess(passing, passing, NONE)).toEqual([])
  expect(widenedAccess(bare, labelled(`{${key}: "false"}`, rules), NONE)).toEqual([])
  expect(widenedAccess(labelled(`{${key}: "false"}`, rules), passing, NONE)).toEqual(isWider ? [`metadata.labels["${key}"]`] : [])
})

test('a label that a role of the cluster selects passes rules on, unless the other one has them', () => {
  const paths = (before: JsonRecord, after: JsonRecord, beside: readonly JsonRecord[]) =>
    widenedAccess(before, after, { before: [before, ...beside], after: [after, ...beside] })
  expect(paths(labelled('{}'), labelled('{to: x}'), [own('{to: x}')])).toEqual(['metadata.labels["to"]'])
  expect(paths(labelled('{}'), labelled('{to: x}'), [own('{to: y}')])).toEqual([])
  expect(paths(labelled('{}'), labelled('{to: x}'), [own('{to: x}'), WIDE])).toEqual([])
  expect(paths(labelled('{to: x}'), labelled('{to: x, and: b}'), [own('{to: x}')])).toEqual([])
  // No role takes up the rules of a Role of a namespace.
  const [bare, passing] = [labelled('{}'), labelled('{to: x}')].map((role) => ({ ...role, kind: 'Role' }))
  expect(bare && passing && paths(bare, passing, [own('{to: x}')])).toEqual([])
  // What the role itself gets is named by its rules, not by its labels.
  expect(paths(labelled('{}', ruleOf('get', '""', 'pods')), labelled('{to: x}'), [own('{to: x}')])).toEqual(['rules[0].resources'])
  expect(widenedAccess(undefined, labelled('{to: x}', ruleOf('get', '""', 'pods')), { before: [], after: [own('{to: x}')] })).toEqual([])
})
