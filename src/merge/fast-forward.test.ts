import { expect, test } from 'vitest'
import { packageOfTexts, type Texts, textsOf } from '../../testdata/package-of-texts.ts'
import { kptfileText } from '../../testdata/written-objects.ts'
import { formatResult } from '../result.ts'
import { mergePackages } from './merge-packages.ts'

const KPTFILE = kptfileText('base')
const UPSTREAM = `upstream:\n  type: git\n  git:\n    repo: https://git.example.com/catalog\n    directory: /web\n    ref: v1\n`
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: conf\ndata:\n  a: one # about a\n'
const CLONED = CONFIG.replace('metadata:', 'metadata: # kpt-merge: /conf').replace(
  '  name: conf\n',
  "  name: conf\n  annotations:\n    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|conf'\n",
)
const CONTEXT = `apiVersion: v1
kind: ConfigMap
metadata: # kpt-merge: /kptfile.kpt.dev
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
    internal.kpt.dev/upstream-identifier: '|ConfigMap|default|kptfile.kpt.dev'
data:
  name: web
`

const base = { Kptfile: KPTFILE, 'conf.yaml': CONFIG, 'README.md': 'one\n' }
const theirs = { Kptfile: KPTFILE, 'conf.yaml': CONFIG.replace('one', 'two'), 'new.yaml': CONFIG.replace('conf', 'new') }
const clone = {
  Kptfile: KPTFILE.replace('base', 'web') + UPSTREAM,
  'conf.yaml': CLONED,
  'README.md': 'one\n',
  'package-context.yaml': CONTEXT,
}

function forward(ours: Texts, strategy: 'fast-forward' | 'force-delete-replace' = 'fast-forward') {
  const sides = { base: packageOfTexts(base), theirs: packageOfTexts(theirs), ours: packageOfTexts(ours) }
  const { files, results } = mergePackages({ ...sides, strategy })
  return { files: textsOf(files), messages: results.map(formatResult) }
}

test('fast-forward takes upstream as it is where nothing was changed, and keeps what a clone wrote', () => {
  const { files, messages } = forward(clone)
  expect(messages).toEqual([])
  expect(files).toEqual({ ...theirs, Kptfile: clone.Kptfile, 'package-context.yaml': CONTEXT })
})

test.each<[string, Texts]>([
  ['a value', { ...clone, 'conf.yaml': CLONED.replace('one', 'mine') }],
  ['a comment', { ...clone, 'conf.yaml': CLONED.replace('about a', 'mine') }],
  ['a file of its own', { ...clone, 'conf.yaml': CLONED, 'mine.yaml': CONFIG }],
  ['bytes', { ...clone, 'README.md': 'mine\n' }],
  ['a function', { ...clone, Kptfile: `${clone.Kptfile}pipeline:\n  mutators:\n  - image: set-labels\n` }],
  ['a key of the package context', { ...clone, 'package-context.yaml': `${CONTEXT}  site: one\n` }],
])('fast-forward refuses a package in which %s is changed, and leaves it alone', (_, ours) => {
  const { files, messages } = forward(ours)
  expect(files).toEqual(ours)
  expect(messages).toEqual([expect.stringMatching(/^error: `strategy` must not be 'fast-forward' .*\[local-changes\]$/)])
})

test.each<[string, Texts]>([
  ['a second resource beside the package context', { ...clone, 'package-context.yaml': `${CONTEXT}---\n${CONFIG}` }],
  ['a Secret in the place of the package context', { ...clone, 'package-context.yaml': CONTEXT.replace('ConfigMap', 'Secret') }],
  ['a label of the package context', { ...clone, 'package-context.yaml': CONTEXT.replace('data:', '  labels: {a: b}\ndata:') }],
])('fast-forward refuses a package with %s', (_, ours) => {
  const { files, messages } = forward(ours)
  expect(files).toEqual(ours)
  expect(messages).toEqual([expect.stringContaining("found changes in 'package-context.yaml' [local-changes]")])
})

test('a comment in the Kptfile of the package forbids no fast-forward, since the Kptfile stays', () => {
  const commented = { ...clone, Kptfile: `# mine\n${clone.Kptfile}` }
  expect(forward(commented)).toMatchObject({ messages: [], files: { Kptfile: commented.Kptfile } })
})

test('a package context in a subpackage stays with its package, and goes with it', () => {
  const inner = { 'sub/Kptfile': KPTFILE, 'sub/conf.yaml': CONFIG }
  const cloned = { 'sub/Kptfile': KPTFILE, 'sub/conf.yaml': CLONED, 'sub/package-context.yaml': CONTEXT }
  const merge = (next: Texts) => {
    const sides = {
      base: packageOfTexts({ ...base, ...inner }),
      theirs: packageOfTexts(next),
      ours: packageOfTexts({ ...clone, ...cloned }),
    }
    const { files, results } = mergePackages({ ...sides, strategy: 'fast-forward' })
    return { results, paths: [...files.keys()].sort() }
  }
  const own = ['Kptfile', 'conf.yaml', 'new.yaml', 'package-context.yaml']
  expect(merge({ ...theirs, ...inner })).toEqual({
    results: [],
    paths: [...own, 'sub/Kptfile', 'sub/conf.yaml', 'sub/package-context.yaml'].sort(),
  })
  expect(merge(theirs)).toEqual({ results: [], paths: own })
})

test('a package without a Kptfile is fast-forwarded, without a package context', () => {
  const { Kptfile: _, ...bare } = theirs
  const { Kptfile: __, ...bareBase } = base
  const { Kptfile: ___, ...bareClone } = clone
  const sides = { base: packageOfTexts(bareBase), theirs: packageOfTexts(bare), ours: packageOfTexts(bareClone) }
  expect(textsOf(mergePackages({ ...sides, strategy: 'fast-forward' }).files)).toEqual(bare)
})

test('conditions of the package stay where what rendering noted goes', () => {
  const status = 'status:\n  conditions:\n  - type: Ready\n    status: "True"\n'
  const sides = {
    base: packageOfTexts({ ...base, Kptfile: KPTFILE + status }),
    theirs: packageOfTexts({ ...theirs, Kptfile: KPTFILE + status }),
    ours: packageOfTexts({ ...clone, Kptfile: `${clone.Kptfile}${status}  - type: Rendered\n    status: "True"\n` }),
  }
  expect(textsOf(mergePackages({ ...sides, strategy: 'fast-forward' }).files)).toMatchObject({ Kptfile: clone.Kptfile + status })
})

test('fast-forward names every file that was changed', () => {
  const { 'README.md': _, ...others } = clone
  const { messages } = forward({ ...others, 'conf.yaml': CONFIG.replace('one', 'mine'), 'mine.md': '' })
  expect(messages).toEqual([
    "error: `strategy` must not be 'fast-forward' for a package that was changed since it was cloned, found changes in 'README.md', 'conf.yaml', 'mine.md' [local-changes]",
  ])
})

test('fast-forward merges the package context, and forgets what rendering noted', () => {
  const context = CONTEXT.replace('name: web', 'name: example')
  const rendered = `${clone.Kptfile}status:\n  conditions:\n  - type: Rendered\n    status: "True"\n`
  const sides = {
    base: packageOfTexts({ ...base, 'package-context.yaml': context }),
    theirs: packageOfTexts({ ...theirs, 'package-context.yaml': `${context}  region: eu\n` }),
    ours: packageOfTexts({ ...clone, Kptfile: rendered }),
  }
  const { files, results } = mergePackages({ ...sides, strategy: 'fast-forward' })
  expect(results).toEqual([])
  expect(textsOf(files)).toEqual({ ...theirs, Kptfile: clone.Kptfile, 'package-context.yaml': `${CONTEXT}  region: eu\n` })
})

test('force-delete-replace leaves nothing of the downstream but its Kptfile', () => {
  const { files } = forward({ ...clone, 'mine.md': 'mine\n' }, 'force-delete-replace')
  expect(files).toEqual({ ...theirs, Kptfile: clone.Kptfile })
})
