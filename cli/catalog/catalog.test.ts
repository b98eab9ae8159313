import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '../../src/image/image-files.ts'
import { dockerImage, ociImages, type PackedEntry, packTar } from '../../src/image/testing/pack-image.ts'
import { TestFolder } from '../../testdata/cli/test-folder.ts'

let files: TestFolder
beforeEach(() => {
  files = new TestFolder()
})

const run = (...args: readonly string[]) => files.run(...args)
const read = (path: string) => files.read(path)
const write = (path: string, content: string | Uint8Array) => files.write(path, content)
const writeImage = (path: string, entries: readonly PackedEntry[]) => write(path, packTar(entries))
const writeFolder = (path: string, entries: readonly PackedEntry[]) => {
  for (const entry of entries) write(join(path, entry.path), entry.bytes ?? '')
}

/** Returns the `package.yaml` of a package, with one definition and what the package requires. */
function packageYaml(kind: string, name: string, dependsOn: Readonly<Record<string, string>> = {}): string {
  const needs = Object.entries(dependsOn).map(([source, version]) => `  - provider: ${source}\n    version: '${version}'\n`)
  return `apiVersion: meta.pkg.crossplane.io/v1
kind: ${kind}
metadata:
  name: ${name}
spec:
  dependsOn:${needs.length === 0 ? ' []' : `\n${needs.join('')}`}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${name}s.example.org
spec:
  group: example.org
  names: {kind: ${name.toUpperCase()}, plural: ${name}s}
  versions: [{name: v1, served: true}]
`
}

const layerOf = (text: string): readonly PackedEntry[] => [{ path: 'package.yaml', bytes: text }]
const NET = 'xpkg.example.org/acme/net'
const BASE = 'xpkg.example.org/acme/base'
const PLATFORM = 'xpkg.example.org/acme/platform'

// The contents of packages are read from images (seed 003 rule 39).
describe('a Catalog made of three packages', () => {
  beforeEach(async () => {
    writeImage('base.xpkg', dockerImage({ layers: [layerOf(packageYaml('Provider', 'base'))] }))
    const net = packageYaml('Provider', 'net', { [BASE]: '>=v1.0.0' })
    writeImage('net.xpkg', ociImages({ name: `${NET}:v2.1.0`, layers: [layerOf(net)] }))
    const platform = packageYaml('Configuration', 'platform', { [NET]: '>=v2.0.0' })
    writeImage('platform.xpkg', dockerImage({ name: `${PLATFORM}:v3.0.0`, layers: [layerOf(platform)] }))
    write(
      'fleet/platform.yaml',
      `apiVersion: pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: platform\nspec:\n  package: ${PLATFORM}:v3.0.0\n`,
    )
    const made = await run('catalog', 'add', '--into', 'fleet/catalog.yaml', `${BASE}:v1.4.0=base.xpkg`, 'net.xpkg', 'platform.xpkg')
    expect(made).toMatchObject({ exitCode: 0, stderr: 'Catalog: 3 versions added; read 3 sources\n' })
  })

  test('has their digests, dependencies, kinds and objects', () => {
    const index = JSON.parse(ociIndexOf('net.xpkg'))
    expect(read('fleet/catalog.yaml')).toContain(`  - ecosystem: crossplane
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
    const { stdout, exitCode } = await run('check', 'fleet')
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`${PLATFORM} v3.0.0 requires ${NET} ">=v2.0.0"`)
    expect(stdout).toContain(`${NET} v2.1.0 satisfies every requirement on it [dependency-missing]`)
  })

  test('lets resolve install what the packages require, and check find nothing afterwards', async () => {
    expect(await run('resolve', 'fleet')).toMatchObject({ exitCode: 0 })
    expect(read('fleet/dependencies.yaml')).toContain(`package: ${NET}:v2.1.0`)
    expect(read('fleet/dependencies.yaml')).toContain(`package: ${BASE}:v1.4.0`)
    expect(await run('check', 'fleet')).toMatchObject({ exitCode: 0 })
  })

  test('is not changed by a second run', async () => {
    const before = read('fleet/catalog.yaml')
    const { exitCode, stderr } = await run('catalog', 'add', '--into', 'fleet/catalog.yaml', `${BASE}:v1.4.0=base.xpkg`, 'net.xpkg')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Catalog: nothing to do; read 2 sources\n' })
    expect(read('fleet/catalog.yaml')).toBe(before)
  })

  test('keeps its digest when the version was published again', async () => {
    const before = read('fleet/catalog.yaml')
    writeImage('again.xpkg', ociImages({ layers: [layerOf(packageYaml('Provider', 'other'))] }))
    const { exitCode, stdout, stderr } = await run('catalog', 'add', '--into', 'fleet/catalog.yaml', `${NET}:v2.1.0=again.xpkg`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(`must be the digest of ${NET} v2.1.0, sha256:`)
    expect(read('fleet/catalog.yaml')).toBe(before)
  })
})

function ociIndexOf(path: string): string {
  const text = readFileSync(join(files.folder, path), 'latin1')
  return text.slice(text.indexOf('{"schemaVersion":2,"manifests"')).replace(/\0[\s\S]*/, '')
}

const NOP = packageYaml('Provider', 'nop')
const NAMED = `${BASE}:v1.0.0`

test('a duplicate key far from what a Catalog needs is a warning, as Crossplane accepts it', async () => {
  write('source/crossplane.yaml', 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: nop}\nspec: {dependsOn: []}\n')
  write(
    'source/apis/d.yaml',
    'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: nops.acme.org}\nspec: {group: acme.org, group: acme.org}\n',
  )
  const { exitCode, stderr } = await run('catalog', 'add', `${NAMED}=source`)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/warning: .*duplicate-key\]\n.*1 version added/s) })
})

test('a duplicate key of the metadata of a package is an error', async () => {
  write(
    'source/crossplane.yaml',
    'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: nop}\nspec: {dependsOn: [], dependsOn: []}\n',
  )
  expect(await run('catalog', 'add', `${NAMED}=source`)).toMatchObject({ exitCode: 1 })
})

// The form of a package changed with time (seed 003 rule 40).
describe('each form of an image is read alike', () => {
  const upper: PackedEntry[] = [{ path: 'package.yaml', bytes: NOP }]
  const lower: PackedEntry[] = [{ path: 'package.yaml', bytes: 'overwritten' }]
  const FORMS: Readonly<Record<string, () => void>> = {
    'docker save': () => writeImage('source', dockerImage({ layers: [upper, [{ path: 'bin/provider', bytes: 'program' }]] })),
    'docker save without a mark': () => writeImage('source', dockerImage({ layers: [lower, upper], isMarked: false })),
    'the layout of OCI': () => writeImage('source', ociImages({ layers: [upper, lower] })),
    'the layout of OCI without a mark': () => writeImage('source', ociImages({ layers: [lower, upper], isMarked: false })),
    'the layout of OCI in a folder': () => writeFolder('source', ociImages({ layers: [upper] })),
    'an unpacked image': () => writeFolder('source', upper),
    'the folder that it is built from': () => {
      const [metadata = '', definition = ''] = NOP.split('---\n')
      write('source/crossplane.yaml', metadata)
      write('source/apis/definition.yaml', definition)
      write('source/examples/nop.yaml', 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: example}\n')
    },
  }

  test.each(Object.keys(FORMS))('%s', async (form) => {
    FORMS[form]?.()
    expect(await run('catalog', 'add', `${NAMED}=source`)).toMatchObject({
      exitCode: 0,
      stderr: 'Catalog: 1 version added; read 1 source\n',
    })
    expect(read('catalog.yaml').replace(/ {6}digest: .*\n/, '')).toContain(`    - version: v1.0.0
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
    writeImage('source', ociImages(one, { name: 'v2.0.0', layers: [layerOf(packageYaml('Provider', 'two'))] }))
    expect(await run('catalog', 'add', `${BASE}:v2.0.0=source`)).toMatchObject({ exitCode: 0 })
    expect(read('catalog.yaml')).toContain('twos.example.org')
    const { stderr } = await run('catalog', 'add', `${BASE}:v3.0.0=source`)
    expect(stderr).toBe("source: error: must hold an image with the tag 'v3.0.0', holds v1.0.0, v2.0.0 [package-reference]\n")
  })
})

/** Returns a Package of kapp-controller that requires nothing. */
const packageOf = (refName: string, version = '1.0.0') =>
  `apiVersion: data.packaging.carvel.dev/v1alpha1\nkind: Package\nmetadata: {name: ${refName}.${version}}\nspec: {refName: ${refName}, version: ${version}}\n`
const PACKAGES: readonly PackedEntry[] = [{ path: 'packages/db.yaml', bytes: packageOf('db.example.org') }]
const bundle = (...layers: readonly (readonly PackedEntry[])[]) => ociImages({ layers, isMarked: false, isBundle: true })
const NEITHER = "must have 'package.yaml' in the root of its files, or a folder 'packages', has none"

describe('a bundle of imgpkg', () => {
  test('has the Packages in its folder packages, beside the images that it names', async () => {
    const images = [
      { path: '.imgpkg/images.yml', bytes: 'kind: ImagesLock' },
      { path: 'other/no.yaml', bytes: packageOf('no.example.org') },
    ]
    const program = { layers: [[{ path: 'bin/db', bytes: 'program' }]], isMarked: false }
    writeImage('bundle.tar', ociImages(program, { layers: [[...images, ...PACKAGES]], isMarked: false, isBundle: true }))
    const { stdout, exitCode } = await run('catalog', 'add', 'bundle.tar')
    expect({ stdout, exitCode }).toEqual({
      stdout: '+ catalog.yaml\n    + db.example.org 1.0.0: digest not known, 0 dependencies\n',
      exitCode: 0,
    })
    expect((await run('catalog', 'add', 'bundle.tar')).stdout).toContain('= db.example.org 1.0.0')
  })

  test('is as its layers leave it: an upper one replaces and removes files', async () => {
    const lower = ['a', 'b', 'c'].map((name) => ({ path: `packages/${name}/p.yaml`, bytes: packageOf(`${name}.example.org`) }))
    const upper = [
      { path: 'packages/a/p.yaml', bytes: packageOf('a.example.org', '2.0.0') },
      { path: 'packages/b/.wh..wh..opq' },
      { path: 'packages/.wh.c' },
      { path: 'packages/d.yaml', bytes: packageOf('d.example.org') },
    ]
    writeImage('bundle.tar', bundle(lower, upper))
    const { stdout } = await run('catalog', 'add', 'bundle.tar')
    expect(stdout.match(/[a-d]\.example\.org \S+/g)).toEqual(['a.example.org 2.0.0:', 'd.example.org 1.0.0:'])
  })

  test('names the file of a fault', async () => {
    writeImage('bundle.tar', bundle([{ path: 'packages/db.yaml', bytes: packageOf('db.example.org').replace(', version: 1.0.0', '') }]))
    const { stderr, exitCode } = await run('catalog', 'add', 'bundle.tar')
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('bundle.tar/packages/db.yaml') })
  })

  test('without the label of imgpkg is read too', async () => {
    writeImage('bundle.tar', ociImages({ layers: [PACKAGES], isMarked: false }))
    expect((await run('catalog', 'add', 'bundle.tar')).stdout).toContain('+ db.example.org 1.0.0')
  })
})

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
      () => dockerOf(gzipSync(Buffer.alloc(220 * 1024 * 1024))),
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
      () => bundle(...['a', 'b'].map((path) => [{ path, bytes: Buffer.alloc(120 * 1024 * 1024) }])),
      'must have at most 210763776 bytes in its layers, has more',
    ],
    'another index than JSON': [() => replace(oci(), /^index/, { bytes: '{' }), "'index.json' must be JSON"],
    'no image': [() => [{ path: 'README.md' }], 'must be an image, has neither index.json nor manifest.json'],
    'no images': [() => [{ path: 'index.json', bytes: '{}' }], 'must hold an image, holds none'],
  }
  const gzipped = ({ bytes }: PackedEntry) => typeof bytes === 'object' && bytes[0] === 0x1f

  test.each(Object.keys(ATTACKS))('%s', async (attack) => {
    const [entries, message] = ATTACKS[attack] ?? []
    writeImage('source', entries?.() ?? [])
    const { stdout, stderr, exitCode } = await run('catalog', 'add', `${NAMED}=source`)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toMatch(/^source: error: [^\n]* \[archive-refused\]\n$/)
    const found = stderr.slice('source: error: '.length)
    if (typeof message === 'string') expect(found).toBe(`${message} [archive-refused]\n`)
    else expect(found).toMatch(message ?? /never/)
    expect(() => read('catalog.yaml')).toThrow('ENOENT')
  })

  test('a link in a folder', async () => {
    write('elsewhere.yaml', NOP)
    write('source/crossplane.yaml', NOP.split('---\n')[0] ?? '')
    symlinkSync('../elsewhere.yaml', join(files.folder, 'source/definition.yaml'))
    const { stderr } = await run('catalog', 'add', `${NAMED}=source`)
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
  writeImage('source', entries)
  const { stdout, stderr, exitCode } = await run('catalog', 'add', `${NAMED}=source`)
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
  write('catalog.yaml', before)
  writeImage('source', dockerImage({ layers: [layerOf(packageYaml('Provider', 'nop', { [NET]: '*' }))] }))
  const digest = `sha256:${'a'.repeat(64)}`
  const { stdout, exitCode } = await run('catalog', 'add', `${NAMED}@${digest}=source`, `${BASE}:v0.9.0=source`)
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
  expect(read('catalog.yaml')).toBe(`${head}${rest('v0.9.0', '')}${last}    kind: Provider\n`)
})
