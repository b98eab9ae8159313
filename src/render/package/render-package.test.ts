import { expect, test } from 'vitest'
import type { Texts } from '../../../testdata/package-of-texts.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { NO_REPOSITORY } from '../../upstream/repository-options.ts'
import { functionsOf } from '../testing/functions-of.ts'
import { type RenderOfTexts, renderOfTexts } from '../testing/render-of-texts.ts'

const config = (name: string, value: string) => configMapText(name, `data:\n  value: ${value}\n`)

/** Two revisions of the package: `a` has another value, `gone` is removed, `new` is added. */
const FOLDERS = {
  'catalog/shop@v1': { Kptfile: kptfileText('shop'), 'a.yaml': config('a', 'one'), 'gone.yaml': config('gone', 'one') },
  'catalog/shop@v2': { Kptfile: kptfileText('shop'), 'a.yaml': config('a', 'two'), 'new.yaml': config('new', 'two') },
}

const render = (asked: Partial<RenderOfTexts> = {}) => renderOfTexts({ upstreams: { folders: FOLDERS }, revision: 1, ...asked })

/** Returns a package of revision 1, with edits of people. */
function packageAt1(edits: Readonly<Record<string, (text: string) => string>> = {}, asked: Partial<RenderOfTexts> = {}): Texts {
  const { texts } = render(asked)
  return { ...texts, ...Object.fromEntries(Object.entries(edits).map(([path, edit]) => [path, edit(texts[path] ?? '')])) }
}

const labelled = (text: string) => text.replace('  name: a\n', '  name: a\n  labels: {mine: "yes"}\n')

test('a new package has the files of its upstream, its origin, its owner, and the labels and annotations of its variant', () => {
  const { texts, rules } = render({ spec: '  labels: {team: red}\n  annotations: {note: here}\n' })
  expect(Object.keys(texts).sort()).toEqual(['Kptfile', 'a.yaml', 'gone.yaml', 'package-context.yaml'])
  expect(rules).toEqual([])
  const kptfile = KrmObject.fromDocument(texts.Kptfile ?? '').toJson()
  expect(kptfile).toMatchObject({
    metadata: {
      name: 'shop',
      labels: { team: 'red' },
      annotations: { note: 'here', 'krm-variants.dev/package-variant': 'default/edge-shop' },
    },
    upstream: { type: 'git', git: { ref: 'v1' }, updateStrategy: 'resource-merge' },
  })
})

test('the strategy of the options is that of a new package', () => {
  expect(render({ options: { updateStrategy: 'fast-forward' } }).texts.Kptfile).toContain('updateStrategy: fast-forward')
})

test.each([
  { clone: 'kpt', name: 'web' },
  { clone: 'porch', name: 'shops/web' },
] as const)('the name of a package of $clone is $name', ({ clone, name }) => {
  expect(render({ downstream: 'edge/shops/web', options: { clone } }).texts.Kptfile).toContain(`\n  name: ${name}\n`)
})

test('a second render of the same revision changes no byte, whatever people edited', () => {
  const files = packageAt1({ 'a.yaml': labelled })
  expect(render({ files })).toMatchObject({ texts: files, rules: [] })
})

test('labels and annotations of the variant are written at creation only: people may change them', () => {
  const spec = '  labels: {team: red}\n  annotations: {note: here}\n'
  const mine = (text: string) => text.replace('team: red', 'team: mine').replace('note: here', 'note: mine')
  const files = packageAt1({ Kptfile: mine }, { spec })
  expect(render({ files, spec }).texts.Kptfile).toBe(files.Kptfile)
  const updated = render({ files, spec, revision: 2 }).texts.Kptfile
  expect(updated).toContain('team: mine')
  expect(updated).toContain('note: mine')
})

test('an update brings what upstream changed, added and removed, and keeps the edits of people', () => {
  const files: Texts = { ...packageAt1({ 'a.yaml': labelled }), 'mine.yaml': config('mine', 'one') }
  const { texts, rules } = render({ files, revision: 2 })
  expect(rules).toEqual([])
  expect(Object.keys(texts).sort()).toEqual(['Kptfile', 'a.yaml', 'mine.yaml', 'new.yaml', 'package-context.yaml'])
  expect(texts['a.yaml']).toBe(files['a.yaml']?.replace('value: one', 'value: two'))
  expect(texts['mine.yaml']).toBe(files['mine.yaml'])
  expect(texts.Kptfile).toContain('ref: v2')
  expect(texts.Kptfile).not.toContain('ref: v1')
})

test('a removed file that people edited stays', () => {
  const files = packageAt1({ 'gone.yaml': (text) => text.replace('value: one', 'value: mine') })
  expect(render({ files, revision: 2 }).texts['gone.yaml']).toContain('value: mine')
})

test.each([
  { rule: 'fast-forward refuses edits', strategy: 'fast-forward', discardEdits: true, rules: ['error local-changes'] },
  { rule: 'force-delete-replace refuses edits', strategy: 'force-delete-replace', discardEdits: false, rules: ['error local-changes'] },
  {
    rule: 'force-delete-replace discards edits that may be discarded, with a warning',
    strategy: 'force-delete-replace',
    discardEdits: true,
    rules: ['warning edit-lost'],
  },
] as const)('$rule, and takes a package without edits', ({ strategy, discardEdits, rules }) => {
  const options = { updateStrategy: strategy, discardEdits }
  const edited = render({ files: packageAt1({ 'a.yaml': labelled }), revision: 2, options })
  expect(edited.rules).toEqual(rules)
  expect(edited.texts['a.yaml'] ?? 'nothing is written').not.toContain('mine')
  const own = render({ files: packageAt1(), revision: 2, options })
  expect(own.rules).toEqual([])
  expect(own.texts['a.yaml']).toContain('value: two')
})

test('a lost package context is no edit, and any other lost file is one', () => {
  const without = (lost: string) => Object.fromEntries(Object.entries(packageAt1()).filter(([path]) => path !== lost))
  const rulesAfter = (lost: string) => render({ files: without(lost), revision: 2, options: { updateStrategy: 'fast-forward' } }).rules
  expect(rulesAfter('package-context.yaml')).toEqual([])
  expect(rulesAfter('gone.yaml')).toEqual(['error local-changes'])
})

test.each([
  { fault: 'a Kptfile whose upstream is no map', edit: (text: string) => text.replace(/upstream:\n(?: .*\n)+/, 'upstream: 3\n') },
  { fault: 'a recorded revision that is nowhere', edit: (text: string) => text.replaceAll('ref: v1', 'ref: v9') },
])('of $fault nothing is written', ({ edit }) => {
  const { texts, rules } = render({ files: packageAt1({ Kptfile: edit }), revision: 2 })
  expect(texts).toEqual({})
  expect(rules.filter((rule) => rule.startsWith('error'))).not.toEqual([])
})

test('a revision without the functions of the package is refused where it is no package any more', () => {
  const functions = (...images: readonly string[]) =>
    kptfileText('shop', `pipeline:\n  mutators:\n${images.map((image) => `    - image: test.io/${image}:v1\n`).join('')}`)
  const folders = { 'catalog/shop@v1': { Kptfile: functions('one', 'two') }, 'catalog/shop@v2': { 'a.yaml': config('a', 'two') } }
  const files = renderOfTexts({ upstreams: { folders }, revision: 1 }).texts
  expect(renderOfTexts({ upstreams: { folders }, revision: 2, files })).toMatchObject({ texts: {}, rules: ['error upstream-no-package'] })
})

test('a moved package that had the name of its old folder gets the new one, and its edits stay', () => {
  const files = packageAt1({ 'a.yaml': labelled })
  const moved = render({ files, isMoved: true, downstream: 'edge/web' }).texts
  expect(moved.Kptfile).toContain('\n  name: web\n')
  expect(moved['package-context.yaml']).toBe(files['package-context.yaml']?.replace('name: shop', 'name: web'))
  expect(moved['a.yaml']).toBe(files['a.yaml'])
  const named = packageAt1({ 'package-context.yaml': (text) => text.replace('name: shop', 'name: mine') })
  expect(render({ files: named, isMoved: true, downstream: 'edge/web' }).texts['package-context.yaml']).toContain('name: mine')
  expect(render({ files, downstream: 'edge/web' }).texts.Kptfile).toContain('\n  name: shop\n')
})

test('the path of a moved package of Porch is written where there was one', () => {
  const options = { clone: 'porch' } as const
  const files = packageAt1({}, { options })
  expect(files['package-context.yaml']).toContain('package-path: shop')
  const moved = render({ files, options, isMoved: true, downstream: 'edge/shops/web' }).texts
  const before = files['package-context.yaml'] ?? ''
  expect(moved['package-context.yaml']).toBe(
    before.replace('name: shop', 'name: shops/web').replace('package-path: shop', 'package-path: shops/web'),
  )
  expect(moved.Kptfile).toContain('\n  name: shops/web\n')
})

test('the name of the fleet is written when a package is, and is alone no reason to write one', () => {
  const options = { fleet: 'shops' }
  const unnamed = packageAt1()
  expect(render({ options }).texts.Kptfile).toContain('krm-variants.dev/fleet: shops')
  expect(render({ options, files: unnamed }).texts).toEqual(unnamed)
  expect(render({ options, files: unnamed, revision: 2 }).texts.Kptfile).toContain('krm-variants.dev/fleet: shops')
  expect(render({ options, files: unnamed, name: 'other' }).texts.Kptfile).toContain('krm-variants.dev/fleet: shops')
  expect(render({ options, files: unnamed, isMoved: true }).texts.Kptfile).toContain('krm-variants.dev/fleet: shops')
  const named = packageAt1({}, { options: { fleet: 'before' } })
  expect(render({ options, files: named }).texts.Kptfile).toContain('krm-variants.dev/fleet: shops')
})

test('the keys that the variant wrote are recorded, and an update takes none of them for an edit', () => {
  const spec = '  packageContext: {data: {site: edge}, removeKeys: [region]}\n'
  const { texts } = render({ spec })
  expect(texts.Kptfile).toContain('krm-variants.dev/variant-keys')
  expect(texts['package-context.yaml']).toContain('site: edge')
  expect(render({ files: texts, spec, revision: 2, options: { updateStrategy: 'fast-forward' } }).rules).toEqual([])
})

test('a published tag that moved since the last update is refused, unless that is allowed', () => {
  const inGit = (commit: string): Pick<RenderOfTexts, 'upstreams' | 'options'> => ({
    upstreams: {
      commits: { [commit]: FOLDERS['catalog/shop@v1'], c2: FOLDERS['catalog/shop@v2'], c1: FOLDERS['catalog/shop@v1'] },
      names: { 'refs/tags/shop/v1': commit, 'refs/tags/shop/v2': 'c2' },
      tags: ['shop/v1', 'shop/v2'],
    },
    options: { repositories: new Map([['catalog', { ...NO_REPOSITORY, git: { repo: 'https://x.org/catalog.git' } }]]) },
  })
  const files = render(inGit('c1')).texts
  expect(files.Kptfile).toContain('commit: c1')
  const moved = inGit('c9')
  expect(render({ ...moved, files })).toMatchObject({ texts: {}, rules: ['error upstream-moved'] })
  expect(render({ ...moved, files, options: { ...moved.options, allowMoved: true } }).rules).toEqual([])
  expect(render({ ...inGit('c1'), files, revision: 2 }).rules).toEqual([])
})

/** A function that writes its own value into the ConfigMap `a`, for each revision from the value of upstream. */
const shouting = () =>
  functionsOf({ shout: (input) => input.replace(/value: (one|two)\b/g, (_, value: string) => `value: ${value.toUpperCase()}`) })

const RUNNING = Object.fromEntries(
  Object.entries(FOLDERS).map(([folder, files]) => [
    folder,
    { ...files, Kptfile: kptfileText('shop', 'pipeline:\n  mutators:\n    - image: test.io/shout:v1\n') },
  ]),
)

test('the functions of a package run in a new and in an updated one, and what they wrote is no edit', () => {
  const upstreams = { folders: RUNNING }
  const run = { upstreams, functions: shouting() }
  const files = render(run).texts
  expect(files['a.yaml']).toContain('value: ONE')
  const options = { updateStrategy: 'fast-forward' } as const
  const updated = render({ ...run, files, revision: 2, options })
  expect(updated.rules).toEqual([])
  expect(updated.texts['a.yaml']).toContain('value: TWO')
  expect(Object.keys(updated.texts)).not.toContain('gone.yaml')
  const edited = { ...files, 'a.yaml': labelled(files['a.yaml'] ?? '') }
  expect(render({ ...run, files: edited, revision: 2, options }).rules).toEqual(['error local-changes'])
  expect(render({ ...run, files: edited, revision: 2 }).texts['a.yaml']).toBe(edited['a.yaml']?.replace('ONE', 'TWO'))
})

test('a package whose functions cannot run is compared as upstream has it, with a note', () => {
  const upstreams = { folders: RUNNING }
  const files = render({ upstreams, functions: shouting() }).texts
  const { rules } = render({ upstreams, files, revision: 2, functions: functionsOf({}) })
  expect(rules).toContain('info compared-before-functions')
})

test('a package follows a new config of its functions at the revision that it is at, and its edits stay', () => {
  const echo = (input: string) => {
    const value = /data: {out: (\w+)}/.exec(input)?.[1] ?? 'none'
    return input.replace(/value: \w+(?=\n)/, `value: ${value}`)
  }
  const spec = (out: string) => `  pipeline: {mutators: [{image: 'test.io/echo:v1', configMap: {out: ${out}}}]}\n`
  const run = { functions: functionsOf({ echo }) }
  const first = render({ ...run, spec: spec('red') }).texts
  const again = render({ ...run, spec: spec('blue'), files: { ...first, 'a.yaml': labelled(first['a.yaml'] ?? '') } })
  expect(again.rules.filter((rule) => rule.startsWith('error'))).toEqual([])
  expect(again.texts['a.yaml']).toContain('mine')
  expect(again.texts.Kptfile).toContain('blue')
})
