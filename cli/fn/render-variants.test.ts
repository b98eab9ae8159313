import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const SHOP = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0
    configMap: {team: shop}
  - image: example.com/scale:v1
`

const TILL = `# The tills of a store
apiVersion: apps/v1
kind: Deployment
metadata:
  name: till # of edge-01
spec:
  replicas: 3
`

const FLEET = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: fleet}
pipeline:
  mutators:
  - image: ghcr.io/krm-variants/render-variants:v0.1.0
    configPath: options.yaml
`

const VARIANT = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: shop-edge-01, namespace: fleet}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  downstream: {repo: edge-01, package: shop}
`

/** A folder with a fleet of one variant, whose upstream package needs the image example.com/scale. */
function fleet(spec: string): string {
  const folder = testFolder()
  const options = `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: options}\nspec: ${spec}\n`
  const files = {
    'catalog/shop@v1/Kptfile': SHOP,
    'catalog/shop@v1/till.yaml': TILL,
    Kptfile: FLEET,
    'fleet.yaml': VARIANT,
    'options.yaml': options,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function packageIn(folder: string): Record<string, string> {
  const shop = join(folder, 'edge-01/shop')
  return Object.fromEntries(readdirSync(shop).map((name) => [name, readFileSync(join(shop, name), 'utf8')]))
}

const SCALING = `{pipeline: run, out: ., fleet: shops, functions: {example.com/scale: 'sed "s/replicas: 3/replicas: 4/"'}}`

test('the function and the command render the same package, with a program that the caller allows', async () => {
  const [ours, commands] = [fleet(SCALING), fleet(SCALING)]
  expect(await recordRun(ours, ['fn', 'render-variants', '.', '--write', '--allow-exec'])).toMatchObject({ exitCode: 0 })
  expect(await recordRun(commands, ['render', '.', '--out', '.', '--allow-exec'])).toMatchObject({ exitCode: 0 })
  expect(packageIn(ours)).toEqual(packageIn(commands))
  expect(packageIn(ours)['till.yaml']).toContain('  name: till # of edge-01\n')
  expect(packageIn(ours)['till.yaml']).toMatch(/team: shop[\s\S]*replicas: 4/)
  expect(await recordRun(ours, ['fn', 'render-variants', '.', '--allow-exec'])).toMatchObject({ exitCode: 0, stdout: '' })
})

test.each([
  ['fn', 'render-variants', '.', '--write'],
  ['render', '.', '--out', '.'],
])('options that name a program start none in `%s %s`', async (...command) => {
  const folder = fleet('{pipeline: run, out: ., functions: {example.com/scale: touch started}}')
  const { exitCode, stderr } = await recordRun(folder, command)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('must be allowed with --allow-exec')
  expect(existsSync(join(folder, 'started'))).toBe(false)
  expect(existsSync(join(folder, 'edge-01'))).toBe(false)
})

test('a command leaves functions to kpt where the options say so, and needs no consent then', async () => {
  const folder = fleet('{pipeline: leave, out: ., functions: {example.com/scale: touch started}}')
  expect(await recordRun(folder, ['render', '.', '--out', '.'])).toMatchObject({ exitCode: 0 })
  expect(packageIn(folder)['till.yaml']).not.toContain('team: shop')
})
