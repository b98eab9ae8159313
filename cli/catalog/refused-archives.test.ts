import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/image/image-files.ts'
import { ociImages, type PackedEntry, packTar } from '../../src/image/testing/pack-image.ts'
import { ImageFolder, layerOf, NAMED, NOP } from './testing/image-folder.ts'
import { bundle, PACKAGES } from './testing/imgpkg-bundle.ts'

let files: ImageFolder
beforeEach(() => {
  files = new ImageFolder()
})

const NEITHER = "must have 'package.yaml' in the root of its files, or a folder 'packages', has none"

/** A megabyte, packed: gzip reads many of them, one after the other, as one. */
const MEGABYTE = gzipSync(Buffer.alloc(1024 * 1024))

const LARGE: readonly PackedEntry[] = [{ path: 'a', bytes: Buffer.alloc(40 * 1024 * 1024) }]

describe('an archive that is damaged or made to do harm is refused, and nothing is written', () => {
  const oci = () => ociImages({ layers: [layerOf(NOP)] })
  const replace = (entries: readonly PackedEntry[], pattern: RegExp, by: Partial<PackedEntry>) =>
    entries.map((entry) => (pattern.test(String(entry.bytes)) || pattern.test(entry.path) ? { ...entry, ...by } : entry))
  const ATTACKS: Readonly<Record<string, readonly [() => readonly PackedEntry[], RegExp | string]>> = {
    'another layer than its digest says': [
      () =>
        oci().map((entry) => (gzipped(entry) ? { ...entry, bytes: packTar(layerOf(NOP)).subarray(0, (entry.bytes ?? '').length) } : entry)),
      /^'blobs\/sha256\/[0-9a-f]{64}' must have the digest sha256:[0-9a-f]{64}, has sha256:/,
    ],
    'a layer of another size': [
      () => oci().map((entry) => (gzipped(entry) ? { ...entry, bytes: 'short' } : entry)),
      /^'blobs\/sha256\/[0-9a-f]{64}' must have the \d+ bytes that the manifest says, has 5/,
    ],
    'a digest that leads out': [
      () => replace(oci(), /^index/, { bytes: '{"manifests":[{"digest":"sha256:../../../etc/passwd"}]}' }),
      "`digest` in index.json must be sha256: and 64 hex digits, got 'sha256:../../../etc/passwd'",
    ],
    'a link for a manifest': [() => replace(oci(), /^index/, { type: '2', bytes: '' }), "'index.json' must be a file, is a link"],
    'a package.yaml that is a link': [
      () => ociImages({ layers: [[{ path: 'package.yaml', type: '2' }]] }),
      /^'package.yaml' in 'blobs\/sha256\/[0-9a-f]{64}' must be a file, is a link/,
    ],
    'a bomb of gzip': [
      () => dockerOf(Buffer.concat(Array.from({ length: 220 }, () => MEGABYTE))),
      "'0.tar.gz' must have at most 210763776 bytes unpacked, has more",
    ],
    'gzip that breaks off': [
      () => dockerOf(gzipSync(packTar(layerOf(NOP))).subarray(0, 40)),
      "'0.tar.gz' must be whole, its gzip is broken",
    ],
    'a layer packed with zstd': [
      () => dockerOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])),
      "'0.tar.gz' must be packed with gzip or not at all, is packed with zstd",
    ],
    'a path that leads out of a layer': [
      () => ociImages({ layers: [[{ path: '../package.yaml', bytes: NOP }]] }),
      /^'blobs\/sha256\/[0-9a-f]{64}' must not have paths that lead out of it, has '..\/package.yaml'/,
    ],
    'another package.yaml before that of the root': [
      () => ociImages({ layers: [[{ path: 'a/package.yaml' }, { path: 'package.yaml', bytes: NOP }]] }),
      /must not have 'a\/package.yaml' before 'package.yaml': Crossplane reads the first of that name/,
    ],
    'no package.yaml': [() => ociImages({ layers: [[{ path: 'a' }]], isMarked: false }), NEITHER],
    'a removed package.yaml': [() => ociImages({ layers: [layerOf(NOP), [{ path: '.wh.package.yaml' }]], isMarked: false }), NEITHER],
    'a bundle without packages': [
      () => bundle([{ path: '.imgpkg/images.yml', bytes: '{}' }]),
      "must have files in the folder 'packages' of its bundle, has none",
    ],
    'a bundle whose folder of packages is a link': [
      () => bundle([{ path: 'packages', type: '2' }]),
      /^'packages' in 'blobs\/sha256\/[0-9a-f]{64}' must be a file, is a link/,
    ],
    'a link in a bundle': [
      () => bundle([...PACKAGES, { path: 'packages/etc.yaml', type: '2' }]),
      /^'packages\/etc.yaml' in '.*' must be a file, is a link/,
    ],
    'a path that leads out of a bundle': [
      () => bundle([...PACKAGES, { path: 'packages/../../etc.yaml', bytes: 'a: 1' }]),
      /must not have paths that lead out of it, has 'packages\/..\/..\/etc.yaml'/,
    ],
    'one file twice in a bundle': [() => bundle([...PACKAGES, ...PACKAGES]), /must have 'packages\/db.yaml' once, has it twice/],
    'a bundle of more than 100 layers': [
      () => bundle(...Array.from({ length: 101 }, (_, i) => [{ path: `packages/${i}.yaml`, bytes: 'a: 1' }])),
      'must have at most 100 layers, has 101',
    ],
    'a bundle whose layers grow beyond every package': [
      () => bundle(...Array.from({ length: 6 }, () => LARGE)),
      'must have at most 210763776 bytes in its layers, has more',
    ],
    'another index than JSON': [() => replace(oci(), /^index/, { bytes: '{' }), "'index.json' must be JSON"],
    'no image': [() => [{ path: 'README.md' }], 'must be an image, has neither index.json nor manifest.json'],
    'no images': [() => [{ path: 'index.json', bytes: '{}' }], 'must hold an image, holds none'],
  }
  const gzipped = ({ bytes }: PackedEntry) => typeof bytes === 'object' && bytes[0] === 0x1f

  test.each(Object.keys(ATTACKS))('%s', async (attack) => {
    const [entries, message] = ATTACKS[attack] ?? []
    files.writeImage('source', entries?.() ?? [])
    const { stdout, stderr, exitCode } = await files.addToCatalog(`${NAMED}=source`)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toMatch(/^source: error: [^\n]* \[archive-refused\]\n$/)
    const found = stderr.slice('source: error: '.length)
    if (typeof message === 'string') expect(found).toBe(`${message} [archive-refused]\n`)
    else expect(found).toMatch(message ?? /never/)
    expect(() => files.read('catalog.yaml')).toThrow('ENOENT')
  })

  test('a link in a folder', async () => {
    files.write('elsewhere.yaml', NOP)
    files.write('source/crossplane.yaml', NOP.split('---\n')[0] ?? '')
    symlinkSync('../elsewhere.yaml', join(files.folder, 'source/definition.yaml'))
    const { stderr } = await files.addToCatalog(`${NAMED}=source`)
    expect(stderr).toBe("source: error: 'definition.yaml' must be a file, is a link [archive-refused]\n")
  })
})

const HOSTILE = '\u001b[2J\u202e\n'

test.each<readonly [string, readonly PackedEntry[]]>([
  ['a path of an archive', [{ path: `../${HOSTILE}` }]],
  ['a digest', [{ path: 'index.json', bytes: JSON.stringify({ manifests: [{ digest: HOSTILE }] }) }]],
  ['a layer', [{ path: 'manifest.json', bytes: JSON.stringify([{ Config: HOSTILE, Layers: [HOSTILE] }]) }]],
  ['a name of an image', ociImages({ name: HOSTILE, layers: [layerOf(NOP)] }, { name: 'v2', layers: [layerOf(NOP)] })],
  [
    'a name of an object',
    ociImages({ layers: [layerOf(NOP.replaceAll('name: nop\n', `name: ${JSON.stringify(HOSTILE)}\n`).replace('Provider', 'Provide'))] }),
  ],
])('%s cannot write to the terminal', async (_, entries) => {
  files.writeImage('source', entries)
  const { stdout, stderr, exitCode } = await files.addToCatalog(`${NAMED}=source`)
  expect(exitCode).toBe(1)
  expect(stdout + stderr).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})

/** Returns the entries of an image in the layout of `docker save` whose one layer has the given bytes. */
function dockerOf(layer: Buffer): PackedEntry[] {
  const config = JSON.stringify({ rootfs: { diff_ids: [sha256(layer)] } })
  return [
    { path: 'config.json', bytes: config },
    { path: '0.tar.gz', bytes: layer },
    { path: 'manifest.json', bytes: '[{"Config":"config.json","Layers":["0.tar.gz"]}]' },
  ]
}
