import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isRefName, isRevision } from './git-address.ts'

const PARTS = ['a', 'v1.0', '.', '..', '/', '-', '@', '{', '.lock', ' ', '~', '^', ':', '?', '*', '[', '\\', '\n', '\x7f', 'ü', '{1}', 'b.']

test('a name is one of a ref exactly when git says so, and does not begin with a dash', () => {
  const names = PARTS.flatMap((part) => [part, `a${part}`, `a${part}b`, `a/${part}`, `${part}a`, `a/${part}b`, `${part}${part}a`])
  const asked = [...new Set(names)].filter((name) => !name.startsWith('-'))
  const askGit = 'for name; do git check-ref-format --allow-onelevel "$name" && echo yes || echo no; done'
  const answers = spawnSync('sh', ['-c', askGit, 'sh', ...asked], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
  expect(asked.map((name, i) => [name, answers[i]])).toEqual(asked.map((name) => [name, isRefName(name) ? 'yes' : 'no']))
})

test.each(['', '-x', '--upload-pack=x', 'a\nb', 'a\0b', 'a\rb'])('%j is no revision', (name) => {
  expect([isRevision(name), isRefName(name)]).toEqual([false, false])
})

test('an expression is a revision, and no name of a ref', () => {
  expect([isRevision('HEAD~3'), isRevision('main@{yesterday}'), isRefName('HEAD~3'), isRefName('main@{yesterday}')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})
