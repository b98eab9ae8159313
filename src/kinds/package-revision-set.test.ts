import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { findingsOf } from '../result.ts'
import { decodePackageRevisionSet, upstreamEntryFaults } from './package-revision-set.ts'
import type { UpstreamEntryFields } from './package-revision-set-schema.ts'

const HEAD = 'apiVersion: fleet.krm-variants.dev/v1alpha1\nkind: PackageRevisionSet\nmetadata: {name: base}\n'

function revisionSet(upstreams: string): KrmObject {
  return KrmObject.fromDocument(`${HEAD}spec:\n  upstreams:\n${upstreams}`)
}

test('a set in full: each entry is an upstream or the name of another set', () => {
  const object = revisionSet(
    '  - {repo: a, package: b, revision: v3}\n  - {packageRevisionSet: c}\n  - {repo: d, package: e, workspaceName: f}\n',
  )
  const { set, warnings } = decodePackageRevisionSet(object)
  expect(warnings.map(({ tags }) => tags.rule)).toEqual(['string-revision'])
  expect(set).toEqual({
    upstreams: [
      {
        path: ['spec', 'upstreams', 0],
        upstream: {
          repo: 'a',
          package: 'b',
          revision: 'v3',
          written: { repo: 'a', package: 'b', revision: 3 },
          object,
          path: ['spec', 'upstreams', 0],
        },
      },
      { path: ['spec', 'upstreams', 1], packageRevisionSet: 'c' },
      {
        path: ['spec', 'upstreams', 2],
        upstream: {
          repo: 'd',
          package: 'e',
          workspaceName: 'f',
          written: { repo: 'd', package: 'e', workspaceName: 'f' },
          object,
          path: ['spec', 'upstreams', 2],
        },
      },
    ],
  })
})

const ROWS: readonly { readonly reason: string; readonly entry: UpstreamEntryFields; readonly expected: readonly string[] }[] = [
  { reason: 'an upstream by its revision', entry: { repo: 'a', package: 'b', revision: 1 }, expected: [] },
  { reason: 'an upstream by its workspace', entry: { repo: 'a', package: 'b', workspaceName: 'c' }, expected: [] },
  { reason: 'another set', entry: { packageRevisionSet: 'a' }, expected: [] },
  {
    reason: 'another set beside fields of its upstreams, each of which is reported',
    entry: { packageRevisionSet: 'a', repo: 'b', package: 'c', revision: 0, workspaceName: '' },
    expected: ['repo', 'package', 'revision', 'workspaceName'].map(
      (field) => `error ${field} must not be set beside 'packageRevisionSet', whose upstreams have their own`,
    ),
  },
  {
    reason: 'nothing',
    entry: {},
    expected: ["error . must have 'repo' and 'package', or 'packageRevisionSet', got none of them"],
  },
  {
    reason: 'a repository without a package',
    entry: { repo: 'a', revision: 1 },
    expected: ["error . must have 'repo' and 'package', or 'packageRevisionSet', got 'repo' and 'revision'"],
  },
  {
    reason: 'a package without a repository',
    entry: { package: 'a' },
    expected: ["error . must have 'repo' and 'package', or 'packageRevisionSet', got 'package'"],
  },
  {
    reason: 'neither a revision nor a workspace',
    entry: { repo: 'a', package: 'b' },
    expected: ["error revision must have 'revision' or 'workspaceName'"],
  },
  {
    reason: 'the rules of all upstreams',
    entry: { repo: 'https://example.com/a', package: 'b', revision: -2 },
    expected: [
      'error revision must be the number of a revision: 1 or more, or -1 for the main branch, got -2',
      'warning repo must be the name of a Repository, whose spec.git.repo has the address, or of a repository in RenderVariants; got an address',
    ],
  },
  ...[
    { revision: 1, workspaceName: 'v1' },
    { revision: 1, workspaceName: 'main' },
    { revision: 1, workspaceName: 'v1.2' },
    { revision: 1, workspaceName: 'av2' },
    { revision: -1, workspaceName: 'v2' },
    { revision: 1 },
  ].map((fields) => ({
    reason: `the revision ${fields.revision} beside the workspace ${fields.workspaceName}`,
    entry: { repo: 'a', package: 'b', ...fields },
    expected: [],
  })),
  {
    reason: 'the workspace of another revision, which Porch would take',
    entry: { repo: 'a', package: 'b', revision: 1, workspaceName: 'v2' },
    expected: [
      "warning workspaceName must be the workspace of revision 1, by which the upstream is found, got 'v2', which Porch would take in its place",
    ],
  },
  {
    reason: 'no revision beside a workspace of a number',
    entry: { repo: 'a', package: 'b', workspaceName: 'v2' },
    expected: [],
  },
]

test.each(ROWS)('an entry: $reason', ({ entry, expected }) => {
  const faults = upstreamEntryFaults([{ packageRevisionSet: 'first' }, entry])
  expect(
    faults.map(
      ({ severity, path, place = path, message }) =>
        `${severity} ${formatFieldPath(place).replace(/^spec\.upstreams\[1\]\.?/, '') || '.'} ${message}`,
    ),
  ).toEqual(expected)
})

test.each([
  { word: 'repository', meant: 'repo' },
  { word: 'url', meant: 'repo' },
  { word: 'directory', meant: 'package' },
  { word: 'folder', meant: 'package' },
  { word: 'path', meant: 'package' },
  { word: 'version', meant: 'revision' },
  { word: 'tag', meant: 'revision' },
  { word: 'ref', meant: 'workspaceName' },
  { word: 'branch', meant: 'workspaceName' },
  { word: 'set', meant: 'packageRevisionSet' },
])('the word $word of an entry stands for $meant', ({ word, meant }) => {
  const results = findingsOf(() => decodePackageRevisionSet(revisionSet(`  - {repo: a, package: b, revision: 1, ${word}: c}\n`)).warnings)
  expect(results.map(({ message }) => message)).toEqual([
    `\`spec.upstreams[0].${word}\` is not a field of upstreams[]; did you mean '${meant}'?`,
  ])
})

test('a set with upstream is refused with upstreams, and its name is checked', () => {
  const object = KrmObject.fromDocument(`${HEAD.replace('base', 'Base')}spec: {upstream: {}, upstreams: [{packageRevisionSet: a}]}\n`)
  expect(findingsOf(() => decodePackageRevisionSet(object).warnings).map(({ message }) => message)).toEqual([
    "`metadata.name` must be at most 253 of a-z, 0-9, '-' and '.', beginning and ending with a letter or digit, got 'Base'",
    "`spec.upstream` is not a field of spec; did you mean 'upstreams'?",
  ])
})
