import { expect, test } from 'vitest'
import { decodeUtf8, otherEncoding } from './file-encoding.ts'
import { readPackageFile } from './read-package-file.ts'

const HINT = '; a file that is no resource can be named in .krmignore'
const CONFIG = 'kind: ConfigMap\n'

test.each([
  { reason: 'UTF-16 with its mark', bytes: Buffer.from(`\ufeff${CONFIG}`, 'utf16le'), message: `must be UTF-8, is UTF-16${HINT}` },
  { reason: 'UTF-16 without its mark', bytes: Buffer.from(CONFIG, 'utf16le'), message: `must be UTF-8, is UTF-16${HINT}` },
  { reason: 'big-endian UTF-16', bytes: Buffer.from(`\ufeff${CONFIG}`, 'utf16le').swap16(), message: `must be UTF-8, is UTF-16${HINT}` },
  { reason: 'a set in UTF-16', bytes: Buffer.from('kind: PackageVariantSet\n', 'utf16le'), message: 'must be UTF-8, is UTF-16' },
  { reason: 'binary', bytes: Buffer.from('a: b\0\x01'), message: `must be UTF-8, is binary${HINT}` },
  { reason: 'Latin-1', bytes: Buffer.from('a: gr\xfcn\n', 'latin1'), message: `must be UTF-8${HINT}` },
])('a file that is no UTF-8 is named for what it is: $reason', ({ bytes, message }) => {
  expect(readPackageFile('a.yaml', bytes).results.map((result) => result.message)).toEqual([message])
})

test('the text of a file in UTF-8 is read from its own bytes, and none from another file', () => {
  const pool = Buffer.from('xx gr\u00fcn \ud83d\ude00 yy')
  expect(decodeUtf8(pool.subarray(3, -3))).toBe('gr\u00fcn \ud83d\ude00')
  expect(decodeUtf8(Buffer.alloc(0))).toBe('')
  expect(decodeUtf8(Buffer.from('a\0'))).toBeUndefined()
  expect(decodeUtf8(Buffer.from('gr\u00fcn', 'latin1'))).toBeUndefined()
})

const UTF_16 = ', is UTF-16'

test.each([
  ['little-endian with its mark', Buffer.from('\ufeffgr\u00fcn \u65e5', 'utf16le'), 'gr\u00fcn \u65e5', UTF_16],
  ['big-endian with its mark', Buffer.from('\ufeffgr\u00fcn \u65e5', 'utf16le').swap16(), 'gr\u00fcn \u65e5', UTF_16],
  ['little-endian without its mark', Buffer.from('a: b\n', 'utf16le'), 'a: b\n', UTF_16],
  ['big-endian without its mark', Buffer.from('a: b\n', 'utf16le').swap16(), 'a: b\n', UTF_16],
  ['an ASCII beginning of a thousand bytes', Buffer.from(`${'a'.repeat(500)}\u65e5`, 'utf16le'), `${'a'.repeat(500)}\u65e5`, UTF_16],
  ['a zero behind the first byte alone', Buffer.from('a\0bc'), 'a\0bc', ', is binary'],
  ['two zeros at the beginning', Buffer.from('\0\0a\0'), '\0\0a\0', ', is binary'],
  ['a zero, and no UTF-8', Buffer.from('\xfc\xfd\0', 'latin1'), '\u00fc\u00fd\0', ', is binary'],
  ['Latin-1', Buffer.from('gr\u00fcn', 'latin1'), 'gr\u00fcn', ''],
])('a file that is no UTF-8 has a text and the name of its encoding: %s', (_what, bytes, text, encoding) => {
  expect(otherEncoding(bytes)).toEqual({ text, encoding })
})
