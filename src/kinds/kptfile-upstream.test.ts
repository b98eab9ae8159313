import { expect, test } from 'vitest'
import { KrmObject } from '../resource-list/krm-object.ts'
import { faultToResult } from '../schema/fault.ts'
import { readKptfileUpstream } from './kptfile-upstream.ts'

function read(fields: string) {
  const kptfile = KrmObject.fromDocument(`apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\n${fields}`)
  const { value, faults } = readKptfileUpstream(kptfile)
  return { value, faults: faults.map((fault) => faultToResult(kptfile, fault)) }
}

test('a Kptfile in full', () => {
  const { value, faults } = read(`upstream:
  type: git
  git: {repo: r, directory: d, ref: main}
  updateStrategy: fast-forward
upstreamLock:
  type: git
  git: {repo: r2, directory: d2, ref: v2, commit: abc}
`)
  expect(faults).toEqual([])
  expect(value).toEqual({
    upstream: { repo: 'r', directory: 'd', ref: 'main', updateStrategy: 'fast-forward' },
    upstreamLock: { repo: 'r2', directory: 'd2', ref: 'v2', commit: 'abc' },
  })
})

test('the tree of an unpublished upstream is that of the annotation', () => {
  const kptfile = KrmObject.fromDocument(
    'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a, annotations: {krm-variants.dev/upstream-tree: abc}}\n',
  )
  expect(readKptfileUpstream(kptfile)).toEqual({ value: { tree: 'abc' }, faults: [] })
})

const NOTHING = { repo: '', directory: '', ref: '' }

test.each([
  { reason: 'nothing', fields: '', value: {} },
  { reason: 'null', fields: 'upstream: null\nupstreamLock: ~\n', value: {} },
  { reason: 'no git, or null', fields: 'upstream: {type: git}\nupstreamLock: {git: null}\n', value: {} },
  { reason: 'a strategy without git belongs to nothing', fields: 'upstream: {updateStrategy: copy-merge}\n', value: {} },
  {
    reason: 'missing and null fields are empty',
    fields: 'upstream: {git: {}}\nupstreamLock: {git: {repo: null, ref: a}}\n',
    value: { upstream: NOTHING, upstreamLock: { ...NOTHING, ref: 'a', commit: '' } },
  },
  { reason: 'an empty strategy', fields: 'upstream: {git: {}, updateStrategy: ""}\n', value: { upstream: NOTHING } },
  { reason: 'a strategy that is null', fields: 'upstream: {git: {}, updateStrategy: null}\n', value: { upstream: NOTHING } },
  {
    reason: 'numbers and booleans as they are written, as kpt reads them',
    fields: 'upstream: {git: {repo: true, directory: 010, ref: 1.0}}\nupstreamLock: {git: {commit: 12345678901234567890}}\n',
    value: {
      upstream: { repo: 'true', directory: '010', ref: '1.0' },
      upstreamLock: { ...NOTHING, commit: '12345678901234567890' },
    },
  },
])('read without faults: $reason', ({ fields, value }) => {
  expect(read(fields)).toEqual({ value, faults: [] })
})

test.each(['resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge'])('the strategy %s of kpt', (updateStrategy) => {
  expect(read(`upstream: {git: {}, updateStrategy: ${updateStrategy}}\n`)).toEqual({
    value: { upstream: { ...NOTHING, updateStrategy } },
    faults: [],
  })
})

const STRATEGIES = "must be one of 'resource-merge', 'fast-forward', 'force-delete-replace', 'copy-merge' in a Kptfile, got"

test.each([
  { reason: 'upstream is no map', fields: 'upstream: a\n', value: {}, messages: ["4:11 `upstream` must be a map in a Kptfile, got 'a'"] },
  {
    reason: 'upstreamLock is no map',
    fields: 'upstreamLock: []\n',
    value: {},
    messages: ['4:1 `upstreamLock` must be a map in a Kptfile, got a list'],
  },
  {
    reason: 'git is no map',
    fields: 'upstream: {git: 1}\n',
    value: {},
    messages: ['4:17 `upstream.git` must be a map in a Kptfile, got the number 1'],
  },
  {
    reason: 'a field is no text, and the others are read',
    fields: 'upstream: {git: {repo: [], directory: d}}\nupstreamLock: {git: {commit: {}}}\n',
    value: { upstream: { ...NOTHING, directory: 'd' }, upstreamLock: { ...NOTHING, commit: '' } },
    messages: [
      '4:18 `upstream.git.repo` must be a string in a Kptfile, got a list',
      '5:22 `upstreamLock.git.commit` must be a string in a Kptfile, got a map',
    ],
  },
  {
    reason: 'commit is no field of upstream, and other fields are not read',
    fields: 'upstream: {git: {commit: [], x: []}}\n',
    value: { upstream: NOTHING },
    messages: [],
  },
  {
    reason: 'a misspelt strategy',
    fields: 'upstream: {git: {}, updateStrategy: copy-merges}\n',
    value: { upstream: NOTHING },
    messages: [`4:37 \`upstream.updateStrategy\` ${STRATEGIES} 'copy-merges'; did you mean 'copy-merge'?`],
  },
  {
    reason: 'a strategy that is no text',
    fields: 'upstream: {git: {}, updateStrategy: 1}\n',
    value: { upstream: NOTHING },
    messages: [`4:37 \`upstream.updateStrategy\` ${STRATEGIES} the number 1`],
  },
  {
    reason: 'a duplicate key of any part',
    fields: 'info: {a: 1, a: 2}\n',
    value: {},
    messages: ['4:14 `info.a` must occur once in its map, but occurs 2 times in line 4'],
  },
])('faults: $reason', ({ fields, value, messages }) => {
  const found = read(fields)
  expect(found.value).toEqual(value)
  expect(found.faults.map(({ message, position }) => `${position?.line}:${position?.column} ${message}`)).toEqual(messages)
})
