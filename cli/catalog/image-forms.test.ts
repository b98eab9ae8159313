import { beforeEach, describe, expect, test } from 'vitest'
import { dockerImage, ociImages, type PackedEntry } from '../../src/image/testing/pack-image.ts'
import { BASE, ImageFolder, layerOf, NAMED, NOP, packageYaml } from './testing/image-folder.ts'

let files: ImageFolder
beforeEach(() => {
  files = new ImageFolder()
})

test('a duplicate key far from what a Catalog needs is a warning, as Crossplane accepts it', async () => {
  files.write(
    'source/crossplane.yaml',
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: nop}\nspec: {dependsOn: []}\n',
  )
  files.write(
    'source/apis/d.yaml',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: nops.acme.org}\nspec: {group: acme.org, group: acme.org}\n',
  )
  const { exitCode, stderr } = await files.addToCatalog(`${NAMED}=source`)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/warning: .*duplicate-key\]\n.*1 version added/s) })
})

test('a duplicate key of the metadata of a package is an error', async () => {
  files.write(
    'source/crossplane.yaml',
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: nop}\nspec: {dependsOn: [], dependsOn: []}\n',
  )
  expect(await files.addToCatalog(`${NAMED}=source`)).toMatchObject({ exitCode: 1 })
})

// The form of a package changed with time (seed 003 rule 40).
describe('each form of an image is read alike', () => {
  const upper: PackedEntry[] = [{ path: 'package.yaml', bytes: NOP }]
  const lower: PackedEntry[] = [{ path: 'package.yaml', bytes: 'overwritten' }]
  const FORMS: Readonly<Record<string, () => void>> = {
    'docker save': () => files.writeImage('source', dockerImage({ layers: [upper, [{ path: 'bin/provider', bytes: 'program' }]] })),
    'docker save without a mark': () => files.writeImage('source', dockerImage({ layers: [lower, upper], isMarked: false })),
    'the layout of OCI': () => files.writeImage('source', ociImages({ layers: [upper, lower] })),
    'the layout of OCI without a mark': () => files.writeImage('source', ociImages({ layers: [lower, upper], isMarked: false })),
    'the layout of OCI in a folder': () => files.writeEntries('source', ociImages({ layers: [upper] })),
    'an unpacked image': () => files.writeEntries('source', upper),
    'the folder that it is built from': () => {
      const [metadata = '', definition = ''] = NOP.split('---\n')
      files.write('source/crossplane.yaml', metadata)
      files.write('source/apis/definition.yaml', definition)
      files.write('source/examples/nop.yaml', 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: example}\n')
    },
  }

  test.each(Object.keys(FORMS))('%s', async (form) => {
    FORMS[form]?.()
    expect(await files.addToCatalog(`${NAMED}=source`)).toMatchObject({
      exitCode: 0,
      stderr: 'Catalog: 1 version added; read 1 source\n',
    })
    expect(files.read('catalog.yaml').replace(/ {6}digest: .*\n/, '')).toContain(`    - version: v1.0.0
      dependencies: []
      provides:
      - apiVersion: example.org/v1
        kind: NOP
      brings:
      - apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        name: nops.example.org
`)
  })

  test('of several images the tag of the reference chooses one', async () => {
    const one = { name: 'v1.0.0', layers: [layerOf(packageYaml('Provider', 'one'))] }
    files.writeImage('source', ociImages(one, { name: 'v2.0.0', layers: [layerOf(packageYaml('Provider', 'two'))] }))
    expect(await files.addToCatalog(`${BASE}:v2.0.0=source`)).toMatchObject({ exitCode: 0 })
    expect(files.read('catalog.yaml')).toContain('twos.example.org')
    const { stderr } = await files.addToCatalog(`${BASE}:v3.0.0=source`)
    expect(stderr).toBe("source: error: must hold an image with the tag 'v3.0.0', holds v1.0.0, v2.0.0 [package-reference]\n")
  })
})
