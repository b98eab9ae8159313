import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { resultsOf } from '../run.ts'
import { CATALOG } from './catalog.ts'
import { namesInResults, objectText, run } from './testing/run-function.ts'

const podText = (image: string, kind = 'Deployment', apiVersion = 'apps/v1') =>
  objectText(kind, `spec:\n  template:\n    spec:\n      containers:\n        - name: a\n          image: ${image}\n`, apiVersion)

test.each([
  ['a new tag', { name: 'nginx', newTag: '2' }, 'nginx:1', ['image: nginx:2']],
  ['a tag where there was none', { name: 'nginx', newTag: '2' }, 'nginx', ['image: nginx:2']],
  ['a new name with the old tag', { name: 'nginx', newName: 'm/web' }, 'nginx:1', ['image: m/web:1']],
  ['a new name and tag', { name: 'nginx', newName: 'web', newTag: '2' }, 'nginx:1', ['image: web:2']],
  ['a digest instead of the tag', { name: 'nginx', digest: 'sha256:ab' }, 'nginx:1', ['image: nginx@sha256:ab']],
  ['the port of a registry, which is no tag', { name: 'r:80/nginx', newTag: '2' }, 'r:80/nginx', ['image: r:80/nginx:2']],
  ['another image', { name: 'nginx', newTag: '2' }, 'my/nginx:1', []],
  ['an image with a longer name', { name: 'nginx', newTag: '2' }, 'nginx-x:1', []],
  ['a name that is missing', { newTag: '2' }, 'nginx:1', ['error: `data.name` must be set']],
  ['nothing new', { name: 'nginx' }, 'nginx:1', [expect.stringContaining("must have one of 'newName', 'newTag', 'digest'")]],
  [
    'a tag and a digest',
    { name: 'nginx', newTag: '2', digest: 'sha256:ab' },
    'nginx:1',
    ['error: `data.digest` must not be set beside `newTag`'],
  ],
])('set-image: %s', (_what, config, image, expected) => {
  expect(run('set-image', config, podText(image))).toEqual(expected)
})

test('set-image leaves CustomResourceDefinitions alone', () => {
  expect(
    run('set-image', { name: 'nginx', newTag: '2' }, podText('nginx:1', 'CustomResourceDefinition', 'apiextensions.k8s.io/v1')),
  ).toEqual([])
})

test.each([
  ['in front', { prepend: 'p-' }, objectText('ConfigMap', ''), ['name: p-web']],
  ['behind', { append: '-s' }, objectText('ConfigMap', ''), ['name: web-s']],
  ['that is there in front', { prepend: 'we' }, objectText('ConfigMap', ''), []],
  ['that is there behind', { append: 'eb' }, objectText('ConfigMap', ''), []],
  ['of a Namespace', { prepend: 'p-' }, objectText('Namespace', ''), []],
  ['of a CustomResourceDefinition', { prepend: 'p-' }, objectText('CustomResourceDefinition', '', 'apiextensions.k8s.io/v1'), []],
  ['of a Kptfile', { prepend: 'p-' }, objectText('Kptfile', '', 'kpt.dev/v1'), []],
  ['in front and behind', { prepend: 'p-', append: '-s' }, objectText('ConfigMap', ''), [expect.stringContaining('must have one of')]],
  ['that is empty', { prepend: '' }, objectText('ConfigMap', ''), [expect.stringContaining('must have a text')]],
])('ensure-name-substring: a text %s', (_what, config, text, expected) => {
  expect(run('ensure-name-substring', config, text)).toEqual(expected)
})

test('ensure-name-substring lets references follow the name', () => {
  const user = objectText(
    'Deployment',
    'spec:\n  template:\n    spec:\n      volumes:\n        - name: v\n          configMap:\n            name: web\n',
    'apps/v1',
    'app',
  )
  expect(run('ensure-name-substring', { prepend: 'p-' }, objectText('ConfigMap', ''), user)).toEqual([
    'name: p-web',
    'name: p-app',
    'name: p-web',
  ])
})

test.each([
  ['a new label', { env: 'prod' }, objectText('ConfigMap', ''), ['labels:', 'env: prod']],
  ['another value', { env: 'prod' }, objectText('ConfigMap', '  labels:\n    env: dev\n'), ['env: prod']],
  ['the same value', { env: 'prod' }, objectText('ConfigMap', '  labels:\n    env: prod\n'), []],
])('set-labels: %s', (_what, config, text, expected) => {
  expect(run('set-labels', config, text)).toEqual(expected)
})

test('set-labels writes the selector of a Service and the template of a Deployment', () => {
  expect(run('set-labels', { env: 'p' }, objectText('Service', 'spec:\n  selector:\n    app: a\n'))).toEqual([
    'labels:',
    'env: p',
    'env: p',
  ])
  expect(run('set-labels', { env: 'p' }, podText('i')).filter((line) => line === 'env: p')).toHaveLength(3)
})

test('set-annotations writes annotations of the object and of its pods', () => {
  expect(run('set-annotations', { team: 'till' }, objectText('ConfigMap', ''))).toEqual(['annotations:', 'team: till'])
  expect(run('set-annotations', { team: 'till' }, podText('i')).filter((line) => line === 'team: till')).toHaveLength(2)
})

test.each([
  ['an object without a namespace', objectText('ConfigMap', ''), ['namespace: shop']],
  ['an object of another namespace', objectText('ConfigMap', '  namespace: dev\n'), ['namespace: shop']],
  ['an object of a kind without namespaces', objectText('ClusterRole', '', 'rbac.authorization.k8s.io/v1'), []],
  [
    'the subject of a binding',
    objectText(
      'ClusterRoleBinding',
      'subjects:\n  - kind: ServiceAccount\n    name: default\n    namespace: dev\n',
      'rbac.authorization.k8s.io/v1',
    ),
    ['namespace: shop'],
  ],
])('set-namespace: %s', (_what, text, expected) => {
  expect(run('set-namespace', { namespace: 'shop' }, text)).toEqual(expected)
})

test.each([
  ['a setter alone', { n: '3' }, 'spec:\n  replicas: 1 # kpt-set: ${n}\n', ['replicas: 3 # kpt-set: ${n}']],
  ['a part of a value', { tag: '2' }, 'image: nginx:1 # kpt-set: ${image}:${tag}\n', ['image: nginx:2 # kpt-set: ${image}:${tag}']],
  ['a setter that has no value', { other: '2' }, 'image: nginx:1 # kpt-set: ${image}:${tag}\n', []],
  ['a list', { l: '[b, c]' }, 'args: # kpt-set: ${l}\n  - a\n', ['- b', '- c']],
  ['a value that no setter fits', { b: 'x' }, 'image: nginx # kpt-set: ${a}:${b}\n', [expect.stringContaining('error: ')]],
])('apply-setters: %s', (_what, config, text, expected) => {
  expect(run('apply-setters', config, objectText('Till', text, 'example.com/v1'))).toEqual(expected)
})

test('create-setters writes a comment where a value is that of a setter', () => {
  expect(
    run('create-setters', { image: 'nginx', tag: '1.7' }, objectText('Till', 'image: nginx:1.7\nother: web\n', 'example.com/v1')),
  ).toEqual(['image: nginx:1.7 # kpt-set: ${image}:${tag}'])
})

test.each([
  ['a value', { 'by-value': 'x', 'put-value': 'y' }, ['one: y', 'y: y']],
  ['a path', { 'by-path': 'spec.one', 'put-value': 'y' }, ['one: y']],
  ['a path with a value', { 'by-path': 'spec.*', 'by-value': 'x', 'put-value': 'z' }, ['one: z']],
  ['a path of any depth', { 'by-path': '**.y', 'put-value': 'z' }, ['y: z']],
  ['an expression with its group', { 'by-value-regex': '^w(.)b$', 'by-path': 'spec.**', 'put-value': '${1}!' }, ['two: e!']],
  ['a field that is missing', { 'by-path': 'spec.new', 'put-value': 'v' }, ['new: v']],
  ['one field that has another value', { 'by-path': 'spec.one', 'by-value': 'nope', 'put-value': 'z' }, []],
  ['a comment', { 'by-value': 'x', 'by-path': 'spec.one', 'put-comment': 'kpt-set: ${a}' }, ['one: x # kpt-set: ${a}']],
  ['objects of other files', { 'by-value': 'x', 'put-value': 'y', 'by-file-path': 'other/*.yaml' }, []],
  ['objects of a file', { 'by-value': 'x', 'put-value': 'y', 'by-file-path': '{0,1}.yam?' }, ['one: y', 'y: y']],
  ['two matchers of values', { 'by-value': 'x', 'by-value-regex': 'x' }, [expect.stringContaining('must not be set beside `by-value`')]],
  ['a pattern that is none', { 'by-value': 'x', 'by-file-path': '[a' }, [expect.stringContaining('must be a pattern of paths')]],
])('search-replace: %s', (_what, config, expected) => {
  expect(run('search-replace', config, objectText('Till', 'spec:\n  one: x\n  two: web\n  three:\n    y: x\n', 'example.com/v1'))).toEqual(
    expected,
  )
})

test('remove-local-config-resources removes what is kept from clusters alone', () => {
  const text = (value: string) => objectText('ConfigMap', `  annotations:\n    config.kubernetes.io/local-config: '${value}'\n`)
  const removed = (value: string) => run('remove-local-config-resources', {}, text(value))
  expect(removed('true')).toEqual(['1 removed'])
  const none = ['warning: Found no resources to prune with the local config annotation']
  expect(removed('false')).toEqual(none)
  expect(run('remove-local-config-resources', {}, objectText('ConfigMap', ''))).toEqual(none)
})

test('apply-replacements copies a field of one object into fields of others', () => {
  const config = (source: JsonRecord, target: JsonRecord): JsonRecord => ({
    apiVersion: 'fn.kpt.dev/v1alpha1',
    kind: 'ApplyReplacements',
    metadata: { name: 'r' },
    replacements: [{ source, targets: [target] }],
  })
  const source = { kind: 'ConfigMap', fieldPath: 'data.origin' }
  const target = { select: { kind: 'Till' }, fieldPaths: ['spec.host'] }
  const objects = [objectText('ConfigMap', 'data:\n  origin: a.example\n'), objectText('Till', 'spec:\n  host: old\n', 'example.com/v1')]
  expect(run('apply-replacements', config(source, target), ...objects)).toEqual(['host: a.example'])
  expect(run('apply-replacements', config(source, { ...target, select: { kind: 'Other' } }), ...objects)).toEqual([])
  expect(run('apply-replacements', config({ ...source, fieldPath: 'data.nope' }, target), ...objects)).toEqual([
    expect.stringContaining('error: '),
  ])
})

test('list-setters names each setter with its value', () => {
  const fn = CATALOG.find(({ name }) => name === 'list-setters')
  const item = KrmObject.fromDocument(objectText('Till', 'image: nginx:1 # kpt-set: ${image}:${tag}\n', 'example.com/v1'), {
    path: 'a.yaml',
    index: 0,
    line: 1,
  })
  const list = ResourceList.of([item])
  const results = fn === undefined ? [] : resultsOf(fn.at(fn.versions[0] ?? ''), list)
  expect(results.map(({ message }) => message)).toEqual(
    expect.arrayContaining([expect.stringContaining('image'), expect.stringContaining('tag')]),
  )
})

test('results about a new name are of the object with its name in the file', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web # kpt-set: ${name}\n  namespace: web # kpt-set: ${name}\n'
  expect(namesInResults('apply-setters', { name: 'shop' }, text)).toEqual(['web', 'web'])
  expect(namesInResults('search-replace', { 'by-path': 'metadata.name', 'put-value': 'shop' }, text)).toEqual(['web'])
})
