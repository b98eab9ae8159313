import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bufferSource, tarFiles } from './image-files.ts'
import { ArchiveError, readTar } from './tar.ts'
import { type PackedEntry, packTar } from './testing/pack-image.ts'

const pack = (...entries: readonly PackedEntry[]) => bufferSource(packTar(entries))
/** Returns a record of a pax header: `12 path=a/b\n`, whose number is the length of the record. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  return `${rest.length + 2}${rest}`
}
const pax = (bytes: string) => ({ path: 'pax', type: 'x', bytes })

test('the entries of an archive, with the offsets of their bytes', () => {
  const source = pack({ path: './docs', type: '5' }, { path: 'docs/a.yaml', bytes: 'a: 1\n' }, { path: 'link', type: '2' })
  expect(readTar(source)).toEqual([
    { path: 'docs', type: 'folder', size: 0, offset: 512 },
    { path: 'docs/a.yaml', type: 'file', size: 5, offset: 1024 },
    { path: 'link', type: 'link', size: 0, offset: 2048 },
  ])
})

test.each([
  ['a pax header', [pax(record('path', 'sub/b.yaml')), { path: 'short', bytes: 'b' }]],
  [
    'a GNU long name',
    [
      { path: '././@LongLink', type: 'L', bytes: 'sub/b.yaml\0' },
      { path: 'short', bytes: 'b' },
    ],
  ],
])('%s names the next entry', (_, entries) => {
  const archive = pack(...entries, { path: 'after', bytes: '' })
  expect(readTar(archive).map(({ path }) => path)).toEqual(['sub/b.yaml', 'after'])
})

const REFUSED: readonly (readonly [string, readonly PackedEntry[], string])[] = [
  ['a path out of the archive', [{ path: 'a/../../etc/passwd' }], "must not have paths that lead out of it, has 'a/../../etc/passwd'"],
  ['an absolute path', [{ path: '/etc/passwd' }], "must not have absolute paths, has '/etc/passwd'"],
  ['a pax path out of the archive', [pax(record('path', '../up')), { path: 'a' }], "must not have paths that lead out of it, has '../up'"],
  ['a size beyond the end', [{ path: 'a', size: 1 << 20 }], 'must not end in the middle of an entry, ends within that at byte 0'],
  [
    'a pax size beyond the end',
    [pax(record('size', '999999')), { path: 'a' }],
    'must not end in the middle of an entry, ends within that at byte 1024',
  ],
  ['a pax size that is none', [pax(record('size', '-12')), { path: 'a' }], 'must have pax headers with whole sizes, has another one'],
  ['a broken pax header', [pax('99 path=a\n')], 'must have pax headers of whole records, has a broken one'],
  ['a sparse file', [pax(record('GNU.sparse.major', '1')), { path: 'a' }], 'must not have sparse files'],
  ['a global path', [{ path: 'pax', type: 'g', bytes: record('path', 'abc') }], 'must not have a path or a size in a global pax header'],
  [
    'a long name beyond measure',
    [{ path: 'l', type: 'L', bytes: 'x'.repeat(5000) }],
    'must not have a long name of more than 4097 bytes, has one of 5000',
  ],
  ['a type of another program', [{ path: 'a', type: 'Z' }], 'must have entries of tar alone, has one of type "Z"'],
]

test.each(REFUSED)('%s is refused', (_, entries, message) => {
  expect(() => readTar(pack(...entries))).toThrow(new ArchiveError(message))
})

test('a header with another checksum is refused, with its place', () => {
  const bytes = packTar([{ path: 'a' }, { path: 'b' }])
  bytes[512] = 0x63
  expect(() => readTar(bufferSource(bytes))).toThrow(
    new ArchiveError('must have valid headers, that at byte 512 has a checksum of other bytes'),
  )
})

test('bytes that are no archive are called that, whatever their first letters are', () => {
  expect(() => readTar(bufferSource(Buffer.alloc(1024, 0xe9)))).toThrow(new ArchiveError('must be a tar archive'))
})

test('more entries than an image has are refused', () => {
  const one = packTar([{ path: 'a' }]).subarray(0, 512)
  const size = 512 * 100_001
  const endless = { size, read: (offset: number, length: number) => (length === 512 && offset < size ? one : Buffer.alloc(length)) }
  expect(() => readTar(endless)).toThrow(new ArchiveError('must have at most 100000 entries, has more'))
})

describe('files of an archive', () => {
  const files = tarFiles(
    pack({ path: 'a', bytes: '123' }, { path: 'a', bytes: '4' }, { path: 'link', type: '2' }, { path: 'b', bytes: '56' }),
  )

  test('are read by their paths', () => {
    expect(files.read('b', 2).toString()).toBe('56')
  })

  test.each([
    ['b', 1, "'b' must have at most 1 bytes, has 2"],
    ['a', 9, "'a' must be in the archive once, is there twice"],
    ['link', 9, "'link' must be a file, is a link"],
    ['c', 9, "'c' must be a file, is missing"],
  ])('%s with a limit of %d is refused', (path, most, message) => {
    expect(() => files.read(path, most)).toThrow(new ArchiveError(message))
  })
})

const NAME = fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}$/)

test('every packed file is found with its bytes', () => {
  const entries = fc.uniqueArray(fc.record({ path: NAME, bytes: fc.uint8Array({ maxLength: 1500 }) }), {
    selector: ({ path }) => path,
    minLength: 1,
  })
  fc.assert(
    fc.property(entries, (packed) => {
      const files = tarFiles(bufferSource(packTar(packed)))
      for (const { path, bytes } of packed) expect(Buffer.compare(files.read(path, 1500), bytes)).toBe(0)
    }),
  )
})

test('an archive with changed bytes is read or refused, never a fault of the program', () => {
  const whole = packTar([pax(record('path', 'sub/b.yaml')), { path: 'short', bytes: 'b' }, { path: 'c', bytes: 'x'.repeat(700) }])
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(changes, fc.nat(whole.length), (changed, length) => {
      const bytes = Buffer.from(whole)
      for (const [at, byte] of changed) bytes[at] = byte
      try {
        readTar(bufferSource(bytes.subarray(0, length)))
      } catch (error) {
        expect(error).toBeInstanceOf(ArchiveError)
      }
    }),
  )
})
