import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { naming, writeAt } from './write-at.ts'

test('a file is written, and an error of the write names the file', () => {
  const place = join(testFolder(), 'a.yaml')
  writeAt(place, 'a: 1\n')
  expect(readFileSync(place, 'utf8')).toBe('a: 1\n')
  expect(() => writeAt(join(place, 'b'), '')).toThrow(expect.objectContaining({ code: 'ENOTDIR', path: join(place, 'b') }))
})

test.each([
  ['of node:fs without a path', Object.assign(new Error('full'), { syscall: 'write' }), '/a'],
  ['of node:fs with a path', Object.assign(new Error('full'), { syscall: 'open', path: '/b' }), '/b'],
  ['of another kind', new Error('bug'), undefined],
])('an error %s is thrown with the path %s', (_what, error, path) => {
  const act = () =>
    naming('/a', () => {
      throw error
    })
  expect(act).toThrow(error)
  expect('path' in error ? error.path : undefined).toBe(path)
})

test('the answer of an action without an error is returned', () => {
  expect(naming('/a', () => 5)).toBe(5)
})
