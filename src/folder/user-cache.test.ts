import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { readCached, writeCached } from './user-cache.ts'

test('a file is written into a folder that only the user can enter, and read from there', () => {
  const root = testFolder()
  const file = join(root, 'a/b/record')
  expect(readCached(file)).toBeUndefined()
  expect(writeCached(file, 'one')).toBe(true)
  expect(writeCached(file, 'two')).toBe(true)
  expect(readCached(file)).toBe('two')
  expect(readdirSync(join(root, 'a/b'))).toEqual(['record'])
  expect([statSync(join(root, 'a')).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
})

test('a written file takes the place of the former one, so that no reader sees half a file', () => {
  const file = join(testFolder(), 'record')
  writeCached(file, 'one')
  const before = statSync(file).ino
  writeCached(file, 'two')
  expect(statSync(file).ino).not.toBe(before)
})

test('what cannot be written or read is no error, and leaves nothing behind', () => {
  const root = testFolder()
  writeFileSync(join(root, 'file'), '')
  expect(writeCached(join(root, 'file/record'), 'text')).toBe(false)
  expect(readCached(join(root, 'file/record'))).toBeUndefined()
  mkdirSync(join(root, 'folder/record'), { recursive: true })
  expect(writeCached(join(root, 'folder/record'), 'text')).toBe(false)
  expect(readdirSync(join(root, 'folder'))).toEqual(['record'])
})

test('a folder of another user is neither read nor written', () => {
  const file = join(testFolder(), 'record')
  writeFileSync(file, 'text')
  chmodSync(file, 0o666)
  vi.spyOn(process, 'getuid').mockReturnValue(statSync(file).uid + 1)
  expect(readCached(file)).toBeUndefined()
  expect(writeCached(file, 'other')).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('text')
})
