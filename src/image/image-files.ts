import { createHash } from 'node:crypto'
import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { realPlace } from '../folder/inside-folder.ts'
import { ArchiveError, type ByteSource, readTar, type TarEntry } from './tar.ts'

/** The files of an image in the layout of OCI or of `docker save`, in a folder or in a tar archive. */
export interface ImageFiles {
  has(path: string): boolean
  /** Returns the bytes of a file. @throws ArchiveError for a missing file, for a link, and for a file of more than `most` bytes */
  read(path: string, most: number): Buffer
}

/**
 * Returns the files of a folder that holds the layout of an image. Links are refused, since an image has none.
 *
 * @param folder  the path on disk
 */
export function folderFiles(folder: string): ImageFiles {
  return {
    has: (path) => lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined,
    read: (path, most) => {
      // The layout comes from others: its manifest may name a path that leads out of the folder, also through a link to a folder.
      if (join('/', path) !== `/${path}`) throw notAFile(path, 'a path that leads out of the image, or round about in it')
      if (realPlace(join(folder, path)) !== join(realPlace(folder), path)) throw notAFile(path, 'a link')
      const stats = lstatSync(join(folder, path), { throwIfNoEntry: false })
      if (stats?.isFile() !== true) throw notAFile(path, stats === undefined ? 'missing' : stats.isSymbolicLink() ? 'a link' : 'no file')
      refuseLarge(path, stats.size, most)
      return withFile(join(folder, path), (source) => source.read(0, source.size))
    },
  }
}

/** Returns the files of a tar archive. Of two entries with one path the second is refused when the path is read. */
export function tarFiles(source: ByteSource): ImageFiles {
  const entries = new Map<string, TarEntry>()
  const twice = new Set<string>()
  for (const entry of readTar(source)) {
    if (entries.has(entry.path)) twice.add(entry.path)
    entries.set(entry.path, entry)
  }
  return {
    has: (path) => entries.has(path),
    read: (path, most) => {
      const entry = entries.get(path)
      if (entry?.type !== 'file') throw notAFile(path, entry === undefined ? 'missing' : entry.type === 'link' ? 'a link' : 'no file')
      if (twice.has(path)) throw new ArchiveError(`'${path}' must be in the archive once, is there twice`)
      refuseLarge(path, entry.size, most)
      return source.read(entry.offset, entry.size)
    },
  }
}

function notAFile(path: string, found: string): ArchiveError {
  return new ArchiveError(`'${path}' must be a file, is ${found}`)
}

function refuseLarge(path: string, size: number, most: number): void {
  if (size > most) throw new ArchiveError(`'${path}' must have at most ${most} bytes, has ${size}`)
}

/** Opens a file on disk for an action, and closes the file after the action. */
export function withFile<Made>(place: string, act: (source: ByteSource) => Made): Made {
  const file = openSync(place, 'r')
  try {
    const { size } = fstatSync(file)
    return act({ size, read: (offset, length) => readPiece(file, offset, length) })
  } finally {
    closeSync(file)
  }
}

function readPiece(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const read = readSync(file, bytes, done, length - done, offset + done)
    if (read === 0) throw new ArchiveError('must not change while it is read, became shorter')
    done += read
  }
  return bytes
}

/** Returns a buffer as a source of bytes. */
export function bufferSource(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

/** Returns the digest of bytes, `sha256:…`. */
export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
