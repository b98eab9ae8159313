import { expect, test } from 'vitest'
import { messagesOfRun, objectText, run } from '../testing/run-function.ts'

const container = (list: string, image: string, indent: string) => `${indent}${list}:\n${indent}- name: a\n${indent}  image: ${image}\n`
const POD = (list: string, image = 'nginx:1') => objectText('Pod', `spec:\n${container(list, image, '  ')}`)
const inTemplate = (kind: string, list: string) =>
  objectText(kind, `spec:\n  template:\n    spec:\n${container(list, 'nginx:1', '      ')}`, 'apps/v1')

test.each([
  ['v0.1.1', 'a container', POD('containers'), true],
  ['v0.1.1', 'an init container', POD('initContainers'), true],
  ['v0.1.1', 'a container of a template', inTemplate('Till', 'containers'), true],
  ['v0.1.1', 'an init container of a template', inTemplate('Till', 'initContainers'), true],
  ['v0.1.1', 'a container of a CustomResourceDefinition', inTemplate('CustomResourceDefinition', 'containers'), false],
  ['master', 'a container', POD('containers'), true],
  ['master', 'an init container', POD('initContainers'), false],
  ['master', 'a container of a Deployment', inTemplate('Deployment', 'containers'), true],
  ['master', 'a container of a PodTemplate', inTemplate('PodTemplate', 'containers'), true],
  ['master', 'a container of a kind of others', inTemplate('Till', 'containers'), false],
])('set-image %s: the image of %s', (version, _what, text, isWritten) => {
  expect(run(`set-image ${version}`, { name: 'nginx', newTag: '2' }, text)).toEqual(isWritten ? ['image: nginx:2'] : [])
})

test.each([
  // kustomize of v0.1.1 knows a tag or a digest behind the name, not both.
  ['v0.1.1', 'nginx', 'nginx@sha256:ab', { newTag: '2' }, ['image: nginx:2']],
  ['v0.1.1', 'nginx', 'nginx:1@sha256:ab', { newTag: '2' }, []],
  ['master', 'nginx', 'nginx:1@sha256:ab', { newTag: '2' }, ['image: nginx:2']],
  ['master', 'nginx', 'nginx:1@sha256:ab', { digest: 'sha256:cd' }, ['image: nginx@sha256:cd']],
  ['master', 'nginx', 'nginx:1@sha256:ab', { newName: 'web' }, ['image: web:1@sha256:ab']],
  ['master', 'nginx', 'nginx:1', { newTag: '2', digest: 'sha256:cd' }, ['image: nginx@sha256:cd']],
  ['v0.1.1', 'r:80/nginx', 'r:80/nginx:1', { newName: 'web' }, ['image: web:1']],
  ['v0.1.1', 'r:80/nginx', 'r:80/nginx', { newName: 's:90/web' }, ['image: s:90/web']],
  ['v0.1.1', 'ng.*', 'nginx:1', { newTag: '2' }, ['image: nginx:2']],
  ['v0.1.1', 'ng[', 'nginx:1', { newTag: '2' }, [expect.stringContaining('error: `data.name`')]],
])('set-image %s: the images %s, of which one is %s, get %j', (version, name, image, change, expected) => {
  expect(run(`set-image ${version}`, { name, ...change }, POD('containers', image))).toEqual(expected)
})

test.each([
  ['v0.1.1', '5', ['image: "5:2"']],
  ['v0.1.1', '{a: b}', [expect.stringContaining('must be a string, got')]],
  ['v0.1.1', 'null', []],
  ['master', '5', [expect.stringContaining('must be a string, got')]],
  ['master', 'null', []],
])('set-image %s: an image with the value %s, where any image is meant', (version, image, expected) => {
  expect(run(`set-image ${version}`, { name: '.*', newTag: '2' }, POD('containers', image))).toEqual(expected)
})

const own = (image: object, fields: readonly object[] = []) => ({
  apiVersion: 'fn.kpt.dev/v1alpha1',
  kind: 'SetImage',
  metadata: { name: 'c' },
  image: { name: 'nginx', ...image },
  additionalImageFields: fields,
})

test('a SetImage has its options in `image`, and more fields for some kinds or for all', () => {
  const text = objectText('Till', 'spec:\n  runs: nginx:1\n', 'example.com/v1')
  expect(run('set-image', own({ newTag: '2' }), text)).toEqual([])
  expect(run('set-image', own({ newTag: '2' }, [{ path: 'spec/runs' }]), text)).toEqual(['runs: nginx:2'])
  expect(run('set-image', own({ newTag: '2' }, [{ path: 'spec/runs', kind: 'Pod' }]), text)).toEqual([])
  expect(run('set-image master', own({ newTag: '2' }, [{ path: 'spec/runs', group: 'example.com' }]), text)).toEqual(['runs: nginx:2'])
  expect(run('set-image', own({ name: '', newTag: '2' }), text)).toEqual(['error: `image.name` must be set'])
  expect(run('set-image', own({ newTag: '2', digest: 'sha256:ab' }), text)).toEqual([
    'error: `image.digest` must not be set beside `newTag`',
  ])
})

test('v0.1.1 names each image with the name, changed or not, and master counts the changed ones', () => {
  const change = { name: 'nginx', newTag: '2' }
  const texts = ['nginx:1', 'nginx:2', 'web:1'].map((image) => POD('containers', image))
  expect(messagesOfRun('set-image', change, ...texts)).toEqual(['set image from nginx:1 to nginx:2', 'set image from nginx:2 to nginx:2'])
  expect(messagesOfRun('set-image', change, POD('containers', 'web:1'))).toEqual(['no images changed'])
  expect(messagesOfRun('set-image master', change, ...texts)).toEqual(['summary: updated a total of 1 image(s)'])
})
