import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { raiseSubpackage } from './subpackages-behind.ts'

const net = { repo: 'catalog', directory: '/net', ref: 'v1' }

test.each([
  ['without a revision', 'type: git', { updateStrategy: 'fast-forward', type: 'git', git: { ...net, ref: 'v2' } }],
  [
    'without a type',
    'git: {repo: catalog, directory: /net, ref: v1}',
    { updateStrategy: 'fast-forward', git: { ...net, ref: 'v2' }, type: 'git' },
  ],
])('an upstream %s gets the newer revision and keeps its strategy', (_what, upstream, expected) => {
  const kptfile = KrmObject.fromDocument(
    `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: net}\nupstream:\n  updateStrategy: fast-forward\n  ${upstream}\n`,
  )
  raiseSubpackage({
    kptfile,
    at: net,
    to: 'v2',
    result: { severity: 'warning', message: '', tags: { rule: 'subpackage-behind' } },
  })
  expect(kptfile.get(['upstream'])).toEqual(expected)
  expect(kptfile.get(['upstreamLock'])).toEqual({ type: 'git', git: net })
})
