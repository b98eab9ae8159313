import { expect, test } from 'vitest'
import { OneVariantFleet } from '../../../testdata/one-variant-fleet.ts'
import type { Texts } from '../../../testdata/package-of-texts.ts'
import type { TestFiles } from '../../../testdata/test-fleet.ts'
import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { type RenderOfTexts, renderOfTexts } from '../testing/render-of-texts.ts'

const LABELS = 'ghcr.io/kptdev/krm-functions-catalog/set-labels:v0.2.0'

function revision(value: string, more: TestFiles = {}): TestFiles {
  return {
    Kptfile: `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n  - {image: '${LABELS}', configMap: {v: ${value}}}\n`,
    'a.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  value: ${value}\n`,
    ...more,
  }
}

/** Returns the files of a package that was updated, and those of a new package of the same revision. */
function updatedAndNew(v1: TestFiles, v2: TestFiles, runs: boolean): readonly [TestFiles, TestFiles] {
  const updated = new OneVariantFleet({ v1, v2 })
  updated.render(1, { runs })
  updated.render(2, { runs })
  const made = new OneVariantFleet({ v2 })
  made.render(2, { runs })
  return [updated.files(), made.files()]
}

test.each([true, false])(
  'a new file whose resource has a merge comment of its own gets the marks of a clone (functions run: %s)',
  (runs) => {
    const file = 'apiVersion: v1\nkind: ConfigMap\nmetadata: # kpt-merge: a/x\n  name: x\n  namespace: b\n'
    const cnrm = 'apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicy\nmetadata: # kpt-merge: a/p\n  name: p\n'
    const [updated, made] = updatedAndNew(revision('one'), revision('two', { 'new.yaml': file, 'cnrm.yaml': cnrm }), runs)
    expect(updated).toEqual(made)
    expect(updated['new.yaml']).toContain('upstream-identifier')
  },
)

test.each([true, false])('the package context of a subpackage follows a new name of its Kptfile (functions run: %s)', (runs) => {
  const sub = (name: string): TestFiles => ({
    'sub/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n`,
    'sub/b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n',
  })
  const [updated, made] = updatedAndNew(revision('one', sub('old')), revision('two', sub('new')), runs)
  expect(updated['sub/package-context.yaml']).toContain('  name: new\n')
  expect(updated).toEqual(made)
})

test('a name that people gave the package context of a subpackage stays', () => {
  const sub = (name: string): TestFiles => ({ 'sub/Kptfile': `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: ${name}\n` })
  const fleet = new OneVariantFleet({ v1: revision('one', sub('old')), v2: revision('two', sub('new')) })
  fleet.render(1)
  fleet.editPackage('sub/package-context.yaml', 'name: old', 'name: mine')
  fleet.render(2)
  expect(fleet.readPackage('sub/package-context.yaml')).toContain('name: mine')
})

test.each([
  ['behind the first separator', (text: string) => `--- # team start\n${text}`, '--- # team start\n'],
  ['in a document of its own', (text: string) => `# team start\n---\n${text}`, '# team start\n---\n'],
  ['behind the last separator', (text: string) => `${text}--- # the end\n`, '--- # the end\n'],
])('a comment of people %s stays in an update with functions', (_, edit, kept) => {
  const fleet = new OneVariantFleet({ v1: revision('one'), v2: revision('two') })
  fleet.render(1)
  fleet.write('out/edge/shop/a.yaml', edit(fleet.readPackage('a.yaml')))
  fleet.render(2)
  expect(fleet.readPackage('a.yaml')).toContain(kept)
  expect(fleet.readPackage('a.yaml')).toContain('value: two')
})

const config = (name: string, value: string, metadata = '') => configMapText(name, `${metadata}data:\n  value: ${value}\n`)
const FOLDERS = {
  'catalog/shop@v1': { Kptfile: kptfileText('shop'), 'a.yaml': config('a', 'one') },
  'catalog/shop@v2': { Kptfile: kptfileText('shop'), 'a.yaml': `${config('a', 'two')}---\n${config('b', 'two')}` },
}

/** Returns the files of a package of v1 with edits after its update to v2. */
function updated(
  edits: Texts,
  { folders = FOLDERS, ...asked }: Partial<RenderOfTexts> & { readonly folders?: Readonly<Record<string, Texts>> } = {},
): Texts {
  const upstreams = { folders }
  const { texts } = renderOfTexts({ upstreams, revision: 1, ...asked })
  return renderOfTexts({ upstreams, revision: 2, files: { ...texts, ...edits }, ...asked }).texts
}

test('the marks of a clone are on the resources that upstream has, and not on those of people in the same file', () => {
  const before = updated({}, { folders: { ...FOLDERS, 'catalog/shop@v2': FOLDERS['catalog/shop@v1'] } })['a.yaml'] ?? ''
  const texts = updated({ 'a.yaml': `${before}---\n${config('mine', 'one')}` })
  const marks = (texts['a.yaml'] ?? '').match(/kpt-merge: \S+/g)
  expect(marks?.toSorted()).toEqual(['kpt-merge: /a', 'kpt-merge: /b'])
  expect(texts['a.yaml']).toContain(config('mine', 'one'))
})

test.each([
  ['kpt', false],
  ['porch', true],
] as const)('in an update as %s makes it, a new Kptfile of a subpackage has the mark: %s', (clone, isMarked) => {
  const folders = { ...FOLDERS, 'catalog/shop@v2': { ...FOLDERS['catalog/shop@v2'], 'sub/Kptfile': kptfileText('sub') } }
  const texts = updated({}, { folders, options: { clone } })
  expect(texts['sub/Kptfile']?.includes('kpt-merge:')).toBe(isMarked)
})

test('a subpackage that upstream adds has its package context, as in a new clone, and one that people have stays', () => {
  const folders = { ...FOLDERS, 'catalog/shop@v2': { ...FOLDERS['catalog/shop@v2'], 'sub/Kptfile': kptfileText('sub') } }
  expect(updated({}, { folders })['sub/package-context.yaml']).toContain('  name: sub\n')
  const context = configMapText('kptfile.kpt.dev', 'data:\n  name: mine\n')
  expect(updated({ 'sub/package-context.yaml': context }, { folders })['sub/package-context.yaml']).toContain('  name: mine\n')
})

test('a file that upstream removed goes if it is as it was cloned, and an own file stays, also without resources', () => {
  const folders = {
    'catalog/shop@v1': { ...FOLDERS['catalog/shop@v1'], 'gone.yaml': config('gone', 'one'), 'gone.txt': 'x' },
    'catalog/shop@v2': FOLDERS['catalog/shop@v2'],
  }
  const texts = updated({ 'mine.txt': 'x', 'mine.yaml': config('mine', 'one') }, { folders })
  expect(Object.keys(texts).toSorted()).toEqual(['Kptfile', 'a.yaml', 'mine.txt', 'mine.yaml', 'package-context.yaml'])
})

test.each(['fast-forward', 'force-delete-replace'] as const)(
  '%s leaves no subpackage that upstream deleted, nor its package context',
  (updateStrategy) => {
    const folders = { ...FOLDERS, 'catalog/shop@v1': { ...FOLDERS['catalog/shop@v1'], 'sub/Kptfile': kptfileText('sub') } }
    const texts = updated({}, { folders, options: { updateStrategy } })
    expect(Object.keys(texts).toSorted()).toEqual(['Kptfile', 'a.yaml', 'package-context.yaml'])
    expect(texts['a.yaml']).toContain('name: b')
  },
)
