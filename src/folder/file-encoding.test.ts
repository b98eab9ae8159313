import { expect, test } from 'vitest'
import { readPackageFile } from './read-package.ts'

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
