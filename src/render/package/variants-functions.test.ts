import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { readVariants, VariantNames, wholeVariant } from '../../fleet/fleet-variants.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { unchanged } from '../clone/rendered-package.ts'
import { atVariant } from './variants-functions.ts'

const VARIANT = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: site}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge, package: shop}
  pipeline:
    mutators:
    - {name: ns, image: set-namespace, configMap: {namespace: a}}
    - {image: set-labels, configMap: {a: b}}
`
const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: shop}
pipeline:
  mutators:
  - {name: PackageVariant.site.ns.0, image: set-namespace, configMap: {namespace: a}}
  - {name: own, image: set-image}
  - {name: PackageVariant.site..1, image: set-labels, configMap: {a: b}}
  - {name: PackageVariant.site.b.ns.0, image: set-namespace}
  - {image: nameless}
`

const FINDING: Result = {
  severity: 'error',
  message: "`pipeline.mutators[0].configMap` 'PackageVariant.site.ns.0' failed: Kptfile:15:5: error: Kptfile:3: no",
  file: { path: 'out/shop/Kptfile', index: 0 },
  field: { path: ['pipeline', 'mutators', 0, 'configMap', 'namespace'], currentValue: 'x' },
  position: { line: 6, column: 5 },
  tags: { rule: 'function-failed' },
}

/** Returns a finding at its place in the variant `site`, beside a variant `site.b`. */
function placed(finding: Result): Result {
  const object = KrmObject.fromDocument(VARIANT, { path: 'fleet.yaml', index: 2, line: 1 })
  const [variant] = readVariants([object]).variants
  if (variant === undefined) throw new Error('one variant')
  const files = new Map([...packageOfTexts({ Kptfile: KPTFILE })].map(([path, content]) => [path, unchanged(content, 'ours')]))
  const context = { variantNames: new VariantNames(['site', 'site.b']) }
  return atVariant(files, { variant: wholeVariant(variant), folder: 'out/shop' }, context)(finding)
}

const inPipeline = (index: number, ...deeper: readonly string[]): Result => ({
  ...FINDING,
  field: { path: ['pipeline', 'mutators', index, ...deeper] },
})

test('a finding about a function of the variant is placed at the field of the variant, in its words', () => {
  expect(placed(FINDING)).toEqual({
    severity: 'error',
    message: "`spec.pipeline.mutators[0].configMap` 'ns' failed: error: no",
    resourceRef: { apiVersion: 'config.porch.kpt.dev/v1alpha1', kind: 'PackageVariant', name: 'site' },
    file: { path: 'fleet.yaml', index: 2 },
    field: { path: ['spec', 'pipeline', 'mutators', 0, 'configMap', 'namespace'], currentValue: 'a' },
    position: { line: 9, column: 63 },
    tags: { rule: 'function-failed' },
  })
})

test('a function without a name is named by its image, and is found by its position in the variant', () => {
  const message = "`pipeline.mutators[2]` 'PackageVariant.site..1' failed"
  expect(placed({ ...inPipeline(2), message })).toMatchObject({
    message: "`spec.pipeline.mutators[1]` 'set-labels' failed",
    field: { path: ['spec', 'pipeline', 'mutators', 1] },
  })
})

test('a value is shown where the finding and the variant have one', () => {
  expect(placed(inPipeline(0, 'configMap')).field).toEqual({ path: ['spec', 'pipeline', 'mutators', 0, 'configMap'] })
  expect(placed({ ...inPipeline(0, 'tag'), field: { path: ['pipeline', 'mutators', 0, 'tag'], currentValue: 'x' } }).field).toEqual({
    path: ['spec', 'pipeline', 'mutators', 0, 'tag'],
  })
})

test.each<[string, Result]>([
  ['another file', { ...FINDING, file: { path: 'out/shop/sub/Kptfile', index: 0 } }],
  ['no file', (({ file: _, ...finding }) => finding)(FINDING)],
  ['another field', { ...FINDING, field: { path: ['info', 'mutators', 0] } }],
  ['no field', (({ field: _, ...finding }) => finding)(FINDING)],
  ['the whole pipeline', { ...FINDING, field: { path: ['pipeline'] } }],
  ['a whole list', { ...FINDING, field: { path: ['pipeline', 'mutators'] } }],
  ['a function of the package', inPipeline(1)],
  ['a function of a variant whose name begins with this name', inPipeline(3)],
  ['a function without a name', inPipeline(4)],
  ['no function', inPipeline(9)],
])('a finding about %s stays where it is', (_, finding) => {
  expect(placed(finding)).toBe(finding)
})
