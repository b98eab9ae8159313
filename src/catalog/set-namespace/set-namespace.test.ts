import { expect, test } from 'vitest'
import { messagesOfRun, objectText, run } from '../testing/run-function.ts'

const SHOP = { namespace: 'shop' }
const NEW = 'namespace: shop'
const RBAC = 'rbac.authorization.k8s.io/v1'
const WEBHOOK = 'spec: {conversion: {webhook: {clientConfig: {service: {namespace: dev, name: a}}}}}\n'
const subjects = (...texts: readonly string[]) => `subjects:\n${texts.map((text) => `- ${text}\n`).join('')}`

test.each([
  // [what, object, lines of v0.4, of v0.2 and v0.1]
  ['an object of a known kind without one', objectText('ConfigMap', ''), [NEW], [NEW]],
  ['an object with an empty one', objectText('ConfigMap', '  namespace: ""\n'), ['namespace: "shop"'], ['namespace: "shop"']],
  ['an object that has it', objectText('ConfigMap', '  namespace: shop\n'), [], []],
  ['an object of an unknown kind without one', objectText('Till', '', 'example.com/v1'), [], [NEW]],
  ['an object of an unknown kind with one', objectText('Till', '  namespace: dev\n', 'example.com/v1'), [NEW], [NEW]],
  ['a kind without namespaces', objectText('ClusterRole', '  namespace: dev\n', RBAC), [], []],
  ['a Namespace', objectText('Namespace', ''), ['name: shop'], ['name: shop']],
  ['an APIService', objectText('APIService', 'spec:\n  service:\n    namespace: dev\n', 'apiregistration.k8s.io/v1'), [NEW], [NEW]],
  ['an APIService without a service', objectText('APIService', 'spec: {}\n', 'apiregistration.k8s.io/v1'), [], []],
  [
    'the webhook of a CustomResourceDefinition',
    objectText('CustomResourceDefinition', WEBHOOK, 'apiextensions.k8s.io/v1'),
    [WEBHOOK.trim().replace('dev', 'shop')],
    [WEBHOOK.trim().replace('dev', 'shop')],
  ],
  ['a CustomResourceDefinition without a webhook', objectText('CustomResourceDefinition', 'spec: {}\n', 'apiextensions.k8s.io/v1'), [], []],
  [
    'a subject with a namespace',
    objectText('ClusterRoleBinding', subjects('{kind: User, name: a, namespace: dev}'), RBAC),
    ['- {kind: User, name: a, namespace: shop}'],
    [],
  ],
  [
    'subjects with none or an empty one',
    objectText('ClusterRoleBinding', subjects('{kind: User, namespace: ~}', '{kind: User, namespace: ""}'), RBAC),
    [],
    [],
  ],
  ['a subject without one', objectText('ClusterRoleBinding', subjects('{kind: User, name: a}'), RBAC), [], []],
  [
    'the account `default` without one',
    objectText('ClusterRoleBinding', subjects('{kind: ServiceAccount, name: default}'), RBAC),
    [],
    ['- {kind: ServiceAccount, name: default, namespace: shop}'],
  ],
  [
    'a subject of a RoleBinding',
    objectText('RoleBinding', subjects('{kind: ServiceAccount, name: default, namespace: dev}'), RBAC),
    [NEW, '- {kind: ServiceAccount, name: default, namespace: shop}'],
    [NEW, '- {kind: ServiceAccount, name: default, namespace: shop}'],
  ],
  [
    'subjects of another kind',
    objectText('Till', `  namespace: shop\n${subjects('{kind: User, name: default, namespace: dev}')}`, 'example.com/v1'),
    [],
    [],
  ],
  ['an object for tools alone', objectText('ConfigMap', '  annotations: {config.kubernetes.io/local-config: "true"}\n'), [], [NEW]],
])('the namespace of %s', (_what, text, newest, kustomize) => {
  expect(run('set-namespace', SHOP, text)).toEqual(newest)
  for (const version of ['v0.2.0', 'v0.1.4']) expect(run(`set-namespace ${version}`, SHOP, text)).toEqual(kustomize)
})

test('v0.2 also writes the namespace of subjects that are accounts of the package', () => {
  const binding = (subject: string) => objectText('ClusterRoleBinding', subjects(subject), RBAC)
  const account = objectText('ServiceAccount', '  namespace: shop\n', 'v1', 'till')
  const after = (version: string, subject: string) => run(`set-namespace ${version}`, SHOP, binding(subject), account)
  expect(after('v0.2.0', '{kind: ServiceAccount, name: till}')).toEqual(['- {kind: ServiceAccount, name: till, namespace: shop}'])
  expect(after('v0.2.0', '{kind: User, name: till}')).toEqual([])
  expect(after('v0.2.0', '{kind: ServiceAccount, name: other}')).toEqual([])
  expect(after('v0.1.4', '{kind: ServiceAccount, name: till}')).toEqual([])
  expect(run('set-namespace v0.2.0', SHOP, objectText('RoleBinding', 'subjects: x\n', RBAC))).toEqual([
    expect.stringContaining('`subjects` must be a list'),
  ])
})

const DEPENDENCY = 'config.kubernetes.io/depends-on'
const depends = (reference: string, namespace = 'dev') =>
  objectText('Till', `  namespace: ${namespace}\n  annotations:\n    ${DEPENDENCY}: ${reference}\n`, 'example.com/v1', 'a')

test.each([
  ['of an object of the package', 'apps/namespaces/dev/Deployment/web', `${DEPENDENCY}: apps/namespaces/shop/Deployment/web`],
  ['of an object of another namespace', 'apps/namespaces/other/Deployment/web', undefined],
  ['of an object of another name', 'apps/namespaces/dev/Deployment/b', undefined],
  ['of an object without a namespace', 'rbac.authorization.k8s.io/ClusterRole/web', undefined],
  ['that is two', 'apps/namespaces/dev/Deployment/web,apps/namespaces/dev/Deployment/b', undefined],
])('a dependency %s follows', (_what, reference, line) => {
  const deployment = objectText('Deployment', '  namespace: dev\n', 'apps/v1')
  const expected = line === undefined ? [NEW, NEW] : [NEW, line, NEW]
  expect(run('set-namespace', SHOP, depends(reference), deployment)).toEqual(expected)
})

test('objects that the new namespace makes equal are refused, and not those that were equal before', () => {
  const inNamespace = (namespace: string) => objectText('ConfigMap', `  namespace: ${namespace}\n`)
  expect(run('set-namespace', SHOP, inNamespace('dev'), inNamespace('test')).at(-1)).toContain(
    "`metadata.namespace` must differ from that of another ConfigMap 'web', got 'shop'",
  )
  expect(run('set-namespace', SHOP, inNamespace('dev'), inNamespace('dev'))).toEqual([NEW, NEW])
  expect(run('set-namespace', SHOP, objectText('Namespace', '', 'v1', 'a'), objectText('Namespace', '', 'v1', 'b')).at(-1)).toContain(
    "`metadata.name` must differ from that of another Namespace, got 'shop'",
  )
})

test.each([
  ['a number', '5'],
  ['a map', '{}'],
  ['null', '~'],
])('a namespace that is %s is refused', (_what, namespace) => {
  expect(run('set-namespace', SHOP, objectText('Till', `  namespace: ${namespace}\n`, 'example.com/v1'))).toEqual([
    expect.stringContaining('`metadata.namespace` must be a string'),
  ])
})

test('the newest version names what it replaced', () => {
  const texts = ['dev', 'test', 'shop'].map((namespace, at) => objectText('ConfigMap', `  namespace: ${namespace}\n`, 'v1', `web-${at}`))
  expect(messagesOfRun('set-namespace', SHOP, ...texts)).toEqual(['namespace "dev","test" updated to "shop", 2 value(s) changed'])
  expect(messagesOfRun('set-namespace', SHOP, ...texts.slice(2))).toEqual(['all namespaces are already "shop". no value changed'])
})

const context = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

test.each([
  ['the name of the package context', context('kptfile.kpt.dev', { name: 'shop' }), [NEW]],
  ['the namespace of the package context', context('kptfile.kpt.dev', { name: 'a', namespace: 'shop' }), [NEW]],
  ['an empty namespace of the package context', context('kptfile.kpt.dev', { name: 'shop', namespace: '' }), [NEW]],
  ['the name in another ConfigMap', context('other', { name: 'shop' }), ['error: `data.namespace` must be set']],
  ['a SetNamespace', { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'SetNamespace', metadata: { name: 'c' }, namespace: 'shop' }, [NEW]],
  [
    'a SetNamespace without one',
    { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'SetNamespace', metadata: { name: 'c' } },
    ['error: `namespace` must be set'],
  ],
])('the namespace comes from %s', (_what, config, expected) => {
  expect(run('set-namespace', config, objectText('ConfigMap', ''))).toEqual(expected)
})

test.each([
  [{ namespace: 5 }, 'namespace: "5"'],
  [{ namespace: '' }, 'error: `data.namespace` must be set'],
  [{ namespace: [] }, expect.stringContaining('`data.namespace` must be a string')],
])('in v0.2 the namespace of %j', (data, expected) => {
  expect(run('set-namespace v0.2.0', context('c', data), objectText('ConfigMap', ''))).toEqual([expected])
})

test('in v0.2 more fields get the namespace, but for the two that kustomize writes by its own rules', () => {
  const config = (...fields: readonly object[]) => ({
    apiVersion: 'fn.kpt.dev/v1alpha1',
    kind: 'SetNamespace',
    metadata: { name: 'c' },
    namespace: 'shop',
    additionalNamespaceFields: fields,
  })
  const binding = objectText('ClusterRoleBinding', '  namespace: dev\nsubjects: []\nspec:\n  in: dev\n', RBAC)
  expect(run('set-namespace v0.2.0', config({ path: 'spec/in' }), binding)).toEqual(['in: shop'])
  expect(run('set-namespace v0.2.0', config({ path: 'metadata/namespace' }), binding)).toEqual([])
  expect(run('set-namespace v0.2.0', config({ path: 'subjects', kind: 'ClusterRoleBinding' }), binding)).toEqual([])
  expect(run('set-namespace v0.2.0', config({ path: 'spec' }), binding)).toEqual([expect.stringContaining('`spec` must be a string')])
})
