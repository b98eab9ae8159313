import { describe, expect, test } from 'vitest'
import { formatResult } from '../result.ts'
import { foldedPath, isSafePath, PathGate, pathFault } from './safe-path.ts'

function linesOf(...paths: readonly string[]): readonly string[] {
  const gate = new PathGate()
  for (const path of paths) gate.admits(path)
  return gate.results('catalog/upf').map(formatResult)
}

describe('a path that may be', () => {
  test.each([
    'Kptfile',
    'a/b/c.yaml',
    '.krmignore',
    '.github/workflows/test.yaml',
    '.gitignore',
    '.gitmodules',
    '.gitea/a',
    'git',
    'git~2',
    'a b/c.yaml',
    'caf\u00e9.yaml',
    '\u65e5\u672c.yaml',
    'a~1',
    '...a',
    'a..b/c',
    'v1.0.0+build.7/a@b=c,d.yaml',
    'x'.repeat(255),
  ])('%s', (path) => {
    expect(pathFault(path)).toBe(undefined)
    expect(isSafePath(path)).toBe(true)
  })
})

describe('a path that must not be used, with its reason', () => {
  test.each([
    ['', 'must not be empty'],
    ['/a', 'must not be absolute'],
    ['c:a', 'must not be absolute'],
    ['a//b', 'must not have an empty part'],
    ['a/', 'must not have an empty part'],
    ['a/\u200d/b', 'must not have an empty part'],
    ['./a', "must not have a part of dots or blanks alone, has '.'"],
    ['a/..', "must not have a part of dots or blanks alone, has '..'"],
    ['a/. ./b', "must not have a part of dots or blanks alone, has '. .'"],
    ['a\\b', 'must not contain a backslash'],
    ['a\0b', 'must not contain a control character'],
    ['a\x7fb', 'must not contain a control character'],
    ['a\x85b', 'must not contain a control character'],
    ['a\ud800b', 'must be UTF-8'],
    ['a\ufffdb', 'must be UTF-8'],
    ['\u00e9'.repeat(128), 'must not have a part of more than 255 bytes'],
    ['a/'.repeat(2500), 'must have at most 4096 characters, has 5000'],
    ['a.krm-variants-new', 'must not end in the name of a file in the making, .krm-variants-new or .krm-variants-old'],
    ['a.krm-variants-new.', 'must not end in the name of a file in the making, .krm-variants-new or .krm-variants-old'],
    ['a.krm-variants-old\u200d', 'must not end in the name of a file in the making, .krm-variants-new or .krm-variants-old'],
    ['a.KRM-VARIANTS-OLD/b', 'must not end in the name of a file in the making, .krm-variants-new or .krm-variants-old'],
  ])('%j', (path, reason) => {
    expect(pathFault(path)).toBe(reason)
  })

  // git t/t0060-path-utils.sh (is_ntfs_dotgit) and utf8.c (is_hfs_dotgit).
  test.each([
    '.git',
    '.GIT',
    '.gIt/config',
    'a/.git',
    'git~1',
    'GIT~1',
    '.git.',
    '.git ',
    '.git...',
    '.git. . ',
    'git~1. ',
    '.git:x',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit',
    '.gi\u200dT',
    '.g\u00adit',
    '\ufeff.git',
    '.git\u202e',
    '.\u206ag\u206fit',
  ])('a name of the folder of git: %j', (path) => {
    expect(pathFault(path)).toMatch(/^must not have the part '\.git', nor another name/)
  })
})

test('two spellings that a file system takes for one fold to one text', () => {
  const pairs = [
    ['README.md', 'readme.MD'],
    ['caf\u00e9/a', 'cafe\u0301/A'],
    ['stra\u00dfe', 'STRASSE'],
    ['a\u200db', 'ab'],
    ['a\u00adb', 'ab'],
    ['a./b', 'a/b'],
    ['a /b. .', 'a/b'],
  ]
  expect(pairs.filter(([a = '', b = '']) => foldedPath(a) !== foldedPath(b))).toEqual([])
  expect(foldedPath('a/b')).not.toBe(foldedPath('a/c'))
})

test('the gate reports each path with the place of its tree', () => {
  expect(linesOf('Kptfile', '../x', 'a/b.yaml', 'A/c.yaml', 'a', 'Kptfile/d', 'Kptfile', 'KPTFILE')).toEqual([
    "catalog/upf/../x: error: `path` must not have a part of dots or blanks alone, has '..' [unsafe-path]",
    "catalog/upf/A/c.yaml: error: `path` must have its folder differ from 'a' in more than case and Unicode form: some file systems treat both as one [path-collision]",
    "catalog/upf/a: error: `path` must not be a file and a folder, 'a' is a folder [path-collision]",
    "catalog/upf/Kptfile/d: error: `path` must not be below 'Kptfile', which is a file [path-collision]",
    'catalog/upf/Kptfile: error: `path` must be in the tree once, occurs twice [path-collision]',
    "catalog/upf/KPTFILE: error: `path` must differ from 'Kptfile' in more than case and Unicode form: some file systems treat both as one [path-collision]",
  ])
})

test('of more than a hundred faults the others are counted', () => {
  const lines = linesOf(...Array.from({ length: 350 }, (_, n) => `../${n}`))
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('catalog/upf: error: and 250 more paths that must not be used [unsafe-path]')
})

test('what is known is not reported, and nothing is let through beside it', () => {
  const gate = new PathGate()
  for (const path of ['A.yaml', 'a.yaml', '../x', 'link']) gate.knows(path)
  expect(gate.faults).toEqual([])
  expect([gate.admits('A.YAML'), gate.admits('link/a.yaml'), gate.admits('b.yaml')]).toEqual([false, false, true])
})
