import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packageVariantResults } from '../../testdata/kind-results.ts'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { hasErrors } from '../result.ts'
import { decodePackageVariantSet } from './package-variant-set.ts'

// The documents that describe the API. They are no part of the repository; a continuous build must have them.
const SEEDS = new URL('../../../shared/seeds/', import.meta.url)
const here = SHARED_MUST_BE_THERE || existsSync(SEEDS)
const SET_HEAD = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: example}\n'

/** The documents of every YAML example of seed 000; one that is only a `spec` is that of a set. */
function examples(): string[] {
  const file = readdirSync(SEEDS).find((name) => name.startsWith('000_'))
  const text = readFileSync(new URL(file ?? '', SEEDS), 'utf8')
  const blocks = [...text.matchAll(/```yaml\n(.*?)```/gs)].flatMap(([, block = '']) => block.split(/^---$/m))
  return blocks.filter((block) => !/^\s*\.\.\.$/m.test(block)).map((block) => (block.startsWith('spec:') ? SET_HEAD + block : block))
}

test.skipIf(!here)('every PackageVariantSet of seed 000 decodes, and what is odd in it is warned of', () => {
  const sets = examples().filter((block) => block.includes('kind: PackageVariantSet'))
  const decoded = sets.map((block) => decodePackageVariantSet(KrmObject.fromDocument(block)))
  expect(decoded.map(({ set }) => set.targets.length)).toEqual([1, 2, 1, 1, 1, 1])
  const rules = new Set(decoded.flatMap(({ warnings }) => warnings.map(({ tags }) => tags.rule)))
  expect([...rules].sort()).toEqual(['not-in-api', 'single-entry', 'string-revision'])
})

test.skipIf(!here)('every PackageVariant of seed 000 that is written in full has no error', () => {
  const variants = examples().filter((block) => /kind: PackageVariant$/m.test(block))
  expect(variants.length).toBeGreaterThanOrEqual(6)
  expect(variants.filter((block) => hasErrors(packageVariantResults(KrmObject.fromDocument(block))))).toEqual([])
})
