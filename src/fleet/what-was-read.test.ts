import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { resourceListOf } from './testing/fleet-of-objects.ts'
import { describeKinds, describeRead } from './what-was-read.ts'

const PORCH = 'config.porch.kpt.dev/v1alpha1'

const object = (kind: string, apiVersion: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ apiVersion, kind, metadata: { name: `a${n}` } }))
const objects = (...given: readonly (readonly [kind: string, apiVersion: string, count: number])[]) =>
  resourceListOf(given.flatMap((each) => object(...each))).items

test.each([
  ['nothing', [], 'no resource', 'no resource'],
  ['one set', [['PackageVariantSet', PORCH, 1]], '1 file, 1 PackageVariantSet', '1 file, 1 PackageVariantSet'],
  [
    'a matrix',
    [['PackageVariantMatrix', 'fleet.krm-variants.dev/v1alpha1', 1]],
    '1 file, 1 PackageVariantMatrix',
    '1 file, 1 PackageVariantMatrix',
  ],
  ['no set', [['Repository', PORCH, 2]], '1 file, 2 Repositories', '1 file, 2 Repositories, no PackageVariantSet'],
  [
    'sets of another group',
    [['PackageVariantSet', 'example.com/v1', 1]],
    "1 file, 1 PackageVariantSet of 'example.com'",
    "1 file, 1 PackageVariantSet of 'example.com', no PackageVariantSet",
  ],
  [
    'kinds of a fleet before others, then by number and by name',
    [
      ['ConfigMap', 'v1', 3],
      ['Secret', 'v1', 4],
      ['Pod', 'v1', 3],
      ['Repository', PORCH, 1],
      ['PackageVariant', PORCH, 1],
      ['PackageVariantSet', PORCH, 1],
    ],
    '1 file, 1 PackageVariantSet, 1 PackageVariant, 1 Repository, 4 Secrets, 3 ConfigMaps, 3 Pods',
    '1 file, 1 PackageVariantSet, 1 PackageVariant, 1 Repository, 4 Secrets, 3 ConfigMaps, 3 Pods',
  ],
] as const)('what was read of %s', (_what, given, kinds, read) => {
  expect(describeKinds(objects(...given))).toBe(kinds)
  expect(describeRead(objects(...given))).toBe(read)
})

test('at most eight kinds are named, and the others counted', () => {
  const kinds = (count: number) =>
    describeKinds(objects(...Array.from({ length: count }, (_, n) => [`K${n}`, 'example.com/v1', 2] as const)))
  expect(kinds(8)).not.toContain('other')
  expect(kinds(9)).toMatch(/, 2 K7s, 2 objects of 1 other kind$/)
  expect(kinds(10)).toMatch(/, 4 objects of 2 other kinds$/)
})

test('files are counted once, and only those of documents', () => {
  const at = (path: string) => KrmObject.fromDocument('apiVersion: v1\nkind: ConfigMap\n', { path, index: 0, line: 1 })
  expect(describeKinds([at('a.yaml'), at('a.yaml'), at('b.yaml')])).toBe('2 files, 3 ConfigMaps')
  expect(describeKinds([KrmObject.fromDocument('apiVersion: v1\n')])).toBe('1 object without a kind')
})
