import { isUtf8 } from 'node:buffer'
import { printablePath } from '../printable.ts'

/** Bytes that are read in pieces: a file on disk, or a buffer. */
export interface ByteSource {
  readonly size: number
  /** Returns `length` bytes from `offset`; both are within `size`. */
  read(offset: number, length: number): Buffer
}

/** Thrown for an archive or image that is damaged or made to do harm. The message names the place in the archive. */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ArchiveError'
  }
}

/** An entry of a tar archive. The bytes of a file are `size` bytes from `offset`. */
export interface TarEntry {
  /** The path below the root, without `./` at the start and `/` at the end. */
  readonly path: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly size: number
  readonly offset: number
}

/** The most entries of an archive. The largest images that providers run in have some ten thousand files. */
const MOST_ENTRIES = 100_000
const BLOCK = 512
/** A block of zeros is after the last entry. */
const END = Buffer.alloc(BLOCK)
/** The most bytes of a pax header: the limit of Go's archive/tar. */
const LONGEST_PAX = 1 << 20
const LONGEST_PATH = 4096

const TYPES: Readonly<Record<string, TarEntry['type']>> = {
  '\0': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '3': 'other',
  '4': 'other',
  '5': 'folder',
  '6': 'other',
}

/** The path and size that pax headers and GNU names give the entry after them. */
interface Extended {
  readonly path?: string
  readonly size?: number
}

/**
 * Returns the entries of a tar archive (POSIX ustar and pax, GNU long names), in their order. Only headers are read, so the cost does not
 * depend on the sizes of the files. A package of a provider holds the image of its program, often hundreds of megabytes.
 *
 * @throws ArchiveError for a damaged archive, for a path that leads out of the archive, and for more than `MOST_ENTRIES` entries
 */
export function readTar(source: ByteSource): readonly TarEntry[] {
  const entries: TarEntry[] = []
  let extended: Extended = {}
  let offset = 0
  for (let headers = 0; offset + BLOCK <= source.size; headers++) {
    if (headers >= MOST_ENTRIES) throw new ArchiveError(`must have at most ${MOST_ENTRIES} entries, has more`)
    const bytes = source.read(offset, BLOCK)
    if (bytes.equals(END)) return entries
    const header = readHeader(bytes, offset, extended)
    if (header.size > source.size - header.start)
      throw new ArchiveError(`must not end in the middle of an entry, ends within that at byte ${offset}`)
    const extension = EXTENSIONS[header.type]?.(source, header)
    if (extension === undefined) entries.push(...entryOf(header))
    extended = extension === undefined ? {} : { ...extended, ...extension }
    offset = header.start + Math.ceil(header.size / BLOCK) * BLOCK
  }
  if (entries.length === 0) throw new ArchiveError('must be a tar archive, has no entry')
  return entries
}

/** A header, with what the entries before it say. */
interface Header {
  readonly path: string
  readonly type: string
  readonly size: number
  /** The offset of the entry's bytes. */
  readonly start: number
}

function readHeader(bytes: Buffer, offset: number, { path, size }: Extended): Header {
  checkSum(bytes, offset)
  const type = String.fromCharCode(bytes[156] ?? 0)
  const own = numberIn(bytes, 124, 12, offset)
  return { path: path ?? nameIn(bytes), type, size: EXTENSIONS[type] === undefined ? (size ?? own) : own, start: offset + BLOCK }
}

/** Returns the entry of a header; none for the root itself. */
function entryOf({ path: written, type, size, start }: Header): TarEntry[] {
  const path = relativePath(written)
  return path === '' ? [] : [{ path, type: typeOf(type), size, offset: start }]
}

/** The types of entries that describe the next entry, with their readers: pax headers, GNU long names and long targets of links. */
const EXTENSIONS: Readonly<Record<string, (source: ByteSource, header: Header) => Extended>> = {
  x: (source, header) => paxRecords(bytesOf(source, header, LONGEST_PAX, 'a pax header')),
  g: (source, header) => refuseGlobal(paxRecords(bytesOf(source, header, LONGEST_PAX, 'a pax header'))),
  L: (source, header) => ({ path: longName(bytesOf(source, header, LONGEST_PATH + 1, 'a long name')) }),
  K: () => ({}),
}

function typeOf(type: string): TarEntry['type'] {
  const known = TYPES[type]
  if (known === undefined) throw new ArchiveError(`must have entries of tar alone, has one of type ${JSON.stringify(type)}`)
  return known
}

function checkSum(header: Buffer, offset: number): void {
  // The checksum counts its own field as blanks.
  let sum = 8 * 0x20
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += header[i] ?? 0
  const written = Number.parseInt(textIn(header, 148, 8).trim(), 8)
  if (written === sum) return
  throw new ArchiveError(
    offset === 0 ? 'must be a tar archive' : `must have valid headers, that at byte ${offset} has a checksum of other bytes`,
  )
}

/** Returns an octal number of a header, or a binary one as GNU writes sizes of 8 GB and more. */
function numberIn(header: Buffer, at: number, length: number, offset: number): number {
  const isBinary = ((header[at] ?? 0) & 0x80) !== 0
  const text = textIn(header, at, length).trim()
  const value = isBinary
    ? Number(header.readBigUInt64BE(at + length - 8))
    : text === ''
      ? 0
      : /^[0-7]+$/.test(text)
        ? Number.parseInt(text, 8)
        : -1
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new ArchiveError(`must have sizes in its headers, that at byte ${offset} has none`)
}

function textIn(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('latin1')
}

/** Returns the path of a header: the fields prefix and name, both UTF-8. */
function nameIn(header: Buffer): string {
  const isUstar = header.subarray(257, 263).toString('latin1') === 'ustar\0'
  const prefix = isUstar ? textIn(header, 345, 155) : ''
  const name = textIn(header, 0, 100)
  return utf8(Buffer.from(prefix === '' ? name : `${prefix}/${name}`, 'latin1'))
}

function longName(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return utf8(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Returns the path and the size in pax records: lines `LENGTH KEY=VALUE`. */
function paxRecords(bytes: Buffer): Extended {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = space < 0 ? Number.NaN : Number(bytes.subarray(at, space).toString('latin1'))
    const isWhole = Number.isInteger(length) && length > space - at + 1 && bytes[at + length - 1] === 0x0a
    if (!isWhole) throw new ArchiveError('must have pax headers of whole records, has a broken one')
    const record = utf8(bytes.subarray(space + 1, at + length - 1))
    const equals = record.indexOf('=')
    records.set(record.slice(0, equals), record.slice(equals + 1))
    at += length
  }
  return extendedOf(records)
}

function extendedOf(records: ReadonlyMap<string, string>): Extended {
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) throw new ArchiveError('must not have sparse files')
  const [path, written] = [records.get('path'), records.get('size')]
  const size = written === undefined ? undefined : Number(/^\d+$/.test(written) ? written : Number.NaN)
  if (size !== undefined && !Number.isSafeInteger(size)) throw new ArchiveError('must have pax headers with whole sizes, has another one')
  return { ...(path !== undefined && { path }), ...(size !== undefined && { size }) }
}

function refuseGlobal({ path, size }: Extended): Extended {
  if (path === undefined && size === undefined) return {}
  throw new ArchiveError('must not have a path or a size in a global pax header')
}

function bytesOf(source: ByteSource, { start, size }: Header, most: number, what: string): Buffer {
  if (size > most) throw new ArchiveError(`must not have ${what} of more than ${most} bytes, has one of ${size}`)
  return source.read(start, size)
}

function utf8(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new ArchiveError(`must have paths in UTF-8, has '${printablePath(bytes.toString('latin1'))}'`)
}

/** Returns a path without `./` and `/` around it; '' for the root. */
function relativePath(path: string): string {
  const shown = printablePath(path)
  if (path.length > LONGEST_PATH) throw new ArchiveError(`must have paths of at most ${LONGEST_PATH} characters, has one of ${path.length}`)
  if (path.startsWith('/')) throw new ArchiveError(`must not have absolute paths, has '${shown}'`)
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw new ArchiveError(`must not have paths that lead out of it, has '${shown}'`)
  if (path.includes('\0')) throw new ArchiveError(`must not have paths with a zero byte, has '${shown}'`)
  return parts.join('/')
}
