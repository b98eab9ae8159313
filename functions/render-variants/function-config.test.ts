import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { findingsOf, formatResult } from '../../src/result.ts'
import { decodeRenderVariantsConfig } from './function-config.ts'

const faultsOf = (directory: string) => {
  const spec = { repositories: { catalog: { git: { repo: 'https://git.example.com/catalog.git', directory } } } }
  const config = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'RenderVariants', metadata: { name: 'r' }, spec }
  return findingsOf(() => {
    decodeRenderVariantsConfig(KrmObject.fromDocument(JSON.stringify(config)))
    return []
  }).map(formatResult)
}

test.each(['../catalog', './catalog', 'a/../catalog', '.', 'a//b', 'a/.git', 'a\\b', 'a\nb'])(
  '`directory: %j` is no folder in git',
  (directory) => {
    expect(faultsOf(directory)).toEqual([
      expect.stringMatching(/error: `spec\.repositories\.catalog\.git\.directory` must not .*, got '.*' \[package-path\]$/),
    ])
  },
)

test.each(['', '/', 'catalog', '/team a/catalog/'])('`directory: %j` is a folder in git', (directory) => {
  expect(faultsOf(directory)).toEqual([])
})
