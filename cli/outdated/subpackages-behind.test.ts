import { expect, test } from 'vitest'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { VARIANT_ANNOTATION } from '../../src/well-known.ts'
import { raiseSubpackage, subpackagesAmong } from './subpackages-behind.ts'

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

const kptfileAt = (path: string, owner?: string) => {
  const annotations = owner === undefined ? '' : `, annotations: {${VARIANT_ANNOTATION}: ${owner}}`
  return KrmObject.fromDocument(`apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a${annotations}}\n`, { path, index: 0, line: 1 })
}
const subpackages = (...kptfiles: Parameters<typeof subpackagesAmong>[0]) =>
  subpackagesAmong(kptfiles).map(({ kptfile, owner, path }) => [kptfile.file?.path, owner, path])

test('a package belongs to the nearest package of a variant above it', () => {
  expect(
    subpackages(
      kptfileAt('out/a/web/sub/net/Kptfile'),
      kptfileAt('out/a/web/Kptfile', 'default/web'),
      kptfileAt('out/a/web/inner/Kptfile', 'default/inner'),
      kptfileAt('out/a/web/inner/x/Kptfile'),
      kptfileAt('out/a/webs/Kptfile'),
      kptfileAt('out/Kptfile'),
    ),
  ).toEqual([
    ['out/a/web/sub/net/Kptfile', 'default/web', 'sub/net'],
    ['out/a/web/inner/x/Kptfile', 'default/inner', 'x'],
  ])
})

test('a package of a variant at the top of the folder has subpackages too', () => {
  expect(subpackages(kptfileAt('Kptfile', 'default/web'), kptfileAt('sub/net/Kptfile'))).toEqual([
    ['sub/net/Kptfile', 'default/web', 'sub/net'],
  ])
})
