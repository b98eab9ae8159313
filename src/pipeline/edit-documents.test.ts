import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { finish } from '../progress.ts'
import type { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError } from '../result.ts'
import { evaluate, evaluateDocuments, type KrmFunction } from '../run.ts'
import { readPackages, runPackages } from './run-packages.ts'

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: NAME # who\ndata: {level: low}\n'

function object(name: string): string {
  return OBJECT.replace('NAME', name)
}

function kptfile(pipeline: string, annotations = '{}'): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a, annotations: ${annotations}}\npipeline: ${pipeline}\n`
}

function raise(list: ResourceList): void {
  for (const item of list.items) if (item.kind === 'ConfigMap') item.set(['data', 'level'], 'high')
  for (const { name, file } of list.items)
    list.results.push({ severity: 'info', message: `saw ${name}`, ...(file && { file }), tags: { rule: 'search-replace' } })
}

const FUNCTIONS: Readonly<Record<string, KrmFunction>> = {
  raise,
  fail: (list) => {
    raise(list)
    const message = 'is refused'
    const [, last] = list.items
    throw new FunctionError([{ severity: 'error', message, ...(last?.file && { file: last.file }), tags: { rule: 'wrong-type' } }])
  },
  unname: (list) => list.items.at(-1)?.delete(['metadata', 'name']),
  removeLast: (list) => {
    const last = list.items.at(-1)
    if (last !== undefined) list.remove(last)
  },
  removeAll: (list) => {
    for (const item of list.items) list.remove(item)
  },
}

/** Returns the outcome of a package whose functions get texts, or edit documents. */
function outcome(files: Readonly<Record<string, string>>, edits: boolean): { readonly edited: number; readonly seen: unknown } {
  let edited = 0
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const runner = ([word = '']: readonly string[]) => {
    const fn = FUNCTIONS[word] ?? (() => {})
    const edit: Parameters<typeof evaluateDocuments>[1] extends infer List ? (list: List) => ReturnType<typeof evaluateDocuments> : never =
      (list) => {
        edited++
        return evaluateDocuments(fn, list)
      }
    return Object.assign((input: string) => evaluate(fn, input), edits ? { edit } : {})
  }
  const runners = { builtins: [], programs: new Map(), allowExec: true, imagePrefix: undefined, program: runner }
  const [run] = finish(runPackages(readPackages([{ tree, place: '/fleet/pkg', name: (path) => `pkg/${path}` }]), runners, { status: true }))
  return { edited, seen: { changes: run?.changes, failed: run?.failed, results: run?.results } }
}

const SAVED = '{kpt.dev/save-on-render-failure: "true"}'
const TWO = { 'b.yaml': object('b'), 'c.yaml': `---\n${object('c')}---\n${object('d')}` }

test.each<readonly [string, number, Readonly<Record<string, string>>]>([
  ['a chain of functions', 2, { ...TWO, Kptfile: kptfile('{mutators: [{exec: raise}, {exec: raise, configMap: {a: b}}]}') }],
  ['a selection by name', 1, { ...TWO, Kptfile: kptfile('{mutators: [{exec: raise, selectors: [{name: d}]}]}') }],
  [
    'a selection by an annotation of the place, which the Kptfile names',
    0,
    {
      ...TWO,
      Kptfile: kptfile('{mutators: [{exec: raise, exclude: [{annotations: {internal.config.kubernetes.io/path: b.yaml}}]}]}'),
    },
  ],
  ['a validator', 1, { ...TWO, Kptfile: kptfile('{validators: [{exec: raise}]}') }],
  ['a function that fails', 2, { ...TWO, Kptfile: kptfile('{mutators: [{exec: raise}, {exec: fail}]}', SAVED) }],
  ['an object that is no resource any more', 2, { ...TWO, Kptfile: kptfile('{mutators: [{exec: raise}, {exec: unname}]}', SAVED) }],
  ['a removed object', 2, { ...TWO, Kptfile: kptfile('{mutators: [{exec: removeLast}, {exec: raise}]}') }],
  ['all objects removed', 1, { ...TWO, Kptfile: kptfile('{mutators: [{exec: removeAll}]}', SAVED) }],
  ['a resource as the functionConfig', 1, { ...TWO, Kptfile: kptfile('{mutators: [{exec: raise, configPath: b.yaml}]}') }],
  [
    'a subpackage',
    2,
    { Kptfile: kptfile('{mutators: [{exec: raise}]}'), 'sub/Kptfile': kptfile('{mutators: [{exec: raise}]}'), 'sub/b.yaml': object('b') },
  ],
  [
    'an object with an annotation of a place',
    0,
    {
      'b.yaml': object('b').replace('# who', '\n  annotations: {config.kubernetes.io/path: other.yaml}'),
      Kptfile: kptfile('{mutators: [{exec: raise}]}'),
    },
  ],
  [
    'a functionConfig that names an annotation of a place',
    0,
    { ...TWO, Kptfile: kptfile('{mutators: [{exec: raise, configMap: {config.kubernetes.io/path: a.yaml}}]}') },
  ],
])('%s: documents edited in place become what a function makes of their text', (_, edited, files) => {
  expect(outcome(files, true)).toEqual({ edited, seen: outcome(files, false).seen })
})

test('a number without a text in JSON does not keep a function from editing another field', () => {
  const files = { 'b.yaml': object('b').replace('low', 'low, most: .inf'), Kptfile: kptfile('{mutators: [{exec: raise}]}') }
  expect(outcome(files, true).seen).toMatchObject({ failed: false })
})
