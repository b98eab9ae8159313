import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { convertedIds, lineConverter } from './git-conversion.ts'
import { gitIdOf } from './git-snapshot.ts'
import { runGit } from './run-git.ts'

/** Returns a repository whose user has a filter `up` that writes in capitals, with some attributes of paths. */
function makeRepository(attributes: readonly string[], config: Readonly<Record<string, string>> = {}): string {
  const root = testFolder()
  vi.stubEnv('HOME', root)
  writeFileSync(join(root, '.gitconfig'), '[filter "up"]\n\tclean = tr a-z A-Z\n')
  const dir = join(root, 'repository')
  mkdirSync(join(dir, 'sub'), { recursive: true })
  runGit({ dir }, ['init', '--quiet'])
  for (const [name, value] of Object.entries(config)) runGit({ dir }, ['config', name, value])
  writeFileSync(join(dir, '.gitattributes'), attributes.map((line) => `${line}\n`).join(''))
  return dir
}

const idOf = (text: string) => gitIdOf(Buffer.from(text), '')

function idsIn(dir: string, files: Readonly<Record<string, string>>, below = ''): readonly string[] | undefined {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, below, path), text)
  return convertedIds({ dir: join(dir, below) }, Object.keys(files))
}

test('the ids of files are those that git would commit: with the ends of lines and the filters of the user, in the order of the paths', () => {
  const dir = makeRepository(['*.txt text', '*.up filter=up'])
  expect(idsIn(dir, { 'b.txt': 'a\r\nb\r\n', 'a.bin': 'a\r\n', 'c.up': 'abc' })).toEqual([idOf('a\nb\n'), idOf('a\r\n'), idOf('ABC')])
})

test('the files of a folder have the attributes of their whole paths', () => {
  const dir = makeRepository(['sub/*.txt text'])
  expect(idsIn(dir, { 'a.txt': 'a\r\n' }, 'sub')).toEqual([idOf('a\n')])
  expect(idsIn(dir, { 'a.txt': 'a\r\n' })).toEqual([idOf('a\r\n')])
})

test('a filter of the repository itself is not run, also not one that must succeed', () => {
  const dir = makeRepository(['*.x filter=own'], { 'filter.own.clean': 'tr a-z A-Z', 'filter.own.required': 'true' })
  expect(idsIn(dir, { 'a.x': 'abc' })).toEqual([idOf('abc')])
  const process = makeRepository(['*.x filter=own'], { 'filter.own.process': 'false', 'filter.own.required': 'true' })
  expect(idsIn(process, { 'a.x': 'abc' })).toEqual([idOf('abc')])
})

test('where no setting can turn a filter of the repository off, nothing is known', () => {
  const dir = makeRepository(['*.x filter=a=b'], { 'filter.a=b.clean': 'tr a-z A-Z' })
  expect(idsIn(dir, { 'a.x': 'abc' })).toBeUndefined()
  expect(Buffer.from(lineConverter({ dir })('a.x', Buffer.from('a\r\n'))).toString()).toBe('a\r\n')
})

test.each(['with blank.txt', '"quoted".txt', 'two\nlines.txt', 'back\\slash.txt', '"both"\n\\.txt', 'cr\r.txt'])(
  'the file %j has its id',
  (path) => {
    expect(idsIn(makeRepository(['*.txt text']), { [path]: 'a\r\n' })).toEqual([idOf('a\n')])
  },
)

test('the lines of a file are those that git would commit, if they end as on Windows and nothing else differs', () => {
  const dir = makeRepository(['*.txt text', '*.bin -text', '*.up filter=up'])
  const convert = lineConverter({ dir: join(dir, 'sub') })
  const converted = (path: string, text: string) => Buffer.from(convert(path, Buffer.from(text))).toString()
  expect(converted('sub/a.txt', 'a\r\nb\r\nc')).toBe('a\nb\nc')
  expect(converted('sub/a.txt', 'a\nb\n')).toBe('a\nb\n')
  expect(converted('sub/a.txt', 'ä\r\n')).toBe('ä\n')
  expect(converted('sub/a.bin', 'a\r\n')).toBe('a\r\n')
  expect(converted('sub/a.up', 'a\r\n')).toBe('a\r\n')
})
