import { expect, test } from 'vitest'
import { objectText, run, valuesAfter } from '../testing/run-function.ts'

const RBAC = 'rbac.authorization.k8s.io/v1'
const account = (name: string) => `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: ${name}\n  namespace: shop\n`
const binding = (kind: string, subject: string) => objectText(kind, `  namespace: shop\nsubjects:\n- ${subject}\n`, RBAC)
const custom = (...additionalNamespaceFields: readonly object[]) => ({
  apiVersion: 'fn.kpt.dev/v1alpha1',
  kind: 'SetNamespace',
  metadata: { name: 'c' },
  namespace: 'shop',
  additionalNamespaceFields,
})

// As the namespace transformer of kustomize, which v0.1 and v0.2 call.
test.each([
  ['a field that the config adds', { path: 'spec/ns', create: true }, ['spec: {}', 'ns: shop']],
  ['of one kind alone', { kind: 'Shop', path: 'spec/ns', create: true }, []],
  ['a field that is missing and not made', { path: 'spec/ns', create: false }, []],
])('%s', (_, field, lines) => {
  const text = objectText('Till', '  namespace: shop\nspec: {}\n', 'example.com/v1')
  const expected = lines.length === 0 ? [] : ['ns: shop']
  expect(run('set-namespace v0.2.0', custom(field), text).filter((line) => line !== 'spec:')).toEqual(expected)
})

test('the rules for subjects and for the own namespace stay, whatever the config adds', () => {
  const subject = '{kind: User, name: a}'
  const added = ['RoleBinding', 'ClusterRoleBinding'].map((kind) => ({ kind, path: 'subjects', create: true }))
  for (const kind of ['RoleBinding', 'ClusterRoleBinding'])
    expect(run('set-namespace v0.2.0', custom(...added), binding(kind, subject))).toEqual([])
  const cluster = objectText('ClusterRole', '', RBAC)
  expect(run('set-namespace v0.2.0', custom({ path: 'metadata/namespace', create: true }), cluster)).toEqual([])
  const till = objectText('Till', '  namespace: shop\nsubjects: old\n', 'example.com/v1')
  expect(run('set-namespace v0.2.0', custom({ kind: 'Till', path: 'subjects', create: false }), till)).toEqual(['subjects: shop'])
})

test('an account of the list gets the namespace as a subject in v0.2, and in v0.1 the account default alone', () => {
  const subject = '{kind: ServiceAccount, name: web}'
  const got = '- {kind: ServiceAccount, name: web, namespace: shop}'
  const of = (version: string, ...texts: readonly string[]) => run(`set-namespace ${version}`, { namespace: 'shop' }, ...texts)
  const bound = binding('RoleBinding', subject)
  const perVersion = ['v0.1.4', 'v0.2.0'].map((version) => of(version, bound, account('web')))
  expect(perVersion.filter((lines) => lines.includes(got))).toHaveLength(1)
  expect(of('v0.2.0', bound, account('other'))).toEqual([])
  expect(of('v0.2.0', binding('RoleBinding', '{kind: User, name: web}'), account('web'))).toEqual([])
  expect(of('v0.2.0', binding('RoleBinding', '{kind: User, name: default}'))).toEqual(['- {kind: User, name: default, namespace: shop}'])
})

const WEBHOOK = 'spec/conversion/webhook/clientConfig/service/namespace'

test.each([
  ['Namespace', 'v1', 'metadata/name', true],
  ['APIService', 'apiregistration.k8s.io/v1', 'spec/service/namespace', false],
  ['APIService', 'example.com/v1', 'spec/service/namespace', undefined],
  ['CustomResourceDefinition', 'apiextensions.k8s.io/v1', WEBHOOK, false],
  ['CustomResourceDefinition', 'example.com/v1', WEBHOOK, undefined],
])('a %s of %s has the namespace in %s, made if missing: %s', (kind, apiVersion, path, isMade) => {
  const written = (value: string) => path.split('/').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const after = (fields: object) =>
    valuesAfter('set-namespace v0.2.0', { namespace: 'shop' }, JSON.stringify({ apiVersion, kind, ...fields }))
  const [changed] = after(Object(written('old')))
  expect(changed).toMatchObject(Object(written(isMade === undefined ? 'old' : 'shop')))
  const [made] = after({ metadata: { annotations: { a: 'b' } } })
  if (isMade === true) expect(made).toMatchObject(Object(written('shop')))
  else expect(made).not.toHaveProperty('spec')
})

test('a number is written as spelled', () => {
  const config = { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'SetNamespace', metadata: { name: 'c' }, namespace: 7 }
  expect(valuesAfter('set-namespace v0.2.0', config, objectText('ConfigMap', ''))).toMatchObject([{ metadata: { namespace: '7' } }])
})

test.each([
  ['without a namespace', {}, 'must be set'],
  ['with an empty one', { namespace: '' }, 'must be set'],
  ['with a list', { namespace: ['shop'] }, 'must be a string'],
])('a config %s is an error', (_, data, message) => {
  expect(run('set-namespace v0.2.0', data, objectText('ConfigMap', '')).join()).toContain(message)
})

test.each([
  ['subjects that are no list', objectText('RoleBinding', '  namespace: shop\nsubjects: {a: b}\n', RBAC), 'must be a list'],
  ['a namespace that is a map', objectText('ConfigMap', '  namespace: {a: b}\n'), 'must be a string'],
])('%s are an error', (_, text, message) => {
  expect(run('set-namespace v0.2.0', { namespace: 'shop' }, text).join()).toContain(message)
})
