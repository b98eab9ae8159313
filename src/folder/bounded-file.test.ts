import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBoundedFile } from './bounded-file.ts'
import { diskTree } from './file-tree.ts'
import { readTree } from './read-package.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bounded-'))
  writeFileSync(join(folder, 'large.yaml'), '')
  // A hole in the file: no byte of the ten gigabytes is written or read.
  truncateSync(join(folder, 'large.yaml'), 10 * 2 ** 30)
  execFileSync('mkfifo', [join(folder, 'pipe')])
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  { path: 'pipe', message: 'it: expected a file, found a pipe' },
  { path: '.', message: 'it: expected a file, found a folder' },
  { path: '/dev/zero', message: 'it: expected a file, found a device' },
  { path: 'large.yaml', message: 'it: expected at most 268435456 bytes, found 10737418240' },
])('$path is not read: $message', ({ path, message }) => {
  const place = path.startsWith('/') ? path : join(folder, path)
  expect(() => readBoundedFile(place, 'it')).toThrow(message)
})

test('a file of a folder that is too large is a finding with its name', () => {
  expect(() => readTree(diskTree(folder), (path) => `fleet/${path}`)).toThrow(
    'fleet/large.yaml:1:1: error: expected at most 268435456 bytes, found 10737418240; a file that is no resource can be named in .krmignore [unreadable-file]',
  )
})
