import { posix } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { errorCode } from '../error-code.ts'
import { bufferSource } from './image-files.ts'
import { ArchiveError, readTar, type TarEntry } from './tar.ts'

/** A layer: its bytes are read when it is asked for. */
export interface Layer {
  readonly path: string
  readonly isBase: boolean
  /** Returns the tar archive of the layer. */
  unpack(): Buffer
}

/** imgpkg writes one layer. */
const MOST_LAYERS = 100

const WHITEOUT = '.wh.'
/** In a folder: nothing of it is kept from the layers below. */
const OPAQUE = '.wh..wh..opq'

/**
 * Returns the files in a folder of an image, as the layers leave them one after the other, by their paths below the folder. What is outside
 * of the folder is not looked at.
 *
 * @param most  the most bytes that all layers may have unpacked
 * @throws ArchiveError for a link or a device in the folder, for a path that a layer has twice, and for more layers or bytes
 */
export function filesInLayers(layers: readonly Layer[], folder: string, most: number): ReadonlyMap<string, Buffer> {
  if (layers.length > MOST_LAYERS) throw new ArchiveError(`must have at most ${MOST_LAYERS} layers, has ${layers.length}`)
  let files = new Map<string, Buffer>()
  let bytes = 0
  for (const layer of layers) {
    const archive = layer.unpack()
    bytes += archive.length
    if (bytes > most) throw new ArchiveError(`must have at most ${most} bytes in its layers, has more`)
    const entries = tarEntriesOf(layer, archive).filter(({ path }) => isIn(path, folder))
    const own = filesOf(layer, entries)
    const isKept = keeper(entries)
    files = new Map([...files].filter(([path]) => isKept(path)))
    for (const [path, { offset, size }] of own) files.set(path, archive.subarray(offset, offset + size))
  }
  const start = `${folder}/`
  return new Map([...files].flatMap(([path, content]) => (path.startsWith(start) ? [[path.slice(start.length), content] as const] : [])))
}

/** Returns the entries of a layer. @throws ArchiveError with the place of the layer */
export function tarEntriesOf({ path }: Layer, archive: Buffer): readonly TarEntry[] {
  try {
    return readTar(bufferSource(archive))
  } catch (error) {
    throw error instanceof ArchiveError ? new ArchiveError(`'${path}' ${error.message}`) : error
  }
}

/** Returns true if a layer without an entry for the path removes it (OCI, whiteouts). */
export function removesFromRoot(entries: readonly TarEntry[], path: string): boolean {
  return entries.some((entry) => entry.path === `${WHITEOUT}${path}` || entry.path === OPAQUE)
}

/** Returns true for a path in a folder, for the folder, and for a whiteout that hides the folder. */
function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path === `${WHITEOUT}${folder}` || path === OPAQUE
}

/** Returns a function that returns false for a path of the layers below that a layer hides: by a whiteout, or by a file in its place. */
function keeper(entries: readonly TarEntry[]): (path: string) => boolean {
  const hidden = new Set<string>()
  const opaque = new Set<string>()
  for (const { path, type } of entries) {
    const name = posix.basename(path)
    const within = path === name ? '' : posix.dirname(path)
    if (name === OPAQUE) opaque.add(within)
    else if (name.startsWith(WHITEOUT)) hidden.add(posix.join(within, name.slice(WHITEOUT.length)))
    else if (type === 'file') hidden.add(path)
  }
  const isHiddenBelow = (folder: string) => hidden.has(folder) || opaque.has(folder)
  return (path) => {
    if (hidden.has(path) || opaque.has('')) return false
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
      if (isHiddenBelow(path.slice(0, slash))) return false
    return true
  }
}

/** Returns the files of a layer by their paths, without the marks of what it removes. */
function filesOf({ path: layer }: Layer, entries: readonly TarEntry[]): ReadonlyMap<string, TarEntry> {
  const files = new Map<string, TarEntry>()
  for (const entry of entries) {
    const { path, type } = entry
    if (type === 'folder' || posix.basename(path).startsWith(WHITEOUT)) continue
    if (type !== 'file') throw new ArchiveError(`'${path}' in '${layer}' must be a file, is ${type === 'link' ? 'a link' : 'none'}`)
    if (files.has(path)) throw new ArchiveError(`'${layer}' must have '${path}' once, has it twice`)
    files.set(path, entry)
  }
  return files
}

/** The first bytes of a file that is packed with zstd. */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Returns the bytes of a layer without gzip.
 *
 * @param most  the most bytes that the layer may have unpacked
 * @throws ArchiveError for zstd, for broken gzip and for more bytes
 */
export function unpackLayer(bytes: Buffer, path: string, most: number): Buffer {
  if (bytes.subarray(0, 4).equals(ZSTD)) throw new ArchiveError(`'${path}' must be packed with gzip or not at all, is packed with zstd`)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: most })
  } catch (error) {
    const isLarge = errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    throw new ArchiveError(`'${path}' must ${isLarge ? `have at most ${most} bytes unpacked, has more` : 'be whole, its gzip is broken'}`)
  }
}
