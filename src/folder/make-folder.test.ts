import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'make-folder-'))
afterAll(() => rmSync(root, { recursive: true }))

test('the missing folders above are made too, and the outermost that was made is returned', () => {
  expect(makeFolder(join(root, 'a/b/c'))).toBe(join(root, 'a'))
  expect(makeFolder(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'))
  expect(existsSync(join(root, 'a/b/c'))).toBe(true)
})

test('a folder that is there stays as it is, also behind a link', () => {
  mkdirSync(join(root, 'there'))
  symlinkSync('there', join(root, 'link'))
  expect([makeFolder(join(root, 'there')), makeFolder(join(root, 'link')), makeFolder('/')]).toEqual([undefined, undefined, undefined])
})

test('every folder that is made has the asked permissions', () => {
  makeFolder(join(root, 'own/cache'), 0o700)
  expect(['own', 'own/cache'].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([0o700, 0o700])
})

test('a file or a broken link in the place of a folder is an error', () => {
  writeFileSync(join(root, 'file'), '')
  symlinkSync('nowhere', join(root, 'broken'))
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST')
  expect(() => makeFolder(join(root, 'broken'))).toThrow('EEXIST')
  expect(() => makeFolder(join(root, 'file/inside'))).toThrow('ENOTDIR')
})

test('a file system that makes no folders is an error, and the call ends', () => {
  expect(() => makeFolder('/proc/none/inside')).toThrow('mkdir')
})
