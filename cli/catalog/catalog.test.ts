import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { dockerImage, ociImages } from '../../src/image/testing/pack-image.ts'
import { BASE, ImageFolder, layerOf, NAMED, NET, packageYaml } from './testing/image-folder.ts'

let files: ImageFolder
beforeEach(() => {
  files = new ImageFolder()
})

const PLATFORM = 'xpkg.example.org/acme/platform'

// The contents of packages are read from images (seed 003 rule 39).
describe('a Catalog made of three packages', () => {
  beforeEach(async () => {
    files.writeImage('base.xpkg', dockerImage({ layers: [layerOf(packageYaml('Provider', 'base'))] }))
    const net = packageYaml('Provider', 'net', { [BASE]: '>=v1.0.0' })
    files.writeImage('net.xpkg', ociImages({ name: `${NET}:v2.1.0`, layers: [layerOf(net)] }))
    const platform = packageYaml('Configuration', 'platform', { [NET]: '>=v2.0.0' })
    files.writeImage('platform.xpkg', dockerImage({ name: `${PLATFORM}:v3.0.0`, layers: [layerOf(platform)] }))
    files.write(
      'fleet/platform.yaml',
      `apiVersion: pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: platform\nspec:\n  package: ${PLATFORM}:v3.0.0\n`,
    )
    const made = await files.addToCatalog('--into', 'fleet/catalog.yaml', `${BASE}:v1.4.0=base.xpkg`, 'net.xpkg', 'platform.xpkg')
    expect(made).toMatchObject({ exitCode: 0, stderr: 'Catalog: 3 versions added; read 3 sources\n' })
  })

  test('has their digests, dependencies, kinds and objects', () => {
    const index = JSON.parse(ociIndexOf('net.xpkg'))
    expect(files.read('fleet/catalog.yaml')).toContain(`  - ecosystem: crossplane
    id: ${NET}
    kind: Provider
    versions:
    - version: v2.1.0
      digest: ${index.manifests[0].digest}
      dependencies:
      - provider: ${BASE}
        version: '>=v1.0.0'
      provides:
      - apiVersion: example.org/v1
        kind: NET
      brings:
      - apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        name: nets.example.org
`)
  })

  test('shows check what is missing', async () => {
    const { stdout, exitCode } = await files.run('check', 'fleet')
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`${PLATFORM} v3.0.0 requires ${NET} ">=v2.0.0"`)
    expect(stdout).toContain(`${NET} v2.1.0 satisfies every requirement on it [dependency-missing]`)
  })

  test('lets resolve install what the packages require, and check find nothing afterwards', async () => {
    expect(await files.run('resolve', 'fleet')).toMatchObject({ exitCode: 0 })
    expect(files.read('fleet/dependencies.yaml')).toContain(`package: ${NET}:v2.1.0`)
    expect(files.read('fleet/dependencies.yaml')).toContain(`package: ${BASE}:v1.4.0`)
    expect(await files.run('check', 'fleet')).toMatchObject({ exitCode: 0 })
  })

  test('is not changed by a second run', async () => {
    const before = files.read('fleet/catalog.yaml')
    const { exitCode, stderr } = await files.addToCatalog('--into', 'fleet/catalog.yaml', `${BASE}:v1.4.0=base.xpkg`, 'net.xpkg')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Catalog: nothing to do; read 2 sources\n' })
    expect(files.read('fleet/catalog.yaml')).toBe(before)
  })

  test('keeps its digest when the version was published again', async () => {
    const before = files.read('fleet/catalog.yaml')
    files.writeImage('again.xpkg', ociImages({ layers: [layerOf(packageYaml('Provider', 'other'))] }))
    const { exitCode, stdout, stderr } = await files.addToCatalog('--into', 'fleet/catalog.yaml', `${NET}:v2.1.0=again.xpkg`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(`must be the digest of ${NET} v2.1.0, sha256:`)
    expect(files.read('fleet/catalog.yaml')).toBe(before)
  })
})

function ociIndexOf(path: string): string {
  const text = readFileSync(join(files.folder, path), 'latin1')
  return text.slice(text.indexOf('{"schemaVersion":2,"manifests"')).replace(/\0[\s\S]*/, '')
}

test('comments and everything else in the file stay', async () => {
  const before = `# What may be installed.
apiVersion: v1
kind: ConfigMap
metadata: {name: beside}
---
apiVersion: fn.krm-variants.dev/v1alpha1
kind: Catalog
metadata: {name: mine}
spec:
  packages:
  - id: ${BASE} # ours
    ecosystem: crossplane
    versions:
    # the first one
    - v0.9.0
    - version: v1.0.0 # stable
      dependencies: []
      components: []
`
  files.write('catalog.yaml', before)
  files.writeImage('source', dockerImage({ layers: [layerOf(packageYaml('Provider', 'nop', { [NET]: '*' }))] }))
  const digest = `sha256:${'a'.repeat(64)}`
  const { stdout, exitCode } = await files.addToCatalog(`${NAMED}@${digest}=source`, `${BASE}:v0.9.0=source`)
  expect(exitCode).toBe(0)
  expect(stdout).toBe(`~ catalog.yaml
    ~ ${BASE} v1.0.0: sha256:aaaaaaaaaaaa, 1 dependency, 1 object
    ~ ${BASE} v0.9.0: digest not known, 1 dependency, 1 object
`)
  const rest = (version: string, more: string) => `    - version: ${version}
      dependencies:
      - provider: ${NET}
        version: '*'
${more}      provides:
      - apiVersion: example.org/v1
        kind: NOP
      brings:
      - apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        name: nops.example.org
`
  const [head = ''] = before.split('    - v0.9.0')
  const last = rest('v1.0.0 # stable', `      components: []\n      digest: ${digest}\n`)
  expect(files.read('catalog.yaml')).toBe(`${head}${rest('v0.9.0', '')}${last}    kind: Provider\n`)
})
