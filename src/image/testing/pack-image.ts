import { gzipSync } from 'node:zlib'
import { sha256 } from '../image-files.ts'

/** An entry of a tar archive that a test packs. */
export interface PackedEntry {
  readonly path: string
  readonly bytes?: string | Uint8Array
  /** The type in the header; '0' is a file. */
  readonly type?: string
  /** The size in the header, if it is not that of the bytes. */
  readonly size?: number
}

const BLOCK = 512

/** Returns a tar archive in the form of POSIX ustar. */
export function packTar(entries: readonly PackedEntry[]): Buffer {
  return Buffer.concat([...entries.map(packEntry), Buffer.alloc(2 * BLOCK)])
}

function packEntry({ path, bytes = '', type = '0', size }: PackedEntry): Buffer {
  const content = Buffer.from(bytes)
  const header = Buffer.alloc(BLOCK)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${(size ?? content.length).toString(8).padStart(11, '0')}\0`, 124)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}

/** An image that a test packs: its layers, of which the first is the base layer of a package. */
export interface PackedImage {
  /** A tag, or a whole reference; '' for an image without a name. */
  readonly name?: string
  readonly layers: readonly (readonly PackedEntry[])[]
  /** False for an image in which no layer is marked as that of the package. */
  readonly isMarked?: boolean
  /** True for a bundle of imgpkg. */
  readonly isBundle?: boolean
}

/** Returns the entries of an image in the layout of `docker save`, as `crossplane xpkg build` writes it. */
export function dockerImage({ name = '', layers, isMarked = true }: PackedImage): PackedEntry[] {
  const packed = layers.map((entries) => packTar(entries))
  const files = packed.map((layer) => gzipSync(layer))
  const paths = files.map((bytes) => `${hexOf(bytes)}.tar.gz`)
  const labels = isMarked && files[0] !== undefined ? { [`io.crossplane.xpkg:${sha256(files[0])}`]: 'base' } : {}
  const config = JSON.stringify({ config: { Labels: labels }, rootfs: { type: 'layers', diff_ids: packed.map(sha256) } })
  const configPath = `sha256:${hexOf(Buffer.from(config))}`
  const manifest = [{ Config: configPath, RepoTags: name === '' ? null : [name], Layers: paths }]
  return [
    { path: configPath, bytes: config },
    ...paths.map((path, i) => ({ path, bytes: files[i] ?? '' })),
    { path: 'manifest.json', bytes: JSON.stringify(manifest) },
  ]
}

/** Returns the entries of images in the layout of OCI. Two images have one layout, each with its name. */
export function ociImages(...images: readonly PackedImage[]): PackedEntry[] {
  const blobs = new Map<string, Buffer>()
  const add = (bytes: Buffer, fields: object) => {
    blobs.set(hexOf(bytes), bytes)
    return { digest: sha256(bytes), size: bytes.length, ...fields }
  }
  const manifests = images.map(({ name = '', layers, isMarked = true, isBundle = false }) => {
    const annotations = { 'io.crossplane.xpkg': 'base' }
    const packed = new Map([...new Set(layers)].map((entries) => [entries, gzipSync(packTar(entries))]))
    const descriptors = layers.map((entries, i) => add(packed.get(entries) ?? Buffer.of(), i === 0 && isMarked ? { annotations } : {}))
    const labels = { 'dev.carvel.imgpkg.bundle': 'true' }
    const config = isBundle ? { config: add(Buffer.from(JSON.stringify({ config: { Labels: labels } })), {}) } : {}
    const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, ...config, layers: descriptors }))
    return add(manifest, name === '' ? {} : { annotations: { 'org.opencontainers.image.ref.name': name } })
  })
  return [
    { path: 'oci-layout', bytes: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', bytes: JSON.stringify({ schemaVersion: 2, manifests }) },
    ...[...blobs].map(([hex, bytes]) => ({ path: `blobs/sha256/${hex}`, bytes })),
  ]
}

function hexOf(bytes: Buffer): string {
  return sha256(bytes).slice('sha256:'.length)
}
