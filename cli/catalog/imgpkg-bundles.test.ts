import { beforeEach, describe, expect, test } from 'vitest'
import { ociImages } from '../../src/image/testing/pack-image.ts'
import { ImageFolder } from './testing/image-folder.ts'
import { bundle, bundledPackage, PACKAGES } from './testing/imgpkg-bundle.ts'

let files: ImageFolder
beforeEach(() => {
  files = new ImageFolder()
})

describe('a bundle of imgpkg', () => {
  test('has the Packages in its folder packages, beside the images that it names', async () => {
    const images = [
      { path: '.imgpkg/images.yml', bytes: 'kind: ImagesLock' },
      { path: 'other/no.yaml', bytes: bundledPackage('no.example.org') },
    ]
    const program = { layers: [[{ path: 'bin/db', bytes: 'program' }]], isMarked: false }
    files.writeImage('bundle.tar', ociImages(program, { layers: [[...images, ...PACKAGES]], isMarked: false, isBundle: true }))
    const { stdout, exitCode } = await files.addToCatalog('bundle.tar')
    expect({ stdout, exitCode }).toEqual({
      stdout: '+ catalog.yaml\n    + db.example.org 1.0.0: digest not known, 0 dependencies\n',
      exitCode: 0,
    })
    expect((await files.addToCatalog('bundle.tar')).stdout).toContain('= db.example.org 1.0.0')
  })

  test('is as its layers leave it: an upper one replaces and removes files', async () => {
    const lower = ['a', 'b', 'c'].map((name) => ({ path: `packages/${name}/p.yaml`, bytes: bundledPackage(`${name}.example.org`) }))
    const upper = [
      { path: 'packages/a/p.yaml', bytes: bundledPackage('a.example.org', '2.0.0') },
      { path: 'packages/b/.wh..wh..opq' },
      { path: 'packages/.wh.c' },
      { path: 'packages/d.yaml', bytes: bundledPackage('d.example.org') },
    ]
    files.writeImage('bundle.tar', bundle(lower, upper))
    const { stdout } = await files.addToCatalog('bundle.tar')
    expect(stdout.match(/[a-d]\.example\.org \S+/g)).toEqual(['a.example.org 2.0.0:', 'd.example.org 1.0.0:'])
  })

  test('names the file of a fault', async () => {
    files.writeImage(
      'bundle.tar',
      bundle([{ path: 'packages/db.yaml', bytes: bundledPackage('db.example.org').replace(', version: 1.0.0', '') }]),
    )
    const { stderr, exitCode } = await files.addToCatalog('bundle.tar')
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('bundle.tar/packages/db.yaml') })
  })

  test('without the label of imgpkg is read too', async () => {
    files.writeImage('bundle.tar', ociImages({ layers: [PACKAGES], isMarked: false }))
    expect((await files.addToCatalog('bundle.tar')).stdout).toContain('+ db.example.org 1.0.0')
  })
})
