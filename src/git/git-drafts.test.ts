import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { checkDrafts, type Draft, type TreeChange, writeDrafts } from './git-drafts.ts'
import { GitError } from './run-git.ts'

let dir = ''
let head = ''

/** Runs git as a person. */
function git(args: readonly string[], input = ''): string {
  const person = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com']
  return execFileSync('git', ['-C', dir, ...person, ...args], { input, encoding: 'utf8', stdio: 'pipe' }).trimEnd()
}

beforeEach(() => {
  dir = join(testFolder(), 'fleet')
  mkdirSync(dir)
  git(['init', '--quiet', '--initial-branch=main'])
  git(['commit', '--quiet', '--allow-empty', '-m', 'first'])
  head = git(['rev-parse', 'HEAD'])
})

/** Returns the change that gives a file a text. */
function written(path: string, text: string, mode = '100644'): TreeChange {
  return { path, content: { mode, id: git(['hash-object', '--stdin'], text), bytes: Buffer.from(text) } }
}

function draft(changes: readonly TreeChange[] = [written('a.yaml', 'one\n')], branch = 'draft'): Draft {
  return { branch, message: 'Render the fleet\n', changes }
}

/** Returns what a check says of one draft. */
function checked(one: Draft): string {
  const { wanted, unchanged, refused } = checkDrafts({ dir }, head, [one])
  return [
    ...wanted.map(({ before }) => (before === '' ? 'new' : 'again')),
    ...unchanged.map(() => 'unchanged'),
    ...refused.map(({ reason }) => reason),
  ].join()
}

function write(...drafts: readonly Draft[]): void {
  writeDrafts({ dir }, head, checkDrafts({ dir }, head, drafts).wanted)
}

/** Replaces the commit of a branch by one with the same message, another mode of its files and more parents. */
function replaceCommit({ mode = '100644', parents = [head] }: { readonly mode?: string; readonly parents?: readonly string[] }): void {
  const tree = git(['mktree'], `${git(['ls-tree', 'draft']).replace(/^100644/, mode)}\n`)
  const message = git(['log', '-1', '--format=%B', 'draft'])
  const commit = git(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], `${message.trimEnd()}\n`)
  git(['update-ref', 'refs/heads/draft', commit])
}

const OF_PEOPLE = 'the branch has commits of people; merge or delete the branch first'

test('a draft is one commit on top of the head, and the checkout stays as it is', () => {
  write(draft([written('a.yaml', 'one\n'), written('bin/run.sh', '#!/bin/sh\n', '100755')]))
  expect(git(['ls-tree', '-r', '--format=%(objectmode) %(path)', 'draft'])).toBe('100644 a.yaml\n100755 bin/run.sh')
  expect(git(['rev-parse', 'draft~1'])).toBe(head)
  expect(git(['status', '--porcelain'])).toBe('')
  expect(git(['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/draft\nrefs/heads/main')
})

test('a draft with the same changes on the same commit is unchanged, one on a newer commit is written again', () => {
  expect(checked(draft())).toBe('new')
  write(draft())
  expect(checked(draft())).toBe('unchanged')
  git(['commit', '--quiet', '--allow-empty', '-m', 'second'])
  head = git(['rev-parse', 'HEAD'])
  expect(checked(draft())).toBe('again')
})

test.each<[string, readonly (readonly [path: string, text: string, mode?: string])[]]>([
  ['another text', [['a.yaml', 'two\n']]],
  ['another mode', [['a.yaml', 'one\n', '100755']]],
  ['another path', [['b.yaml', 'one\n']]],
  [
    'one file more',
    [
      ['a.yaml', 'one\n'],
      ['b.yaml', 'one\n'],
    ],
  ],
])('a draft with %s is written again', (_, files) => {
  write(draft())
  expect(checked(draft(files.map((file) => written(...file))))).toBe('again')
})

test('a removed file is a change of a draft', () => {
  write(draft())
  git(['update-ref', 'refs/heads/main', 'draft'])
  head = git(['rev-parse', 'main'])
  expect(checked(draft([{ path: 'a.yaml' }], 'other'))).toBe('new')
  write(draft([{ path: 'a.yaml' }], 'other'))
  expect(git(['ls-tree', '-r', 'other'])).toBe('')
  expect(checked(draft([{ path: 'a.yaml' }], 'other'))).toBe('unchanged')
})

test('a branch with a commit of people on top of the draft is refused', () => {
  write(draft())
  git(['update-ref', 'refs/heads/draft', git(['commit-tree', 'draft^{tree}', '-p', 'draft', '-m', 'mine'])])
  expect(checked(draft())).toBe(OF_PEOPLE)
})

test('a draft that people amended with another message, another mode or another parent is refused', () => {
  write(draft())
  replaceCommit({})
  expect(checked(draft())).toBe('unchanged')
  replaceCommit({ mode: '100755' })
  expect(checked(draft())).toBe(OF_PEOPLE)
  replaceCommit({ parents: [head, git(['commit-tree', 'main^{tree}', '-m', 'other'])] })
  expect(checked(draft())).toBe(OF_PEOPLE)
  git(['update-ref', 'refs/heads/draft', git(['commit-tree', 'draft^{tree}', '-p', head, '-m', 'Render the fleet'])])
  expect(checked(draft())).toBe(OF_PEOPLE)
})

test('a branch of people that is part of the head is taken for the draft', () => {
  git(['branch', 'draft'])
  git(['commit', '--quiet', '--allow-empty', '-m', 'second'])
  head = git(['rev-parse', 'HEAD'])
  expect(checked(draft())).toBe('again')
})

test('a branch that is checked out, stands for another branch, or has no name is refused', () => {
  write(draft())
  git(['symbolic-ref', 'refs/heads/alias', 'refs/heads/draft'])
  expect(checked(draft([], 'main'))).toBe(`the branch is checked out in '${dir}'`)
  expect(checked(draft([], 'alias'))).toBe('the name stands for another branch')
  for (const name of ['HEAD', '-d', 'a..b', '']) expect(checked(draft([], name))).toBe('git allows no branch of this name')
})

test('no branch is written if one of them changed since the check', () => {
  write(draft())
  const { wanted } = checkDrafts({ dir }, head, [draft([written('a.yaml', 'two\n')]), draft(undefined, 'other')])
  const mine = git(['commit-tree', 'draft^{tree}', '-p', 'draft', '-m', 'mine'])
  git(['update-ref', 'refs/heads/draft', mine])
  expect(() => writeDrafts({ dir }, head, wanted)).toThrow(GitError)
  expect(git(['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads'])).toBe(`draft ${mine}\nmain ${head}`)
})
