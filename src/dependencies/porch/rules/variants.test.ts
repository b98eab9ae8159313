import { expect, test } from 'vitest'
import { KrmObject } from '../../../resource-list/krm-object.ts'
import { readPorchRevisions, readPorchVariants } from '../objects.ts'
import { checkDownstreams, checkUpstreams, pathsNest } from './variants.ts'

const objectOf = (value: object, path = 'object.yaml') =>
  KrmObject.fromDocument(JSON.stringify(value, null, 1), { path, index: 0, line: 1 })

/** Returns a PackageVariant from `REPO/PACKAGE` to `REPO/PACKAGE`. */
function variant(name: string, from: string, to: string, { file = `${name}.yaml`, namespace = 'default', upstream = {} } = {}) {
  const address = (text: string) => ({ repo: text.split('/')[0], package: text.split('/').slice(1).join('/') })
  const spec = { upstream: { ...address(from), ...upstream }, downstream: address(to) }
  return objectOf({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', metadata: { name, namespace }, spec }, file)
}

function revision(address: string, number: number, { lifecycle = 'Published', workspaceName = `v${number}`, namespace = 'default' } = {}) {
  const [repository = '', ...path] = address.split('/')
  const metadata = { name: `${address.replaceAll('/', '.')}.${workspaceName}`, namespace }
  const spec = { repository, packageName: path.join('/'), revision: number, workspaceName, lifecycle }
  return objectOf({ apiVersion: 'porch.kpt.dev/v1alpha1', kind: 'PackageRevision', metadata, spec }, `${metadata.name}.yaml`)
}

const kptfile = (folder: string) => objectOf({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'p' } }, `${folder}/Kptfile`)

type Objects = readonly ReturnType<typeof objectOf>[]

/** Returns the findings about what variants write: the rule, the severity that is not the rule's, the field, the message. */
function downstreams(objects: Objects): readonly (readonly unknown[])[] {
  return checkDownstreams(readPorchVariants(objects), readPorchRevisions(objects)).map(({ rule, severity, place, message }) => [
    severity === undefined ? rule : `${rule} (${severity})`,
    `${place.ref.name} ${place.path.join('.')}`,
    message,
  ])
}

/** Returns the findings about what variants derive from: the rule, the field, the message. */
function upstreams(objects: Objects, search: Partial<Parameters<typeof checkUpstreams>[2]> = {}): readonly (readonly string[])[] {
  const found = checkUpstreams(readPorchVariants(objects), readPorchRevisions(objects), { closed: true, isRendered: false, ...search })
  return found.map(({ rule, place, message }) => [rule, `${place.ref.name} ${place.path.join('.')}`, message])
}

test('two variants must not write one package of one repository', () => {
  expect(downstreams([variant('a', 'up/p', 'eu/p'), variant('b', 'up/p', 'eu/p'), variant('c', 'up/p', 'us/p')])).toEqual([
    ['downstream-duplicate', 'b spec.downstream', 'PackageVariant default/b writes eu/p, as PackageVariant default/a does (a.yaml:13)'],
  ])
  expect(downstreams([variant('a', 'up/p', 'eu/p'), variant('b', 'up/p', 'eu/p', { namespace: 'other' })])).toEqual([])
})

test('a finding has the fields of the second variant as they are, and its package', () => {
  const [found] = checkDownstreams(readPorchVariants([variant('a', 'up/p', 'eu/p'), variant('b', 'up/p', 'eu/p')]), [])
  expect([found?.place.currentValue, found?.tags]).toEqual([
    { repo: 'eu', package: 'p' },
    { ecosystem: 'kpt', package: 'p' },
  ])
  const [nested] = checkDownstreams(readPorchVariants([variant('a', 'up/p', 'eu/p'), variant('b', 'up/p', 'eu/p/q')]), [])
  expect([nested?.place.currentValue, nested?.tags]).toEqual(['p/q', { ecosystem: 'kpt', package: 'p/q' }])
})

test('a variant without a name, a repository or a package is not compared: what it lacks is a fault of its own', () => {
  const incomplete = [variant('', 'up/p', 'eu/p'), variant('b', 'up/p', '/p'), variant('c', 'up/p', 'eu/'), variant('d', 'up/p', 'eu/')]
  expect(downstreams([variant('a', 'up/p', 'eu/p'), ...incomplete])).toEqual([])
})

test('variants of two packages, none in the other, may be alternatives: a warning asks to apply one of them', () => {
  const apart = [kptfile('one'), kptfile('two'), variant('a', 'up/p', 'eu/p', { file: 'one/a.yaml' })]
  expect(downstreams([...apart, variant('b', 'up/p', 'eu/p', { file: 'two/b.yaml' })])).toEqual([
    [
      'downstream-duplicate (warning)',
      'b spec.downstream',
      'PackageVariant default/b of the package two writes eu/p, as PackageVariant default/a of the package one does (one/a.yaml:13); apply one of the two packages',
    ],
  ])
  expect(downstreams([...apart, variant('b', 'up/p', 'eu/p', { file: 'one/b.yaml' })])[0]?.[0]).toBe('downstream-duplicate')
  expect(downstreams([...apart, variant('b', 'up/p', 'eu/p')])[0]?.[0]).toBe('downstream-duplicate')
})

test('an error counts more than a warning: a variant is compared with the one that is applied with it', () => {
  const [one, two, beside] = ['one/a.yaml', 'two/b.yaml', 'two/c.yaml'].map((file, i) => variant(`v${i}`, 'up/p', 'eu/p', { file }))
  const found = downstreams([kptfile('one'), kptfile('two'), one, two, beside].flatMap((each) => each ?? []))
  expect(found.map(([rule, , message]) => [rule, /as PackageVariant default\/(\w+)/.exec(String(message))?.[1]])).toEqual([
    ['downstream-duplicate (warning)', 'v0'],
    ['downstream-duplicate', 'v1'],
  ])
})

test('a package must not be inside another one, whether a variant writes the outer one or Porch has it', () => {
  const inner = variant('inner', 'up/p', 'eu/a/b/c')
  const message = (outer: string) => `PackageVariant default/inner writes eu/a/b/c, inside the package a of ${outer}`
  expect(downstreams([variant('outer', 'up/p', 'eu/a'), inner])).toEqual([
    ['path-nested', 'inner spec.downstream.package', message('PackageVariant default/outer (outer.yaml:15)')],
  ])
  expect(downstreams([revision('eu/a', 1), inner])).toEqual([
    ['path-nested', 'inner spec.downstream.package', message('PackageRevision default/eu.a.v1 (eu.a.v1.yaml:10)')],
  ])
  expect(downstreams([revision('us/a', 1), variant('beside', 'up/p', 'eu/a/bc'), inner])).toEqual([])
})

// Porch pkg/repository, TestPathsOverlap.
test.each([
  ['a', 'a/b', true],
  ['a/b/c', 'a', true],
  ['a', 'a', false],
  ['a', 'ab', false],
  ['a/b', 'a/bc', false],
])('the paths %s and %s nest: %s', (a, b, expected) => {
  expect(pathsNest(a, b)).toBe(expected)
})

test('an upstream is missing where every package is known, or at least one of its repository', () => {
  const missing = ['upstream-missing', 'a spec.upstream', 'PackageVariant default/a requires up/p, and there is no such PackageRevision']
  const a = variant('a', 'up/p', 'eu/p')
  expect(upstreams([a])).toEqual([missing])
  expect(upstreams([a], { closed: false })).toEqual([])
  expect(upstreams([a, revision('up/q', 1)], { closed: false })).toEqual([missing])
  expect(upstreams([a, revision('up/p', 1, { namespace: 'other' })], { closed: false })).toEqual([])
  expect(upstreams([variant('b', 'up/', 'eu/p'), variant('c', '/p', 'eu/p'), variant('', 'up/p', 'eu/p')])).toEqual([])
})

test('the revision or workspace that a variant names must be there; one that is no revision is not searched', () => {
  const known = revision('up/p', 2, { workspaceName: 'ws' })
  const found = (upstream: object) => upstreams([variant('a', 'up/p', 'eu/p', { upstream }), known], { isRendered: true })
  expect(['2', 2, 'v2', -1, 'main'].flatMap((number) => found({ revision: number }))).toEqual([])
  expect(found({ revision: 3 }).map(([rule, , message]) => [rule, message])).toEqual([
    ['upstream-missing', 'PackageVariant default/a requires up/p at revision 3, and there is no such PackageRevision'],
  ])
  expect(found({ workspaceName: 'ws', revision: 3 })).toEqual([])
  expect(found({ workspaceName: 'other', revision: 2 }).map(([, , message]) => message)).toEqual([
    'PackageVariant default/a requires up/p in workspace "other", and there is no such PackageRevision',
  ])
})

test('an upstream must be published; one that is proposed for deletion still is', () => {
  const found = (...lifecycles: readonly string[]) =>
    upstreams([variant('a', 'up/p', 'eu/p'), ...lifecycles.map((lifecycle, i) => revision('up/p', i, { lifecycle }))])
  expect(found('Published')).toEqual([])
  expect(found('DeletionProposed')).toEqual([])
  expect(found('Draft', 'Published')).toEqual([])
  expect(found('Draft', 'Proposed')).toEqual([
    ['upstream-not-published', 'a spec.upstream', 'PackageVariant default/a requires up/p, which is Draft'],
  ])
  expect(found('')[0]?.[2]).toContain('which is of no lifecycle')
})

test('Porch ignores the number of a revision; render, and a workspace beside the number, do not need it', () => {
  const found = (upstream: object, isRendered = false) =>
    upstreams([variant('a', 'up/p', 'eu/p', { upstream }), revision('up/p', 1)], { isRendered })
  expect(found({ revision: 1 })).toEqual([
    [
      'upstream-revision-ignored',
      'a spec.upstream.revision',
      'PackageVariant default/a asks for revision 1 of up/p, which Porch ignores: set `spec.upstream.workspaceName`',
    ],
  ])
  expect(found({ revision: 1 }, true)).toEqual([])
  expect(found({ revision: 1, workspaceName: 'v1' })).toEqual([])
  expect([found({}), found({ revision: -1 }), found({ revision: 'main' })]).toEqual([[], [], []])
  const zero = [variant('a', 'up/p', 'eu/p', { upstream: { revision: 0 } }), revision('up/p', 0)]
  expect(upstreams(zero).map(([rule]) => rule)).toEqual(['upstream-revision-ignored'])
})

test('packages that derive from each other are a circle', () => {
  const circle = [variant('a', 'r/x', 'r/y'), variant('b', 'r/y', 'r/x'), variant('c', 'r/x', 'r/z')]
  expect(upstreams(circle, { closed: false })).toEqual([
    ['upstream-cycle', 'b spec.upstream', 'PackageVariant default/b derives from itself: r/x (b.yaml:9) -> r/y (a.yaml:9) -> r/x'],
  ])
  expect(upstreams([variant('a', 'r/x', 'r/y'), variant('b', 'r/y', 'r/z')], { closed: false })).toEqual([])
})
