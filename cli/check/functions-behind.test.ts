import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'
const LOCAL = 'annotations: {config.kubernetes.io/local-config: "true"}'
const WAITING = 'packages/edge/shop/Kptfile: warning: must be as its functions make it'

let folder = ''
let fleet: TestRepository
beforeEach(async () => {
  folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write(
    'catalog/shop@v1/Kptfile',
    `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop, ${LOCAL}}\npipeline:\n  mutators:\n  - {image: '${CATALOG}/apply-setters:v0.2.0', configMap: {size: m}}\n  - image: ${CATALOG}/remove-local-config-resources:v0.1.0\n`,
  )
  fleet.write('catalog/shop@v1/app.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata:\n  size: s # kpt-set: ${size}\n')
  fleet.write(
    'fleet.yaml',
    `apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: o, ${LOCAL}}\nspec: {out: packages}\n---\napiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: shop}\nspec:\n  upstream: {repo: catalog, package: shop, revision: 1}\n  targets:\n  - repositories: [{name: edge}]\n`,
  )
  expect((await fleet.run('render', '.')).exitCode).toBe(0)
})

const kptfile = () => readFileSync(join(folder, 'packages/edge/shop/Kptfile'), 'utf8')

test('check and outdated name a package that waits for its functions, until the next render', async () => {
  expect((await fleet.run('check', '.')).stdout).not.toContain(WAITING)
  fleet.write('packages/edge/shop/Kptfile', kptfile().replace('size: m', 'size: xl'))
  expect((await fleet.run('check', '.')).stdout).toContain(WAITING)
  expect((await fleet.run('outdated', '.')).stderr).toContain(WAITING)
  expect((await fleet.run('outdated', '--no-run', '.')).stderr).not.toContain(WAITING)
  await fleet.run('render', '.')
  expect(readFileSync(join(folder, 'packages/edge/shop/app.yaml'), 'utf8')).toContain('size: xl')
  expect((await fleet.run('check', '.')).stdout).not.toContain(WAITING)
  expect((await fleet.run('outdated', '.')).stderr).not.toContain(WAITING)
})

test('run keeps what the next render needs of a package that render made', async () => {
  const before = kptfile()
  const { exitCode, stderr } = await fleet.run('run', 'packages/edge/shop')
  expect([exitCode, kptfile()]).toEqual([0, before])
  expect(stderr).toContain('[needed-by-render]')
})
