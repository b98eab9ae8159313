import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatFieldPath } from '../../src/field-path.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { FunctionError, type Result } from '../../src/result.ts'
import { packageVariantResults } from '../../testdata/kind-results.ts'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { setContext } from './set-context.ts'

// Files of public repositories. They are no part of the repository; a continuous build must have them.
const REAL = new URL('../../../shared/real/packagevariants/', import.meta.url)
const here = SHARED_MUST_BE_THERE || existsSync(REAL)

const PACKAGE = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: kpt.dev/v1
  kind: Kptfile
  metadata:
    name: upf
    annotations:
      internal.config.kubernetes.io/path: Kptfile
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: kptfile.kpt.dev
    annotations:
      internal.config.kubernetes.io/path: package-context.yaml
  data: {}
`

/** The results of a run, those of a failure among them. */
function resultsOf(list: ResourceList): readonly Result[] {
  try {
    setContext(list)
    return list.results
  } catch (error) {
    if (error instanceof FunctionError) return [...list.results, ...error.results]
    throw error
  }
}

const print = ({ severity, tags, field, position }: Result): string =>
  `${severity} ${tags.rule} ${formatFieldPath(field?.path ?? [])} ${position?.line}:${position?.column}`

test.skipIf(!here)('as functionConfig every real PackageVariant gets the findings of its validation, with their places', () => {
  const { entries }: { entries: readonly { file: string }[] } = JSON.parse(readFileSync(new URL('INDEX.json', REAL), 'utf8'))
  const texts = entries.map(({ file }) => readFileSync(new URL(file, REAL), 'utf8'))
  for (const text of texts) {
    const variant = KrmObject.fromDocument(text, { path: 'package-variant.yaml', index: 0, line: 1 })
    const list = ResourceList.of(ResourceList.parse(PACKAGE).items, variant)
    const ofMutation = ['context-key-removed', 'set-context']
    const found = resultsOf(list).filter(({ tags }) => !ofMutation.includes(tags.rule))
    expect(found.map(print).sort()).toEqual(packageVariantResults(variant).map(print).sort())
  }
  expect(texts.length).toBeGreaterThanOrEqual(100)
})
