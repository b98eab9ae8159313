import { expect, test } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { objectText } from '../testing/run-function.ts'
import { dependencyKey, followDependsOn, RenamedObjects } from './follow-names.ts'

const RBAC = 'rbac.authorization.k8s.io/v1'
const object = (kind: string, name: string, namespace = '', apiVersion = 'v1') =>
  writtenObject(objectText(kind, namespace === '' ? '' : `  namespace: ${namespace}\n`, apiVersion, name))

/** Returns the lines of an object that change when objects get `-x` behind their names. */
function followed(item: KrmObject, ...renamed: readonly KrmObject[]): readonly string[] {
  const names = new RenamedObjects((name) => `${name}-x`)
  for (const each of renamed) names.add(each, each.name ?? '')
  const before = item.toText().split('\n')
  names.follow(item)
  return item
    .toText()
    .split('\n')
    .filter((line) => !before.includes(line))
    .map((line) => line.trim())
}

const pod = (rest: string, namespace = '') =>
  writtenObject(objectText('Pod', `${namespace === '' ? '' : `  namespace: ${namespace}\n`}spec:\n${rest}`))
const MOUNT = '  volumes:\n  - configMap:\n      name: conf\n'

test('a reference to a renamed object gets the new name', () => {
  expect(followed(pod(MOUNT), object('ConfigMap', 'conf'))).toEqual(['name: conf-x'])
})

test.each([
  ['another name', object('ConfigMap', 'other')],
  ['another kind', object('Secret', 'conf')],
  ['another version', object('ConfigMap', 'conf', '', 'v2')],
  ['another namespace', object('ConfigMap', 'conf', 'shop')],
])('an object of %s is not meant', (_, renamed) => {
  expect(followed(pod(MOUNT), renamed)).toEqual([])
})

test('the namespace that is not written is default', () => {
  expect(followed(pod(MOUNT, 'default'), object('ConfigMap', 'conf'))).toEqual(['name: conf-x'])
  expect(followed(pod(MOUNT, 'shop'), object('ConfigMap', 'conf', 'shop'), object('ConfigMap', 'conf'))).toEqual(['name: conf-x'])
})

test('of two objects with one name none is meant, unless the object itself was renamed', () => {
  const twins = [object('ConfigMap', 'conf'), object('ConfigMap', 'conf', 'default')]
  expect(followed(pod(MOUNT), ...twins)).toEqual([])
  const item = pod(MOUNT)
  expect(followed(item, ...twins, item)).toEqual(['name: conf-x'])
})

test('every name of a list is followed on its own', () => {
  const role = writtenObject(objectText('Role', 'rules:\n- resourceNames: [conf, other]\n', RBAC))
  expect(followed(role, object('ConfigMap', 'conf'))).toEqual(['- resourceNames: [conf-x, other]'])
})

test('an object without a namespace may refer to any object, and any object to it', () => {
  const role = writtenObject(objectText('ClusterRole', 'rules:\n- resourceNames: [conf]\n', RBAC))
  expect(followed(role, object('ConfigMap', 'conf', 'shop'))).toEqual(['- resourceNames: [conf-x]'])
  expect(followed(pod('  priorityClassName: conf\n', 'shop'), object('PriorityClass', 'conf', '', 'scheduling.k8s.io/v1'))).toEqual([
    'priorityClassName: conf-x',
  ])
})

const binding = (rest: string, kind = 'RoleBinding') => writtenObject(objectText(kind, `  namespace: shop\n${rest}`, RBAC))
const role = (kind: string) => object(kind, 'admin', kind === 'Role' ? 'shop' : '', RBAC)

test('a roleRef means the kind and the group that it names', () => {
  const refersTo = (kind: string, group = 'rbac.authorization.k8s.io') =>
    binding(`roleRef: {kind: ${kind}, apiGroup: ${group}, name: admin}\n`)
  expect(followed(refersTo('Role'), role('Role'))).toEqual(['roleRef: {kind: Role, apiGroup: rbac.authorization.k8s.io, name: admin-x}'])
  expect(followed(refersTo('ClusterRole'), role('ClusterRole'))).toHaveLength(1)
  expect(followed(refersTo('ClusterRole'), role('Role'))).toEqual([])
  expect(followed(refersTo('Role', 'other'), role('Role'))).toEqual([])
  expect(followed(binding('roleRef: {name: admin}\n'), role('Role'))).toHaveLength(1)
})

test('a subject means the account of its namespace, and gets the namespace', () => {
  const subjects = (namespace: string) => binding(`subjects:\n- {kind: ServiceAccount, name: web${namespace}}\n`)
  const account = (namespace: string) => object('ServiceAccount', 'web', namespace)
  expect(followed(subjects(', namespace: dev'), account('dev'), account('other'))).toEqual([
    '- {kind: ServiceAccount, name: web-x, namespace: dev}',
  ])
  expect(followed(subjects(', namespace: dev'), account('other'))).toEqual([])
  expect(followed(subjects(''), account('shop'))).toEqual(['- {kind: ServiceAccount, name: web-x, namespace: shop}'])
  expect(followed(subjects(', namespace: ""'), account(''))).toEqual([])
})

test('a subject in the group of the binding keeps what it has beside the name, and a subject without an account stays', () => {
  const cluster = writtenObject(objectText('ClusterRoleBinding', 'subjects:\n- {kind: ServiceAccount, name: web, namespace: dev}\n', RBAC))
  const accounts = ['dev', 'shop'].map((namespace) => object('ServiceAccount', 'web', namespace))
  expect(followed(cluster, ...accounts)).toEqual(['- {kind: ServiceAccount, name: web-x, namespace: dev}'])
  const open = writtenObject(objectText('ClusterRoleBinding', 'subjects:\n- {kind: ServiceAccount, name: web}\n', RBAC))
  expect(followed(open, ...accounts)).toEqual([])
  const alone = writtenObject(objectText('ClusterRoleBinding', 'subjects:\n- {kind: ServiceAccount, name: web}\n', RBAC))
  expect(followed(alone, object('ServiceAccount', 'web'))).toEqual(['- {kind: ServiceAccount, name: web-x}'])
})

const DEPENDS_ON = 'config.kubernetes.io/depends-on'
const dependent = (text: string) => writtenObject(objectText('ConfigMap', `  annotations:\n    ${DEPENDS_ON}: ${text}\n`))

test.each([
  ['apps/namespaces/shop/Deployment/db', 'apps/namespaces/shop/Deployment/db-x'],
  ['apps/Deployment/db', 'apps/Deployment/db-x'],
  ['apps/Deployment/other', 'apps/Deployment/other'],
  ['other/Deployment/db', 'other/Deployment/db'],
  ['apps/Job/db', 'apps/Job/db'],
  ['apps/Deployment/db, apps/Deployment/db', 'apps/Deployment/db, apps/Deployment/db'],
])('depends-on %s becomes %s', (text, answer) => {
  const item = dependent(text)
  followDependsOn(item, new Set([dependencyKey(object('Deployment', 'db', 'shop', 'apps/v1'))]), (name) => `${name}-x`)
  expect(item.annotations.get(DEPENDS_ON)).toBe(answer)
})

test('the key of a dependency is group, kind and name, whatever is missing', () => {
  expect(dependencyKey(object('ConfigMap', 'a'))).toBe('/ConfigMap/a')
  expect(dependencyKey(writtenObject('{}\n'))).toBe('//')
  const item = writtenObject('kind: A\n')
  followDependsOn(item, new Set(['//']), (name) => `${name}-x`)
  expect(item.toText()).toBe('kind: A\n')
})
