import { expect, test } from 'vitest'
import { objectText, run } from '../testing/run-function.ts'

const DEV = { prepend: 'dev-' }
const RBAC = 'rbac.authorization.k8s.io/v1'

test.each([
  ['a custom resource', objectText('Till', '', 'example.com/v1'), ['name: dev-web']],
  ['an APIService', objectText('APIService', '', 'apiregistration.k8s.io/v1'), []],
  ['an APIService of others', objectText('APIService', '', 'example.com/v1'), ['name: dev-web']],
  ['a Kptfile of others', objectText('Kptfile', '', 'example.com/v1'), ['name: dev-web']],
  ['an object whose name has the text inside', objectText('ConfigMap', '', 'v1', 'a-dev-b'), []],
])('the name of %s', (_what, text, expected) => {
  expect(run('ensure-name-substring', DEV, text)).toEqual(expected)
})

const own = (fields: object, name: string | undefined = 'c') => ({
  apiVersion: 'fn.kpt.dev/v1alpha1',
  kind: 'EnsureNameSubstring',
  ...(name !== undefined && { metadata: { name } }),
  ...fields,
})

test.each([
  ['in front by default', own({ substring: 'p-' }), ['name: p-web']],
  ['behind', own({ substring: '-s', editMode: 'append' }), ['name: web-s']],
  ['in front', own({ substring: 'p-', editMode: 'prepend' }), ['name: p-web']],
  ['a number', own({ substring: 5 }), ['name: 5web']],
  ['no text', own({}), ['error: `substring` must be set']],
  ['a list', own({ substring: ['p'] }), [expect.stringContaining('`substring` must be a string')]],
  [
    'nowhere',
    own({ substring: 'p-', editMode: 'appends' }),
    [expect.stringContaining("must be one of 'prepend', 'append', got 'appends'; did you mean 'append'")],
  ],
  ['no name', own({ substring: 'p-' }, ''), ['error: `metadata.name` must be set']],
  [
    'two lists of fields',
    own({ substring: 'p-', additionalNameFields: [], fieldSpecs: [] }),
    [expect.stringContaining('`fieldSpecs` must not be set beside `additionalNameFields`')],
  ],
  ['a field', own({ substring: 'p-', additionalNameFields: [{ path: 'data/own' }] }), ['name: p-web', 'own: p-x']],
  ['a field under the old name', own({ substring: 'p-', fieldSpecs: [{ path: 'data/own' }] }), ['name: p-web', 'own: p-x']],
  ['a field of another kind', own({ substring: 'p-', fieldSpecs: [{ path: 'data/own', kind: 'Pod' }] }), ['name: p-web']],
  ['a field that is missing', own({ substring: 'p-', fieldSpecs: [{ path: 'data/new' }] }), ['name: p-web']],
  ['a field that is made', own({ substring: 'p-', fieldSpecs: [{ path: 'data/new', create: true }] }), ['name: p-web', 'new: p-']],
  ['a map', own({ substring: 'p-', fieldSpecs: [{ path: 'data' }] }), [expect.stringContaining('`data` must be a string')]],
])('an EnsureNameSubstring with %s', (_what, config, expected) => {
  expect(run('ensure-name-substring', config, objectText('ConfigMap', 'data:\n  own: x\n'))).toEqual(expected)
})

const pod = (spec: string, name = 'dev-app', rest = '') => objectText('Pod', `${rest}spec: ${spec}\n`, 'v1', name)
const web = (kind: string, rest = '', apiVersion = 'v1') => objectText(kind, rest, apiVersion)

test.each([
  ['a ConfigMap of a volume', web('ConfigMap'), pod('{volumes: [{configMap: {name: web}}]}'), true],
  ['a Secret where a ConfigMap was renamed', web('ConfigMap'), pod('{volumes: [{secret: {secretName: web}}]}'), false],
  ['a Secret of a volume', web('Secret'), pod('{volumes: [{secret: {secretName: web}}]}'), true],
  ['an account', web('ServiceAccount'), pod('{serviceAccountName: web}'), true],
  ['another account', web('ServiceAccount'), pod('{serviceAccountName: other}'), false],
  ['an account that is null', web('ServiceAccount'), pod('{serviceAccountName: null}'), false],
  [
    'an account of another namespace',
    web('ServiceAccount', '  namespace: a\n'),
    pod('{serviceAccountName: web}', 'dev-app', '  namespace: b\n'),
    false,
  ],
  [
    'an account of the same namespace',
    web('ServiceAccount', '  namespace: a\n'),
    pod('{serviceAccountName: web}', 'dev-app', '  namespace: a\n'),
    true,
  ],
  ['an account of the namespace `default`', web('ServiceAccount', '  namespace: default\n'), pod('{serviceAccountName: web}'), true],
  [
    'an account with an empty namespace',
    web('ServiceAccount', '  namespace: ""\n'),
    pod('{serviceAccountName: web}', 'dev-app', '  namespace: default\n'),
    true,
  ],
  [
    'a priority, which has no namespace',
    web('PriorityClass', '', 'scheduling.k8s.io/v1'),
    pod('{priorityClassName: web}', 'dev-app', '  namespace: b\n'),
    true,
  ],
])('a reference to %s follows', (_what, renamed, user, isFollowed) => {
  const lines = run('ensure-name-substring', DEV, renamed, user)
  expect(lines[0]).toBe('name: dev-web')
  expect(lines).toHaveLength(isFollowed ? 2 : 1)
})

const binding = (kind: string, subject: string, role = '{kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: r}', rest = '') =>
  objectText(kind, `${rest}subjects:\n- ${subject}\nroleRef: ${role}\n`, RBAC, 'dev-b')

test.each([
  ['the account of its own namespace', 'RoleBinding', '{kind: ServiceAccount, name: web}', '', ['- {kind: ServiceAccount, name: dev-web}']],
  [
    'the account of the namespace beside the name',
    'ClusterRoleBinding',
    '{kind: ServiceAccount, name: web, namespace: a}',
    '  namespace: a\n',
    ['- {kind: ServiceAccount, name: dev-web, namespace: a}'],
  ],
  ['an account of another namespace', 'ClusterRoleBinding', '{kind: ServiceAccount, name: web, namespace: b}', '  namespace: a\n', []],
  [
    'an account of another namespace that a RoleBinding names',
    'RoleBinding',
    '{kind: ServiceAccount, name: web, namespace: a}',
    '  namespace: a\n',
    ['- {kind: ServiceAccount, name: dev-web, namespace: a}'],
  ],
  [
    'an account of another namespace that a RoleBinding does not name',
    'RoleBinding',
    '{kind: ServiceAccount, name: web}',
    '  namespace: a\n',
    [],
  ],
  [
    'an account whose namespace the name lacks',
    'ClusterRoleBinding',
    '{kind: ServiceAccount, name: web}',
    '  namespace: a\n',
    ['- {kind: ServiceAccount, name: dev-web, namespace: a}'],
  ],
])('a subject of a binding follows %s', (_what, kind, subject, rest, expected) => {
  expect(run('ensure-name-substring', DEV, web('ServiceAccount', rest), binding(kind, subject))).toEqual(['name: dev-web', ...expected])
})

test.each([
  ['its kind and group', '{kind: ClusterRole, apiGroup: rbac.authorization.k8s.io, name: web}', true],
  ['another kind', '{kind: Role, apiGroup: rbac.authorization.k8s.io, name: web}', false],
  ['another group', '{kind: ClusterRole, apiGroup: example.com, name: web}', false],
  ['no group', '{kind: ClusterRole, name: web}', true],
])('a role with %s follows', (_what, role, isFollowed) => {
  const lines = run(
    'ensure-name-substring',
    DEV,
    web('ClusterRole', '', RBAC),
    binding('ClusterRoleBinding', '{kind: User, name: u}', role),
  )
  expect(lines).toHaveLength(isFollowed ? 2 : 1)
})

test('a name that two objects had is followed only by an object that is renamed, too', () => {
  const two = ['a', 'b'].map((namespace) => web('ServiceAccount', `  namespace: ${namespace}\n`))
  const subject = '{kind: ServiceAccount, name: web}'
  expect(run('ensure-name-substring', DEV, ...two, binding('ClusterRoleBinding', subject))).toEqual(['name: dev-web', 'name: dev-web'])
  const renamed = binding('ClusterRoleBinding', subject).replace('dev-b', 'b')
  expect(run('ensure-name-substring', DEV, ...two, renamed)).toEqual([
    'name: dev-web',
    'name: dev-web',
    'name: dev-b',
    '- {kind: ServiceAccount, name: dev-web, namespace: a}',
  ])
})

test.each([
  ['with a namespace', 'apps/namespaces/a/Deployment/web', 'apps/namespaces/a/Deployment/dev-web'],
  ['without a namespace', 'apps/Deployment/web', 'apps/Deployment/dev-web'],
  ['to an object that is not there', 'apps/Deployment/other', undefined],
  ['to another kind', 'apps/StatefulSet/web', undefined],
  ['that is two', 'apps/Deployment/web,apps/Deployment/web', undefined],
])('a dependency %s follows in an object that is renamed', (_what, reference, expected) => {
  const key = 'config.kubernetes.io/depends-on'
  const user = (name: string) => objectText('Till', `  annotations:\n    ${key}: ${reference}\n`, 'example.com/v1', name)
  const after = expected === undefined ? [] : [`${key}: ${expected}`]
  expect(run('ensure-name-substring', DEV, web('Deployment', '', 'apps/v1'), user('app'))).toEqual([
    'name: dev-web',
    'name: dev-app',
    ...after,
  ])
  expect(run('ensure-name-substring', DEV, web('Deployment', '', 'apps/v1'), user('dev-app'))).toEqual(['name: dev-web'])
})

test('two objects of one name are refused', () => {
  expect(run('ensure-name-substring', DEV, web('ConfigMap'), web('ConfigMap'))).toEqual([expect.stringContaining("got 'web' for both")])
})
