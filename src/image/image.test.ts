import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { readImages } from './image.ts'
import { bufferSource, folderFiles, sha256, tarFiles } from './image-files.ts'
import { ArchiveError } from './tar.ts'
import { dockerImage, ociImages, type PackedEntry, packTar } from './testing/pack-image.ts'

const layer = (text: string): readonly PackedEntry[] => [{ path: 'package.yaml', bytes: text }]
const readAll = (entries: readonly PackedEntry[]) => readImages(tarFiles(bufferSource(packTar(entries))))
const textOf = (entries: readonly PackedEntry[]) => readAll(entries).map(({ packageYaml }) => packageYaml()?.toString('utf8'))

/** A manifest of an index: the platform, or undefined for the manifest of an attestation. */
interface OfIndex {
  readonly text: string
  readonly architecture?: string
}

/** Returns the entries of an image for several platforms: an index in the index. */
function severalPlatforms(...manifests: readonly OfIndex[]): PackedEntry[] {
  const entries = manifests.map(({ text }) => ociImages({ layers: [layer(text)] }))
  const descriptors = entries.map((each, i) => {
    const {
      manifests: [descriptor],
    } = JSON.parse(String(each[1]?.bytes))
    const { architecture } = manifests[i] ?? {}
    return { ...descriptor, ...(architecture !== undefined && { platform: { os: 'linux', architecture } }) }
  })
  const index = JSON.stringify({ schemaVersion: 2, manifests: descriptors })
  const digest = sha256(Buffer.from(index))
  const mediaType = 'application/vnd.oci.image.index.v1+json'
  return [
    { path: 'index.json', bytes: JSON.stringify({ manifests: [{ digest, size: index.length, mediaType }] }) },
    { path: `blobs/${digest.replace(':', '/')}`, bytes: index },
    ...entries.flatMap((each) => each.filter(({ path }) => path.startsWith('blobs/'))),
  ]
}

describe('an image for several platforms', () => {
  test('is read for linux/amd64, as Crossplane does', () => {
    const images = severalPlatforms({ text: 'arm', architecture: 'arm64' }, { text: 'amd', architecture: 'amd64' }, { text: 'attestation' })
    expect(textOf(images)).toEqual(['amd'])
  })

  test('is read for the only platform that it has', () => {
    expect(textOf(severalPlatforms({ text: 'attestation' }, { text: 'arm', architecture: 'arm64' }))).toEqual(['arm'])
    expect(textOf(severalPlatforms({ text: 'one' }))).toEqual(['one'])
  })

  test('has the digest of its index: that is what a registry names', () => {
    const entries = severalPlatforms({ text: 'amd', architecture: 'amd64' })
    expect(readAll(entries)[0]?.digest).toBe(sha256(Buffer.from(String(entries[1]?.bytes))))
  })

  test('without a platform is refused', () => {
    const images = severalPlatforms({ text: 'a' }, { text: 'b' })
    expect(() => textOf(images)).toThrow(/^'blobs\/sha256\/[0-9a-f]{64}' must list a manifest, lists 2 and none for linux\/amd64$/)
  })
})

test('of the layouts of OCI and of docker save that of OCI is read, which has digests', () => {
  const docker = dockerImage({ layers: [layer('docker')] })
  const [image] = readAll([...docker, ...ociImages({ name: 'v1.0.0', layers: [layer('oci')] })])
  expect(image?.name).toBe('v1.0.0')
  expect(image?.digest).toMatch(/^sha256:/)
  expect(image?.packageYaml()?.toString()).toBe('oci')
})

const DAMAGED: readonly (readonly [string, () => PackedEntry[], string])[] = [
  ['a list that is none', () => [{ path: 'manifest.json', bytes: '{}' }], "'manifest.json' must be a list of images"],
  [
    'a configuration that leads out',
    () => [{ path: 'manifest.json', bytes: '[{"Config":"../c","Layers":[]}]' }],
    "'../c' must be a file, is missing",
  ],
  [
    'fewer digests than layers',
    () => [
      { path: 'c', bytes: '{}' },
      { path: 'manifest.json', bytes: '[{"Config":"c","Layers":["l"]}]' },
    ],
    "'c' must list a digest for each of the 1 layers, lists 0",
  ],
]

test.each(DAMAGED)('docker save with %s is refused', (_, entries, message) => {
  expect(() => textOf(entries())).toThrow(new ArchiveError(message))
})

describe('the layout of docker save in a folder', () => {
  let folder = ''
  beforeEach(() => {
    folder = testFolder()
    for (const { path, bytes } of dockerImage({ layers: [layer('kind: A\n')] })) {
      mkdirSync(join(folder, 'in', path, '..'), { recursive: true })
      writeFileSync(join(folder, 'in', path), bytes ?? '')
      writeFileSync(join(folder, path.replaceAll('/', '-')), bytes ?? '')
    }
  })
  const read = () => readImages(folderFiles(join(folder, 'in'))).map(({ packageYaml }) => packageYaml()?.toString())
  const changeManifest = (change: (path: string) => string) => {
    const place = join(folder, 'in/manifest.json')
    const [image] = JSON.parse(readFileSync(place, 'utf8'))
    const [config, ...layers] = [image.Config, ...image.Layers]
    writeFileSync(place, JSON.stringify([{ ...image, Config: change(config), Layers: layers }]))
    return () => writeFileSync(place, JSON.stringify([{ ...image, Config: config, Layers: layers.map(change) }]))
  }

  test('is read', () => {
    expect(read()).toEqual(['kind: A\n'])
  })

  test.each([(path: string) => `../${path.replaceAll('/', '-')}`, (path: string) => `x/../${path}`, (path: string) => `./${path}`])(
    'names its configuration and layers by their own paths: %s',
    (change) => {
      const changeLayers = changeManifest(change)
      expect(read).toThrow(/must be a file, is a path that leads out of the image/)
      changeLayers()
      expect(read).toThrow(/must be a file, is a path that leads out of the image/)
    },
  )

  test('is not read through a link to a folder', () => {
    symlinkSync(folder, join(folder, 'in/away'))
    const changeLayers = changeManifest((path) => `away/${path.replaceAll('/', '-')}`)
    expect(read).toThrow(/must be a file, is a link/)
    changeLayers()
    expect(read).toThrow(/must be a file, is a link/)
  })
})

test('a changed byte of an image is found, or changes nothing that is read', () => {
  for (const entries of [dockerImage({ layers: [layer('kind: A\n')] }), ociImages({ layers: [layer('kind: A\n')] })]) {
    const whole = packTar(entries)
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ flip
        try {
          const [image] = readImages(tarFiles(bufferSource(bytes)))
          expect(image?.packageYaml()?.toString()).toBe('kind: A\n')
        } catch (error) {
          expect(error).toBeInstanceOf(ArchiveError)
        }
      }),
      { numRuns: 300 },
    )
  }
})
