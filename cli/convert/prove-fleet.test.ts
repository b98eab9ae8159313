import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import { recordingHost } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'
import type { BuiltTree } from './built-tree.ts'
import { addEdits, proveFleet } from './prove-fleet.ts'

const config = (name: string, value = 'x') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: ${value}}\n`

/** Proves the packages of the clusters `prod` and `qa`. The text of `qa` is that of its overlay. */
function prove(
  overlay: string,
  rendered: string,
  { path = 'overlays/prod', kept = [] as readonly string[], edits = [] as readonly string[] } = {},
) {
  const work = testFolder()
  const texts = new Map([
    ['prod', rendered],
    ['qa', config('a')],
  ])
  for (const [cluster, text] of texts) {
    mkdirSync(join(work, `clusters/${cluster}/web`), { recursive: true })
    writeFileSync(join(work, `clusters/${cluster}/web/all.yaml`), text)
  }
  const objectsOf = (text: string) => readVendorObjects([{ name: 'all.yaml', bytes: Buffer.from(text) }]).objects
  const overlayOf = (id: string, own: string) => ({ id, path: own, target: id, folder: id, labels: {}, bases: ['base'] })
  const tree: BuiltTree = {
    name: 'deploy',
    from: 'kustomize',
    dir: 'deploy',
    command: '',
    leftOut: [],
    packages: new Map([['base', 'web']]),
    bases: new Map(),
    targets: new Map([
      ['prod', objectsOf(overlay)],
      ['qa', objectsOf(config('a'))],
    ]),
    overlays: [overlayOf('prod', path), overlayOf('qa', 'overlays/qa')],
  }
  const { host, said } = recordingHost(work)
  const isProved = proveFleet(tree, work, { edits: new Map([['prod', edits]]), kept: new Map([['prod', kept]]) }, host)
  return { isProved, stdout: said.stdout }
}

const QA = 'overlays/qa → clusters/qa: equal, 1 object\n'

test.each([
  ['equal objects', config('a'), config('a'), 'equal, 1 object\n', true],
  ['equal objects in another order', `${config('a')}---\n${config('b')}`, `${config('b')}---\n${config('a')}`, 'equal, 2 objects\n', true],
  ['no object', '', '', 'equal, 0 objects\n', true],
  ['a missing object', `${config('a')}---\n${config('b')}`, config('a'), 'not equal\n  differs: ConfigMap b is missing\n', false],
  ['one more object', config('a'), `${config('a')}---\n${config('b')}`, 'not equal\n  differs: ConfigMap b is not in the overlay\n', false],
  ['another value', config('a', 'other'), config('a'), 'not equal\n  differs: ConfigMap a data.a\n', false],
])('a cluster with %s is equal or not, and so is the fleet', (_, overlay, rendered, words, isProved) => {
  expect(prove(overlay, rendered)).toEqual({ isProved, stdout: `overlays/prod → clusters/prod: ${words}${QA}` })
})

test('changes of the fleet are counted and come before the edits, and a tree that is one overlay is a point', () => {
  const { stdout } = prove(config('a'), config('a'), { path: '', kept: ['kept: one', 'kept: two'], edits: ['edit: three'] })
  expect(stdout).toBe(`. → clusters/prod: equal but for 2 changes of the fleet, 1 object\n  kept: one\n  kept: two\n  edit: three\n${QA}`)
})

test('lines about a cluster come behind those that are known, and none make no entry', () => {
  const edits = new Map([['prod', ['one'] as readonly string[]]])
  addEdits(edits, 'prod', ['two'])
  addEdits(edits, 'qa', [])
  expect([...edits]).toEqual([['prod', ['one', 'two']]])
})
