import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { isRendered, porchRevisionNumber, readPorchRevisions, readPorchVariants, readTaggedFunctions } from './objects.ts'

const objectOf = (value: object, path = 'object.yaml') =>
  KrmObject.fromDocument(JSON.stringify(value, null, 1), { path, index: 0, line: 1 })

const variantIn = (path: string, upstream: object = {}) =>
  objectOf({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name: 'v' }, spec: { upstream } }, path)
const kptfile = (folder: string, content: object = {}, apiVersion = 'kpt.dev/v1') =>
  objectOf({ apiVersion, kind: 'Kptfile', metadata: { name: 'p' }, ...content }, `${folder}Kptfile`)

test('a variant belongs to the outermost package that holds its file', () => {
  const rootOf = (path: string, ...folders: readonly string[]) =>
    readPorchVariants([variantIn(path), ...folders.map((folder) => kptfile(folder))]).map(({ root }) => root)
  expect(rootOf('a/b/c/v.yaml', 'a/', 'a/b/')).toEqual(['a'])
  expect(rootOf('a/b/c/v.yaml', 'a/b/')).toEqual(['a/b'])
  expect(rootOf('a/v.yaml', 'b/')).toEqual([''])
  expect(rootOf('a/v.yaml', 'a/', '')).toEqual([''])
})

test('the revision of a variant is a number or a text, and nothing else', () => {
  const read = [3, 'v3', ['3'], true].map((revision) => readPorchVariants([variantIn('v.yaml', { revision })])[0]?.revision)
  expect(read).toEqual([3, 'v3', undefined, undefined])
})

test('a variant has the addresses of both sides in its own namespace', () => {
  const spec = { upstream: { repo: 'up', package: 'a/b', workspaceName: 'w' }, downstream: { repo: 'down', package: 'c' } }
  const metadata = { name: 'v', namespace: 'team' }
  const objects = ['config.porch.kpt.dev/v1alpha1', 'example.com/v1'].map((apiVersion) =>
    objectOf({ apiVersion, kind: 'PackageVariant', metadata, spec }),
  )
  expect(readPorchVariants(objects).map(({ upstream, downstream, workspaceName }) => [upstream, downstream, workspaceName])).toEqual([
    [{ namespace: 'team', repository: 'up', package: 'a/b' }, { namespace: 'team', repository: 'down', package: 'c' }, 'w'],
  ])
})

test('a PackageRevision is read with its package, number, workspace and lifecycle', () => {
  const spec = { repository: 'up', packageName: 'a/b', revision: 2, workspaceName: 'w', lifecycle: 'Draft' }
  const object = objectOf({
    apiVersion: 'porch.kpt.dev/v1alpha1',
    kind: 'PackageRevision',
    metadata: { name: 'r', namespace: 'team' },
    spec,
  })
  expect(readPorchRevisions([object, variantIn('v.yaml')])).toEqual([
    { object, namespace: 'team', repository: 'up', package: 'a/b', revision: 2, workspaceName: 'w', lifecycle: 'Draft' },
  ])
})

// Porch pkg/repository, Revision2Int.
test.each([
  [1, 1],
  ['1', 1],
  ['v1', 1],
  ['main', -1],
  [undefined, -1],
  [true, -1],
])('the revision %j is the number %i', (revision, number) => {
  expect(porchRevisionNumber(revision)).toBe(number)
})

test('render makes the packages where a RenderVariants of our own group is among the objects', () => {
  const configOf = (apiVersion: string, kind: string) => objectOf({ apiVersion, kind, metadata: { name: 'r' } })
  expect(isRendered([configOf('fn.krm-variants.dev/v1alpha1', 'RenderVariants'), configOf('v1', 'ConfigMap')])).toBe(true)
  expect(isRendered([configOf('fn.krm-variants.dev/v1alpha1', 'FanOut'), configOf('example.com/v1', 'RenderVariants')])).toBe(false)
})

test('functions with a tag are those of mutators and validators of Kptfiles that have an image', () => {
  const pipeline = {
    mutators: [{ image: 'a', tag: '1.x' }, { image: 'b' }, { tag: '2.x' }, { exec: './run' }],
    validators: [{ image: 'c', tag: '3.x' }],
    others: [{ image: 'd', tag: '4.x' }],
  }
  const read = readTaggedFunctions([kptfile('', { pipeline }), kptfile('other/', { pipeline }, 'example.com/v1'), variantIn('v.yaml')])
  expect(read.map(({ image, tag, tagField }) => [image, tag, tagField.value])).toEqual([
    ['a', '1.x', '1.x'],
    ['c', '3.x', '3.x'],
  ])
})
