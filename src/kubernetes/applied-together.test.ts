import { expect, test } from 'vitest'
import { kptfileText, writtenObject } from '../../testdata/written-objects.ts'
import { AppliedTogether, isAppliedAsNamed } from './applied-together.ts'

const CALLING =
  'pipeline: {mutators: [{image: a}, {image: b, configPath: ./f/setters.yaml}], validators: [{image: c, configPath: c.yaml}]}\n'

/** Returns which packages files go with, for packages in some folders. */
function together(folders: readonly string[], { roots = [], paths = [], more = '' }: Layout = {}) {
  const kptfiles = new Map(folders.map((folder) => [folder, writtenObject(kptfileText('p', more), 'Kptfile')]))
  return new AppliedTogether({ paths, kptfiles, roots: new Set(roots) })
}

interface Layout {
  readonly roots?: readonly string[]
  readonly paths?: readonly string[]
  readonly more?: string
}

const FOLDERS = ['', 'p', 'p/sub', 'p/sub/deep', 'p/x/other']
const FILES = ['a.yaml', 'p/a.yaml', 'p/sub/a.yaml', 'p/sub/f/a.yaml', 'p/sub/deep/a.yaml', 'p/x/other/a.yaml']

test.each([
  { what: 'the whole of a deployed package', roots: ['p'], paths: [], expected: ['', 'p', 'p', 'p', 'p', 'p'] },
  { what: 'the deployed package at the top', roots: [''], paths: [], expected: ['', '', '', '', '', ''] },
  { what: 'the nearest of two deployed packages', roots: ['', 'p/sub'], paths: [], expected: ['', '', 'p/sub', 'p/sub', 'p/sub', ''] },
  {
    what: 'its own package where none is deployed',
    roots: [],
    paths: [],
    expected: ['', 'p', 'p/sub', 'p/sub', 'p/sub/deep', 'p/x/other'],
  },
  {
    what: 'its own package below a kustomization',
    roots: ['p'],
    paths: ['p/sub/f/kustomization.yml', 'elsewhere/a.yaml'],
    expected: ['', 'p', 'p/sub', 'p/sub', 'p/sub/deep', 'p'],
  },
  {
    what: 'its own package where a kustomization builds the deployed one',
    roots: ['p'],
    paths: ['p/Kustomization'],
    expected: ['', 'p', 'p/sub', 'p/sub', 'p/sub/deep', 'p/x/other'],
  },
])('a cluster gets a file with $what', ({ roots, paths, expected }) => {
  const packages = together(FOLDERS, { roots, paths })
  expect(FILES.map((path) => packages.packageOf(path))).toEqual(expected)
})

test('the config of a function goes with its own package, wherever the pipeline names the file', () => {
  const packages = together(['p', 'p/sub'], { roots: ['p'], more: CALLING })
  const files = ['p/sub/f/setters.yaml', 'p/sub/c.yaml', 'p/sub/setters.yaml']
  expect(files.map((path) => packages.packageOf(path))).toEqual(['p/sub', 'p/sub', 'p'])
})

test.each(['pipeline: *unknown\n', 'pipeline: [mutators]\n', 'pipeline: {mutators: {configPath: c.yaml}}\n'])(
  'a Kptfile with %j names no configs',
  (more) => {
    expect(together(['p', 'p/sub'], { roots: ['p'], more }).packageOf('p/sub/c.yaml')).toBe('p')
  },
)

test('a package with a kustomization in one of its folders is built, and none around or below', () => {
  const packages = together(FOLDERS, { paths: ['p/sub/f/kustomization.yaml', 'p/x/my-kustomization.yaml'] })
  expect(FILES.map((path) => packages.isBuilt(path))).toEqual([false, false, true, true, false, false])
  expect(FILES.map((path) => packages.ownPackage(path))).toEqual(['', 'p', 'p/sub', 'p/sub', 'p/sub/deep', 'p/x/other'])
})

test.each([
  ['an object', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', namespace: 'n' } }, true],
  ['an object without a name', { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }, false],
  ['a Kptfile', { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name: 'x' } }, false],
  ['the config of a function', { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'ApplyReplacements', metadata: { name: 'x' } }, false],
  ['a placeholder as name', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ x }}' } }, false],
  ['a placeholder as namespace', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: '${NS}' } }, false],
  [
    'an object for tools on disk',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', annotations: { 'config.kubernetes.io/local-config': 'true' } } },
    false,
  ],
])('of %s it is known whether a cluster gets the object under its name', (_, value, expected) => {
  expect(isAppliedAsNamed(writtenObject(JSON.stringify(value)))).toBe(expected)
})
