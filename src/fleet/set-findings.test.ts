import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { formatResult } from '../result.ts'
import { list, planOf, repository, setOf, variant } from './testing/fleet-of-objects.ts'

const OWNER = 'krm-variants.dev/package-variant-set'
const LABEL = 'config.porch.kpt.dev/packagevariantset'

const withMetadata = (object: JsonRecord, metadata: JsonRecord): JsonRecord => ({ ...object, metadata })

/** Returns the findings of one rule, as lines without their places. */
function linesOf(rule: string, ...objects: readonly JsonRecord[]): readonly string[] {
  const results = planOf(objects).results.filter(({ tags }) => tags.rule === rule)
  return results.map((result) => formatResult(result).replace(/^fleet\/all\.yaml(:\d+:\d+)?: /, ''))
}

test('a list without a set is a warning with what was read, and at most three objects that are nearly sets', () => {
  expect(linesOf('no-set', setOf([list('a')]))).toEqual([])
  expect(linesOf('no-set', repository('a'))).toEqual([
    expect.stringMatching(/^warning: the input must hold a PackageVariantSet or PackageVariantMatrix; read [^;]+ \[no-set\]$/),
  ])
  const near = ['a', 'b', 'c', 'd'].map((name) => ({
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSets',
    metadata: { name },
  }))
  expect(linesOf('no-set', ...near)).toEqual([
    expect.stringContaining(
      "; nearly one: PackageVariantSets 'a' of config.porch.kpt.dev/v1alpha2, PackageVariantSets 'b' of config.porch.kpt.dev/v1alpha2, PackageVariantSets 'c' of config.porch.kpt.dev/v1alpha2 and 1 more [no-set]",
    ),
  ])
})

const owned = (name: string, owner: JsonRecord | undefined, metadata: JsonRecord = {}) =>
  withMetadata(variant(name, name), { name, labels: { [LABEL]: 'x' }, ...(owner && { ownerReferences: [owner] }), ...metadata })
const controller = (uid: string, name = 'fleet') => ({
  ...{ apiVersion: 'config.porch.kpt.dev/v1alpha2', kind: 'PackageVariantSet' },
  ...{ name, uid, controller: true },
})

const WITHOUT =
  "by the owner references of 2 variants: without it, new variants lack the uid, and Porch's controller stalls where it finds them [set-uid-missing]"

test('a set without a uid whose variants have a controller is a warning with the uid', () => {
  const set = setOf([list('a')])
  const two = [owned('a', controller('u')), owned('b', controller('u'))]
  expect(linesOf('set-uid-missing', set, ...two)).toEqual([
    `warning: \`metadata.uid\` must be that of the set in the cluster, 'u' ${WITHOUT}`,
  ])
  expect(linesOf('set-uid-missing', set, owned('a', controller('u')), owned('b', controller('v')))).toEqual([
    `warning: \`metadata.uid\` must be that of the set in the cluster, 'u', 'v' ${WITHOUT}`,
  ])
})

test.each<{ rule: string; objects: readonly JsonRecord[] }>([
  { rule: 'a set with a uid', objects: [withMetadata(setOf([list('a')]), { name: 'fleet', uid: 'u' }), owned('a', controller('u'))] },
  { rule: 'variants without a controller', objects: [setOf([list('a')]), owned('a', undefined)] },
  { rule: 'variants of another set', objects: [setOf([list('a')]), owned('a', controller('u', 'other'))] },
  { rule: 'variants of another namespace', objects: [setOf([list('a')]), owned('a', controller('u'), { namespace: 'n' })] },
  { rule: 'variants without the label of Porch', objects: [setOf([list('a')]), owned('a', controller('u'), { labels: {} })] },
])('no uid is missing for $rule', ({ objects }) => {
  expect(linesOf('set-uid-missing', ...objects)).toEqual([])
})

test('the uid is proposed if all variants have the same', () => {
  const proposed = (...uids: readonly string[]) =>
    planOf([setOf([list('a')]), ...uids.map((uid, at) => owned(`v${at}`, controller(uid)))]).results.find(
      ({ tags }) => tags.rule === 'set-uid-missing',
    )?.field?.proposedValue
  expect([proposed('u', 'u'), proposed('u', 'v')]).toEqual(['u', undefined])
})

const orphan = (name: string, repo: string, owner = 'default/old', metadata: JsonRecord = {}) =>
  withMetadata(variant(name, repo), { name, annotations: { [OWNER]: owner }, ...metadata })

test('the variants of each set that is gone are one warning, which names three of them', () => {
  const names = ['a', 'b', 'c', 'd']
  const found = linesOf('orphaned', setOf([list('z')]), ...names.map((name) => orphan(name, name)), orphan('e', 'e', 'default/other'))
  const start = 'names a PackageVariantSet that the list does not have in this namespace, '
  expect(found.map((line) => line.replace(/^warning: `metadata\.annotations.*?` /, ''))).toEqual([
    `${start}'default/old'; 4 variants stay as before: a, b, c and 1 more [orphaned]`,
    `${start}'default/other'; 1 variant stays as before: e [orphaned]`,
  ])
})

test('variants of one owner in two namespaces are two warnings, and a variant without a mark is none', () => {
  const bare = withMetadata(variant('f', 'f'), { name: 'f' })
  expect(linesOf('orphaned', setOf([list('z')]), orphan('a', 'a'), orphan('b', 'b', 'default/old', { namespace: 'n' }), bare)).toHaveLength(
    2,
  )
})

test('the warning about orphans has no position, since the next run would have another', () => {
  const [result] = planOf([setOf([list('z')]), orphan('a', 'a')]).results.filter(({ tags }) => tags.rule === 'orphaned')
  expect([result?.position, result?.file?.path, result?.resourceRef?.name]).toEqual([undefined, 'fleet/all.yaml', 'a'])
})

test('a set of the namespace that wants the downstreams of orphans is named as their new owner', () => {
  const [line] = linesOf('orphaned', setOf([list('a', 'b')]), orphan('x', 'a'), orphan('y', 'b'))
  expect(line).toContain(
    "; PackageVariantSet default/fleet wants 2 of their downstreams: if that is the same set with a new name, write 'default/fleet' into this annotation of each variant, or give the set its old name [orphaned]",
  )
})

test('a set that wants one of the downstreams is named too, and one that wants none is not', () => {
  const [one] = linesOf('orphaned', setOf([list('a')]), orphan('x', 'a'), orphan('y', 'b'))
  expect(one).toContain('; PackageVariantSet default/fleet wants the downstream of one of them: if that is the same set')
  expect(linesOf('orphaned', setOf([list('z')]), orphan('x', 'a'))[0]).not.toContain('wants')
})
