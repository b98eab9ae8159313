import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { writeFiles } from './write-files.ts'

let dir = ''
beforeEach(() => {
  dir = testFolder()
})

const read = (path: string) => readFileSync(join(dir, path), 'utf8')

test('creates, updates and deletes, and leaves nothing else behind', () => {
  writeFileSync(join(dir, 'old.yaml'), 'old\n')
  mkdirSync(join(dir, 'in/deep'), { recursive: true })
  writeFileSync(join(dir, 'in/deep/gone.yaml'), '')
  writeFiles(dir, [
    { path: 'in/deep/gone.yaml', op: 'delete', text: '' },
    { path: 'new/a.yaml', op: 'create', text: 'new\n' },
    { path: 'old.yaml', op: 'update', text: 'changed\n' },
  ])
  expect(readdirSync(dir, { recursive: true }).sort()).toEqual(['new', 'new/a.yaml', 'old.yaml'])
  expect([read('new/a.yaml'), read('old.yaml')]).toEqual(['new\n', 'changed\n'])
})

test('keeps the mode of a file', () => {
  writeFileSync(join(dir, 'a.yaml'), '')
  chmodSync(join(dir, 'a.yaml'), 0o640)
  writeFiles(dir, [{ path: 'a.yaml', op: 'update', text: 'x\n' }])
  expect(statSync(join(dir, 'a.yaml')).mode & 0o777).toBe(0o640)
})

test('writes what a link leads to; the link stays', () => {
  writeFileSync(join(dir, 'real.txt'), '')
  symlinkSync('real.txt', join(dir, 'a.yaml'))
  writeFiles(dir, [{ path: 'a.yaml', op: 'update', text: 'x\n' }])
  expect([lstatSync(join(dir, 'a.yaml')).isSymbolicLink(), read('real.txt')]).toEqual([true, 'x\n'])
})

test.each([
  { reason: 'a way out by dots', path: '../a.yaml' },
  { reason: 'a way out through a linked folder', path: 'out/a.yaml' },
])('refuses $reason, and then changes nothing', ({ path }) => {
  symlinkSync(tmpdir(), join(dir, 'out'))
  const changes = [
    { path: 'good.yaml', op: 'create', text: '' },
    { path, op: 'create', text: '' },
  ] as const
  expect(() => writeFiles(dir, changes)).toThrow(`'${path}' must be inside the folder`)
  expect(readdirSync(dir)).toEqual(['out'])
})

test('refuses a file whose link leads out of the folder', () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'))
  writeFileSync(join(outside, 'theirs.yaml'), 'theirs\n')
  symlinkSync(join(outside, 'theirs.yaml'), join(dir, 'a.yaml'))
  const update = { path: 'a.yaml', op: 'update', text: 'x\n' } as const
  expect(() => writeFiles(dir, [update])).toThrow("'a.yaml' must be inside the folder")
  expect(readFileSync(join(outside, 'theirs.yaml'), 'utf8')).toBe('theirs\n')
  rmSync(outside, { recursive: true })
})

test('a folder in the place of a file half-way: what is put to its place is whole, and nothing else is left', () => {
  for (const name of ['a.yaml', 'c.yaml']) writeFileSync(join(dir, name), 'old\n')
  mkdirSync(join(dir, 'b.yaml/inner'), { recursive: true })
  const changes = ['a.yaml', 'b.yaml', 'c.yaml'].map((path) => ({ path, op: 'update', text: 'new\n' }) as const)
  expect(() => writeFiles(dir, changes)).toThrow('cannot write')
  expect(readdirSync(dir, { recursive: true }).sort()).toEqual(['a.yaml', 'b.yaml', 'b.yaml/inner', 'c.yaml'])
  expect([read('a.yaml'), read('c.yaml')]).toEqual(['new\n', 'old\n'])
})

test('a folder that is a file: nothing is changed, and nothing left', () => {
  writeFileSync(join(dir, 'a.yaml'), 'old\n')
  writeFileSync(join(dir, 'in'), 'a file\n')
  const changes = [
    { path: 'a.yaml', op: 'update', text: 'new\n' },
    { path: 'new/b.yaml', op: 'create', text: 'new\n' },
    { path: 'in/c.yaml', op: 'create', text: 'new\n' },
  ] as const
  expect(() => writeFiles(dir, changes)).toThrow()
  expect(readdirSync(dir, { recursive: true }).sort()).toEqual(['a.yaml', 'in'])
  expect(read('a.yaml')).toBe('old\n')
})

test('what a killed run left for the same file goes', () => {
  writeFileSync(join(dir, 'a.yaml'), 'old\n')
  writeFileSync(join(dir, `a.yaml.${crypto.randomUUID()}.krm-variants-new`), 'half')
  writeFileSync(join(dir, 'b.yaml.krm-variants-new'), 'of another')
  writeFiles(dir, [{ path: 'a.yaml', op: 'update', text: 'new\n' }])
  expect(readdirSync(dir).sort()).toEqual(['a.yaml', 'b.yaml.krm-variants-new'])
})

test('does not overwrite a file that holds no resource', () => {
  writeFileSync(join(dir, 'notes.yaml'), 'a list of things\n')
  expect(() => writeFiles(dir, [{ path: 'notes.yaml', op: 'create', text: '' }])).toThrow("'notes.yaml' exists already")
  expect(read('notes.yaml')).toBe('a list of things\n')
})
