import { expect, test } from 'vitest'
import { namesRevision, upstreamFaults, writtenUpstream } from './upstream-rules.ts'

test.each([
  { fields: {}, expected: false },
  { fields: { revision: 0 }, expected: false },
  { fields: { revision: '' }, expected: false },
  { fields: { revision: 'v0' }, expected: false },
  { fields: { revision: '0' }, expected: false },
  { fields: { workspaceName: '' }, expected: false },
  { fields: { revision: 1 }, expected: true },
  { fields: { revision: -1 }, expected: true },
  { fields: { revision: 'v1' }, expected: true },
  { fields: { revision: 'main' }, expected: true },
  { fields: { workspaceName: 'a' }, expected: true },
  { fields: { revision: 0, workspaceName: 'a' }, expected: true },
])('a revision is named by a number, a text or a workspace: $fields is $expected', ({ fields, expected }) => {
  expect(namesRevision(fields)).toBe(expected)
})

test.each([
  { revision: 'v3', says: "got the string 'v3'; write 3", proposedValue: 3 },
  { revision: '3', says: "got the string '3'; write 3 without quotes", proposedValue: 3 },
  { revision: 'v0', says: "got the string 'v0'; 0 is no revision; the first is 1", proposedValue: undefined },
  {
    revision: 'main',
    says: "got the string 'main'; it is taken as workspaceName, the field to write it in, and as it is an API server refuses the variant",
    proposedValue: undefined,
  },
])('the revision $revision is no integer', ({ revision, says, proposedValue }) => {
  const faults = upstreamFaults({ revision }, ['u'])
  expect(faults).toEqual([
    {
      severity: 'warning',
      rule: 'string-revision',
      path: ['u', 'revision'],
      message: `must be an integer, ${says}`,
      ...(proposedValue !== undefined && { proposedValue }),
    },
  ])
})

const FROM = 'must be the number of a revision: 1 or more, or -1 for the main branch, got'
const MOST = 'must be the number of a revision, at most 9007199254740991, got a larger one'

test.each([
  { revision: 1, expected: [] },
  { revision: 0, expected: [] },
  { revision: -1, expected: [] },
  { revision: -2, expected: [`${FROM} -2`] },
  { revision: 2 ** 53 - 1, expected: [] },
  { revision: 2 ** 53, expected: [MOST] },
  { revision: undefined, expected: [] },
])('the range of a revision: $revision', ({ revision, expected }) => {
  const faults = upstreamFaults(revision === undefined ? {} : { revision }, ['u'])
  expect(faults).toEqual(expected.map((message) => ({ severity: 'error', rule: 'minimum', path: ['u', 'revision'], message })))
})

test.each([
  { repo: 'catalog', expected: [] },
  { repo: 'a@b', expected: [] },
  { repo: 'a:b', expected: [] },
  { repo: 'https://example.com/a.git', expected: ['repository-name'] },
  { repo: 'git@example.com:a/b.git', expected: ['repository-name'] },
  { repo: 'my-user.1@git-host.example:a', expected: ['repository-name'] },
  { repo: 'x git@example.com:a', expected: [] },
])('a repository is a name and no address: $repo', ({ repo, expected }) => {
  const faults = upstreamFaults({ repo }, ['u'])
  expect(faults.map(({ rule }) => rule)).toEqual(expected)
  expect(faults.map(({ severity, path }) => [severity, path])).toEqual(expected.map(() => ['warning', ['u', 'repo']]))
})

test.each([
  { upstream: { repo: 'a', package: 'b', revision: 'v3', workspaceName: 'c' }, revision: 3 },
  { upstream: { repo: 'a', package: 'b', revision: '4', workspaceName: 'c' }, revision: 4 },
  { upstream: { repo: 'a', package: 'b', revision: 'main', workspaceName: 'c' }, revision: 'main' },
  { upstream: { repo: 'a', package: 'b', revision: 5, workspaceName: 'c' }, revision: 5 },
])('the upstream of a variant has a number for $upstream.revision', ({ upstream, revision }) => {
  expect(writtenUpstream(upstream)).toEqual({ repo: 'a', package: 'b', revision, workspaceName: 'c' })
})

test('the upstream of a variant without a revision has none', () => {
  expect(writtenUpstream({ repo: 'a', package: 'b' })).toEqual({ repo: 'a', package: 'b' })
})
