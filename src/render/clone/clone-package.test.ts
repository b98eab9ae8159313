import { expect, test } from 'vitest'
import { packageOfTexts, type Texts, textsOf } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import { FunctionError } from '../../result.ts'
import { finishClone, prepareClone } from './clone-package.ts'
import { mergeScope } from './merge-scope.ts'
import { changesAfterRun, packageChanges, unwritableFiles } from './package-changes.ts'

const KPTFILE = kptfileText('web')
const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
const ORIGIN = { repo: 'catalog', directory: '/web', ref: 'v1', resolvedRef: 'v1' }

function clone(texts: Texts, flavour: 'kpt' | 'porch' = 'kpt') {
  const downstream = { name: 'shop', packagePath: 'a/shop', origin: ORIGIN, updateStrategy: 'resource-merge' } as const
  return finishClone(prepareClone(packageOfTexts(texts), flavour), downstream)
}

function cloned(texts: Texts, flavour: 'kpt' | 'porch' = 'kpt'): Texts {
  return textsOf(
    new Map(
      [...clone(texts, flavour)].map(([path, content]) => [
        path,
        isBytes(content) ? content : content.map((each) => ({ ...each, from: 'theirs' as const })),
      ]),
    ),
  )
}

test('the Kptfile of a clone has the name of the downstream, its upstream, and keeps what else it has', () => {
  const { Kptfile = '' } = cloned({ Kptfile: `${KPTFILE}  namespace: x\ninfo:\n  description: d # why\n` })
  expect(Kptfile).toContain('name: shop')
  expect(Kptfile).toContain('description: d # why')
  expect(Kptfile).toContain('ref: v1')
  expect(Kptfile).not.toContain('namespace: x')
  expect(cloned({ Kptfile: `${KPTFILE}  namespace: x\n` }, 'porch').Kptfile).toContain('namespace: x')
})

test('a package without a Kptfile gets one from kpt, and is refused by Porch', () => {
  expect(cloned({ 'a.yaml': MAP }).Kptfile).toContain('name: "shop"')
  expect(() => clone({ 'a.yaml': MAP }, 'porch')).toThrow(FunctionError)
})

test('the package context has the name, for Porch also the path, and the defaults of upstream', () => {
  const context = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  name: old\n  level: info\n'
  const { 'package-context.yaml': ofKpt = '' } = cloned({ Kptfile: KPTFILE, 'package-context.yaml': context })
  expect(ofKpt).toContain('level: info')
  expect(ofKpt).toContain('name: shop')
  expect(ofKpt).not.toContain('package-path')
  expect(cloned({ Kptfile: KPTFILE }, 'porch')['package-context.yaml']).toContain('package-path: a/shop')
})

test('kpt gives each subpackage a context of its own, and leaves its Kptfile unmarked', () => {
  const texts = { Kptfile: KPTFILE, 'db/Kptfile': KPTFILE.replace('web', 'db'), 'db/a.yaml': MAP }
  expect(cloned(texts)['db/package-context.yaml']).toContain('name: db')
  expect(cloned(texts)['db/Kptfile']).not.toContain('kpt-merge')
  expect(cloned(texts, 'porch')['db/package-context.yaml']).toBeUndefined()
})

test('a file that is no resource keeps its bytes', () => {
  expect(cloned({ Kptfile: KPTFILE, 'README.md': 'text\n' })['README.md']).toBe('text\n')
})

const sideOf = (texts: Texts) => ({ files: packageOfTexts(texts), layouts: new Map() })

test('an update merges the files that differ between two revisions, and whole subpackages', () => {
  const before = { Kptfile: KPTFILE, 'a.yaml': MAP, 'b.yaml': MAP, 'db/Kptfile': KPTFILE, 'db/x.yaml': MAP, 'db2/Kptfile': KPTFILE }
  const scope = (after: Texts) => mergeScope(sideOf(before), sideOf(after))
  const own = scope({ ...before, 'a.yaml': `${MAP}data: {x: y}\n` })
  expect(['a.yaml', 'b.yaml', 'db/x.yaml', 'own.yaml'].map((path) => own.has(path))).toEqual([true, false, false, false])
  const sub = scope({ ...before, 'db/Kptfile': `${KPTFILE}info: {}\n` })
  expect(['db/x.yaml', 'db/own.yaml', 'db2/Kptfile', 'a.yaml'].map((path) => sub.has(path))).toEqual([true, true, false, false])
  expect(sub.isPassing('db/x.yaml')).toBe(false)
  const { 'db/Kptfile': _, 'db/x.yaml': __, ...without } = before
  expect(scope(without).isPassing('db/own.yaml')).toBe(true)
  expect(scope(without).isPassing('a.yaml')).toBe(false)
})

test('the changes of a package are its new, other and missing files', () => {
  const files = clone({ Kptfile: KPTFILE, 'a.yaml': MAP, 'x.txt': 'x' })
  const told = (downstream?: PackageFiles) => packageChanges(files, downstream).map(({ op, path }) => `${op} ${path}`)
  expect(told()).toEqual(['create Kptfile', 'create a.yaml', 'create package-context.yaml', 'create x.txt'])
  const same: PackageFiles = new Map(
    [...files].map(([path, content]) => [path, isBytes(content) ? content : content.map(({ object }) => object)]),
  )
  expect(told(same)).toEqual([])
  const other = packageOfTexts({ 'a.yaml': MAP, 'x.txt': 'y', 'old.yaml': MAP })
  expect(told(new Map([...same, ...other]))).toEqual(['update a.yaml', 'delete old.yaml', 'update x.txt'])
})

test('what functions change replaces the change of the file before', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const before = (path: string) => (path.startsWith('old') ? bytes('old') : undefined)
  const changed = new Map([
    ['old-a', bytes('new')],
    ['old-b', bytes('old')],
    ['old-c', undefined],
    ['new-a', bytes('new')],
    ['new-b', undefined],
  ])
  const changes = changesAfterRun(
    [
      { path: 'old-b', op: 'update' },
      { path: 'z', op: 'create' },
    ],
    changed,
    before,
  )
  expect(changes.map(({ op, path }) => `${op} ${path}`)).toEqual(['create new-a', 'update old-a', 'delete old-c', 'create z'])
})

test.each([
  ['a safe path', [{ path: 'a.yaml', op: 'create' }], [], 0],
  ['a path out of the package', [{ path: '../a.yaml', op: 'create' }], [], 1],
  ['an unsafe path that is deleted', [{ path: '.git/x', op: 'delete' }], [], 1],
  ['a new file that differs from another in case alone', [{ path: 'A.yaml', op: 'create' }], ['a.yaml'], 1],
  [
    'one that replaces a deleted file',
    [
      { path: 'A.yaml', op: 'create' },
      { path: 'a.yaml', op: 'delete' },
    ],
    ['a.yaml'],
    0,
  ],
] as const)('of %s the number of faults is right', (_what, changes, existing, count) => {
  expect(unwritableFiles(changes, existing, 'p')).toHaveLength(count)
})
