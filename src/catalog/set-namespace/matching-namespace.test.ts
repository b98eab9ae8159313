import { expect, test } from 'vitest'
import { messagesOfRun, objectText, run } from '../testing/run-function.ts'

const NEW = 'namespace: shop'
const MASTER = 'set-namespace master'
const RBAC = 'rbac.authorization.k8s.io/v1'

/** An object that came from upstream. */
const arrived = (kind: string, rest: string, origin: string, apiVersion = 'v1', name = 'web') =>
  objectText(kind, `  annotations:\n    internal.kpt.dev/upstream-identifier: '${origin}'\n${rest}`, apiVersion, name)
const configMap = (namespace: string, origin = '|ConfigMap|example|web', name = 'web') =>
  arrived('ConfigMap', `  namespace: ${namespace}\n`, origin, 'v1', name)

test.each([
  ['every namespace', undefined, configMap('dev'), [NEW]],
  ['a missing namespace, which is `default`', undefined, arrived('ConfigMap', '', '|ConfigMap|example|web'), [NEW]],
  ['the namespace that it has', 'dev', configMap('dev'), [NEW]],
  ['the namespace that it had upstream', 'example', configMap('dev'), [NEW]],
  ['another namespace', 'other', configMap('dev'), []],
  ['the namespace that it gets', 'shop', configMap('shop'), []],
  ['`default`', 'default', arrived('ConfigMap', '', '|ConfigMap|example|web'), [NEW]],
  ['another one, where there is none', 'other', arrived('ConfigMap', '', '|ConfigMap|example|web'), ['namespace: default']],
  ['the name of a Namespace', 'web', arrived('Namespace', '', '|Namespace||up'), ['name: shop']],
  ['the name of a Namespace upstream', 'up', arrived('Namespace', '', '|Namespace||up'), ['name: shop']],
  ['another name of a Namespace', 'example', arrived('Namespace', '', '|Namespace||up'), []],
  ['any, of an unknown kind, without one', undefined, arrived('Till', '', '|Till|example|web', 'example.com/v1'), []],
  ['any, of an unknown kind', undefined, arrived('Till', '  namespace: dev\n', '|Till|example|web', 'example.com/v1'), [NEW]],
  ['any, of a kind without namespaces', undefined, arrived('ClusterRole', '  namespace: dev\n', '|ClusterRole||web', RBAC), []],
  [
    'that of a subject',
    'dev',
    arrived(
      'ClusterRoleBinding',
      'subjects:\n- {name: a, namespace: dev}\n- {name: b}\n- {name: c, namespace: other}\n',
      '|ClusterRoleBinding||web',
      RBAC,
    ),
    ['- {name: a, namespace: shop}'],
  ],
  [
    'that of a service',
    'dev',
    arrived('APIService', 'spec:\n  service:\n    namespace: dev\n', '|APIService||web', 'apiregistration.k8s.io/v1'),
    [NEW],
  ],
  [
    'that of a service that is missing',
    undefined,
    arrived('APIService', 'spec: {}\n', '|APIService||web', 'apiregistration.k8s.io/v1'),
    [],
  ],
])('the namespace matcher means %s', (_what, namespaceMatcher, text, expected) => {
  expect(run(MASTER, { namespace: 'shop', ...(namespaceMatcher !== undefined && { namespaceMatcher }) }, text)).toEqual(expected)
})

test('without a matcher the objects must come from one namespace, apart from those without namespaces', () => {
  const [a, b] = [configMap('dev', '|ConfigMap|one|a', 'a'), configMap('dev', '|ConfigMap|two|b', 'b')]
  const role = arrived('ClusterRole', '', '|ClusterRole|three|web', RBAC)
  expect(run(MASTER, { namespace: 'shop' }, a, b)).toEqual([expect.stringContaining("got 'one', 'two'")])
  expect(run(MASTER, { namespace: 'shop' }, a, role)).toEqual([NEW])
  expect(run(MASTER, { namespace: 'shop', namespaceMatcher: 'dev' }, a, b)).toEqual([NEW, NEW])
})

test('an object without an origin is named', () => {
  const text = objectText('ConfigMap', '  namespace: dev\n')
  const warning = 'warning: Resource(apiVersion=v1, kind=ConfigMap, namespace=dev, name=web) does not have upstream origin.'
  for (const config of [{}, { namespaceMatcher: 'dev' }])
    expect(run(MASTER, { namespace: 'shop', ...config }, text)).toEqual([NEW, warning])
})

const DEPENDENCY = 'config.kubernetes.io/depends-on'
const depends = (reference: string) =>
  arrived('ConfigMap', `    ${DEPENDENCY}: ${reference}\n  namespace: dev\n`, '|ConfigMap|example|a', 'v1', 'a')

test.each([
  ['of an object of the package', '/namespaces/dev/ConfigMap/web', 'dev', true],
  ['of an object with another namespace than is meant', '/namespaces/dev/ConfigMap/web', 'example', false],
  ['of an object that is not there', '/namespaces/dev/ConfigMap/nope', 'dev', false],
  ['of an object with the new namespace', '/namespaces/shop/ConfigMap/own', 'shop', false],
])('a dependency %s follows what was replaced', (_what, reference, namespaceMatcher, isFollowed) => {
  const own = configMap('shop', '|ConfigMap|example|own', 'own')
  const lines = run(MASTER, { namespace: 'shop', namespaceMatcher }, depends(reference), configMap('dev'), own)
  const line = `${DEPENDENCY}: ${reference.replace('dev', 'shop')}`
  expect(lines.includes(line)).toBe(isFollowed)
})

test('the function names what it replaced, also in objects that it knows by their origin', () => {
  const config = { namespace: 'shop', namespaceMatcher: 'example' }
  expect(messagesOfRun(MASTER, config, configMap('dev'), depends('/namespaces/dev/ConfigMap/web'))).toEqual([
    '[Resource(apiVersion=v1, kind=ConfigMap, namespace=dev, name=web)] has matching origin example',
    '[Resource(apiVersion=v1, kind=ConfigMap, namespace=dev, name=a)] has matching origin example',
    'namespace [dev] updated to "shop", 2 value(s) changed',
    'all `depends-on` annotations are up-to-date. no `namespace` changed',
  ])
  expect(messagesOfRun(MASTER, { namespace: 'shop' }, configMap('b'), depends('/namespaces/b/ConfigMap/web'))).toEqual([
    'namespace [b dev] updated to "shop", 2 value(s) changed',
    '`depends-on` annotation namespace [b] updated to "shop", 1 value(s) changed',
  ])
  expect(messagesOfRun(MASTER, { namespace: 'shop' }, configMap('shop'))).toEqual([
    'all matching namespaces are already "shop". no value changed',
    'all `depends-on` annotations are up-to-date. no `namespace` changed',
  ])
})

test.each([
  [
    'a namespace that is a map',
    arrived('ConfigMap', '  namespace: {}\n', '|ConfigMap|example|web'),
    '`metadata.namespace` must be a string',
  ],
  [
    'subjects that are no list',
    arrived('ClusterRoleBinding', 'subjects: x\n', '|ClusterRoleBinding||web', RBAC),
    '`subjects` must be a list',
  ],
  [
    'the namespace of a subject that is a number',
    arrived('ClusterRoleBinding', 'subjects: [{namespace: 5}]\n', '|ClusterRoleBinding||web', RBAC),
    'must be a string',
  ],
])('%s is refused', (_what, text, message) => {
  expect(run(MASTER, { namespace: 'shop' }, text)).toEqual([expect.stringContaining(message)])
})
