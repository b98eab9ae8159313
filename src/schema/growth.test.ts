import { expect, test } from 'vitest'
import { packageVariantSetResults } from '../../testdata/kind-results.ts'
import { KrmObject } from '../resource-list/krm-object.ts'

/** A set with so many repositories, each with a misspelt field and without its name. */
function faultySet(repositories: number): KrmObject {
  const names = Array.from({ length: repositories }, (_, i) => `    - naem: edge-${i}\n`).join('')
  const head = 'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: fleet\nspec:\n'
  const spec = `  upstream: {repo: catalog, package: app, revision: 1}\n  targets:\n  - repositories:\n${names}`
  return KrmObject.fromDocument(head + spec, { path: 'set.yaml', index: 0, line: 1 })
}

/** The processor time of finding all faults, in microseconds, and how many there are. */
function cost(repositories: number): { readonly time: number; readonly faults: number } {
  const set = faultySet(repositories)
  const start = process.cpuUsage()
  const faults = packageVariantSetResults(set).length
  const { user, system } = process.cpuUsage(start)
  return { time: user + system, faults }
}

test('ten times the faults take about ten times as long, not a hundred times', () => {
  cost(1_000)
  const few = cost(1_000)
  const many = cost(10_000)
  expect([few.faults, many.faults]).toEqual([2_000, 20_000])
  // Twelve times is the aim; the rest is for garbage collection on a busy machine.
  expect(many.time / few.time).toBeLessThan(30)
})
