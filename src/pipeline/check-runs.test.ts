import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { readPackageFile } from '../folder/read-package-file.ts'
import { evaluate, type KrmFunction } from '../run.ts'
import { isMadeByRender, tryRuns, waitsForFunctions, withFoldersAbove } from './check-runs.ts'

const object = (level: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  level: ${level}\n`

function kptfile(image: string, annotation = ''): string {
  const annotations = annotation === '' ? '' : `  annotations: {${annotation}: a}\n`
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n${annotations}${image === '' ? '' : `pipeline:\n  mutators:\n  - image: example.io/${image}:v1\n`}`
}

const MADE = 'krm-variants.dev/package-variant'

/** The built-in functions: one that writes a level, one that changes its own output, one that fails, and one that adds a file. */
const FUNCTIONS: Readonly<Record<string, KrmFunction>> = {
  set: ({ items }) => {
    for (const item of items) if (item.kind === 'ConfigMap') item.set(['data', 'level'], 'high')
  },
  count: ({ items }) => {
    for (const item of items) if (item.kind === 'ConfigMap') item.set(['data', 'level'], `${String(item.get(['data', 'level']))}x`)
  },
  fail: ({ results }) => {
    results.push({ severity: 'error', message: 'broken', tags: { rule: 'wrong-type' } })
  },
  drop: (list) => {
    for (const item of [...list.items]) if (item.kind === 'ConfigMap') list.remove(item)
  },
}

const runners = {
  builtins: Object.entries(FUNCTIONS).map(([name, fn]) => ({
    name,
    versions: ['v1'],
    repositories: ['example.io'],
    run: () => (input: string) => evaluate(fn, input),
  })),
  programs: new Map(),
  allowExec: false,
  imagePrefix: undefined,
  program: () => () => ({ stdout: '', stderr: '', exitCode: 1 }),
}

type Files = Readonly<Record<string, string>>

function askedAt(files: Files, folder: string) {
  const prefix = folder === '' ? '' : `${folder}/`
  const own = Object.keys(files).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []))
  const tree = folderTree(own, (path) => Buffer.from(files[`${prefix}${path}`] ?? ''))
  return { tree, place: `/fleet/${folder}`, name: (path: string) => `${prefix}${path}` }
}

/** Tries the packages of some files. Returns the folders that are behind, and the folders that were opened. */
function tried(files: Files, isLeftOut: (folder: string) => boolean = () => false) {
  const opened: string[] = []
  const { behind, results } = tryRuns({
    files: Object.entries(files).flatMap(([path, text]) => readPackageFile(path, Buffer.from(text)).file ?? []),
    open: (folder) => {
      opened.push(folder)
      return askedAt(files, folder)
    },
    isLeftOut,
    runners,
  })
  return { opened, behind, errors: results.length }
}

test.each([
  ['is as its function makes it', { Kptfile: kptfile('set'), 'a.yaml': object('high') }, false],
  ['is not as its function makes it', { Kptfile: kptfile('set'), 'a.yaml': object('low') }, true],
  ['has a function that changes its own output', { Kptfile: kptfile('count'), 'a.yaml': object('low') }, false],
  ['loses a file', { Kptfile: kptfile('drop'), 'a.yaml': object('low') }, true],
  ['has a function that fails', { Kptfile: kptfile('fail'), 'a.yaml': object('low') }, false],
  ['has a function that is not built in', { Kptfile: kptfile('other'), 'a.yaml': object('low') }, false],
  ['has no function', { Kptfile: kptfile(''), 'a.yaml': object('low') }, false],
])('a package that %s waits for its functions, or does not', (_what, files: Files, expected) => {
  expect(waitsForFunctions(askedAt(files, ''), runners)).toBe(expected)
})

test('only a package that render made is behind', () => {
  const files = (annotation: string) => ({ Kptfile: kptfile('set', annotation), 'a.yaml': object('low') })
  expect(tried(files(MADE)).behind).toEqual([''])
  expect(tried(files('example.com/a')).behind).toEqual([])
  expect([MADE, 'example.com/a'].map((annotation) => isMadeByRender(askedAt(files(annotation), '').tree))).toEqual([true, false])
})

test('the outermost packages are run that have functions, themselves or below, and are not left out', () => {
  const files = {
    'a/Kptfile': kptfile(''),
    'a/b/Kptfile': kptfile('set'),
    'c/Kptfile': kptfile(''),
    'd/Kptfile': kptfile('set'),
    'd/e/Kptfile': kptfile('set'),
  }
  expect(tried(files).opened.toSorted()).toEqual(['a', 'd'])
  expect(tried(files, (folder) => folder === 'd').opened.toSorted()).toEqual(['a', 'd/e'])
  expect(tried({ Kptfile: kptfile(''), ...files }).opened).toEqual([''])
})

test('the errors of a run are reported, and nothing of a run whose end is not known', () => {
  expect(tried({ Kptfile: kptfile('fail') }).errors).toBeGreaterThan(0)
  expect(tried({ Kptfile: kptfile('set'), 'a.yaml': object('low') }).errors).toBe(0)
  expect(tried({ Kptfile: kptfile('other') }).errors).toBe(0)
})

test('the folders above a folder end with the top', () => {
  expect([withFoldersAbove('a/b'), withFoldersAbove('')]).toEqual([['a/b', 'a', ''], ['']])
})
