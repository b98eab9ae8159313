import { expect, test } from 'vitest'
import { readVariants } from '../../src/fleet/fleet-variants.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { recordingHost } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import { writtenObject } from '../../testdata/written-objects.ts'
import { functionsFor, planRead } from './plan-read-fleet.ts'
import { optionsAsked } from './render-options.ts'

const CONFIG = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: o}\nspec: {out: out}\n'

const VARIANTS = ['a', 'b'].map((name) =>
  writtenObject(
    `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: ${name}}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  downstream: {repo: ${name}, package: web}\n`,
    `${name}.yaml`,
  ),
)

function readFleet() {
  const folder = { disk: testFolder(), shown: '.' }
  const asked = optionsAsked(ResourceList.of([], writtenObject(CONFIG)), folder, { fanOut: true, run: true })
  return { ...asked, folder, items: VARIANTS, packages: [], sets: [], made: new Set<string>() }
}

test('a render plans the variants that the caller chose', () => {
  const read = readFleet()
  const { host } = recordingHost(read.folder.disk)
  const out = { disk: `${read.folder.disk}/out`, shown: 'out' }
  const selection = (request: object) => planRead(read, { request: { fanOut: true, run: true, ...request }, out }, host).selection
  expect(selection({})).toBeUndefined()
  const { variants } = readVariants(VARIANTS)
  expect(variants.map((variant) => selection({ cluster: 'b' })?.has(variant))).toEqual([false, true])
})

test('functions of packages have runners unless they are left to kpt', async () => {
  const read = readFleet()
  const { host } = recordingHost(read.folder.disk)
  expect(await functionsFor({ fanOut: true, run: false }, read, host)).toEqual({})
  expect((await functionsFor({ fanOut: true, run: 'known' }, read, host)).functions).toBeDefined()
})
