import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError, formatResult } from '../result.ts'
import { findVariant, isPackageVariant, namespacedName } from './find-variant.ts'

const objectOf = (value: JsonRecord): KrmObject => KrmObject.fromDocument(JSON.stringify(value), { path: 'a.yaml', index: 0, line: 1 })

function variantOf(name: string, downstream: unknown, apiVersion = 'config.porch.kpt.dev/v1alpha1'): KrmObject {
  return objectOf({
    apiVersion,
    kind: 'PackageVariant',
    metadata: { name },
    spec: { downstream: { repo: 'r', package: downstream as string } },
  })
}

/** Returns the name of the variant that is found for a Kptfile, else the finding. */
function found(variants: readonly KrmObject[], { name = 'shop', owner }: { name?: string; owner?: string } = {}): string | undefined {
  const annotations: JsonRecord = owner === undefined ? {} : { 'krm-variants.dev/package-variant': owner }
  const kptfile = objectOf({ apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name, annotations } })
  const pkg = { kptfile, pick: () => [], files: () => [], add: () => kptfile }
  try {
    return findVariant(variants, pkg).name
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(formatResult).join('\n')
    throw error
  }
}

test('the variant of a package is the one whose downstream has the name of the package as its last step', () => {
  expect(found([variantOf('a', 'web'), variantOf('b', 'shop')])).toBe('b')
  expect(found([variantOf('a', 'my-shop'), variantOf('b', 'apps/shop')])).toBe('b')
  expect(found([variantOf('a', 'shop/web'), variantOf('b', 'shop')])).toBe('b')
})

const missing = (field: string, wanted: string, there: string) =>
  expect.stringMatching(
    new RegExp(
      `^a\\.yaml:1:\\d+: error: \`metadata\\.${field}.*\` needs a functionConfig, or a PackageVariant among the items ${wanted}; ${there} \\[variant-missing\\]$`,
    ),
  )

test('a downstream whose name only ends alike is another package', () => {
  const wanted = "whose downstream\\.package ends in 'shop'"
  expect(found([variantOf('a', 'my-shop'), variantOf('b', 7)])).toEqual(
    missing('name', wanted, "there is PackageVariant a \\(downstream 'my-shop'\\), PackageVariant b \\(downstream ''\\)"),
  )
  expect(found([])).toEqual(missing('name', wanted, 'there is no PackageVariant'))
})

test('the owner annotation of the package counts before the name of the downstream', () => {
  expect(found([variantOf('a', 'shop'), variantOf('b', 'web')], { owner: 'default/b' })).toBe('b')
  expect(found([variantOf('a', 'shop')], { owner: 'default/b' })).toEqual(
    missing('annotations', "named 'default/b'", "there is PackageVariant a \\(downstream 'shop'\\)"),
  )
})

test('an object that is no PackageVariant is passed over', () => {
  expect(found([variantOf('a', 'shop', 'example.com/v1'), variantOf('b', 'shop')])).toBe('b')
})

test('two variants of one package are refused', () => {
  expect(found([variantOf('a', 'shop'), variantOf('b', 'apps/shop'), variantOf('c', 'web')])).toMatch(
    /^a\.yaml:1:\d+: error: `metadata\.name` must be the downstream of one PackageVariant, is that of PackageVariant a \(downstream 'shop'\), PackageVariant b \(downstream 'apps\/shop'\); name one as functionConfig \[variant-ambiguous\]$/,
  )
})

test('only a PackageVariant of Porch is one, of any version', () => {
  expect(isPackageVariant(variantOf('a', 'shop', 'config.porch.kpt.dev/v1alpha2'))).toBe(true)
  expect(isPackageVariant(variantOf('a', 'shop', 'example.com/v1'))).toBe(false)
  expect(isPackageVariant(objectOf({ apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'Repository', metadata: { name: 'a' } }))).toBe(
    false,
  )
})

test('an object without a namespace is in default', () => {
  expect([namespacedName({ namespace: '', name: 'a' }), namespacedName({ namespace: 'b', name: 'a' })]).toEqual(['default/a', 'b/a'])
})
