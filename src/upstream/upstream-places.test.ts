import { expect, test } from 'vitest'
import { namesAskedFor } from './upstream-places.ts'

test.each([
  { reason: 'a published workspace has the names of its number', revision: '3', names: ['v3', '3'] },
  { reason: 'a draft has the name of its workspace', revision: '0', names: ['work'] },
  { reason: 'the state of the main branch has the name of its workspace', revision: '-1', names: ['work'] },
])('$reason', ({ revision, names }) => {
  const facts = { branch: 'main', tags: new Map(), workspaces: new Map([['work', revision]]) }
  expect(namesAskedFor({ repo: 'r', package: 'p', workspaceName: 'work' }, facts)).toEqual(names)
})
