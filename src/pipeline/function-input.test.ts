import { expect, test } from 'vitest'
import { folderTree } from '../folder/file-tree.ts'
import { FunctionError } from '../result.ts'
import { type FunctionInput, functionInput, optionsConfigMap } from './function-input.ts'
import { readPackageTree } from './package-tree.ts'
import { functionsIn } from './pipeline-steps.ts'
import { configMapWith, kptfileWith } from './testing/run-of-texts.ts'

/** Returns the input of the only function of the root package, whose items are those of all packages. */
function inputOf(fn: string, files: Readonly<Record<string, string>>): FunctionInput {
  const all: Readonly<Record<string, string>> = { Kptfile: kptfileWith(`pipeline: {mutators: [${fn}]}`), ...files }
  const { root } = readPackageTree(
    folderTree(Object.keys(all), (path) => Buffer.from(all[path] ?? '')),
    (path) => path,
  )
  const [step] = functionsIn(root.kptfile)
  if (step === undefined) throw new Error('there is one function')
  return functionInput(
    step,
    root,
    [root, ...root.children].flatMap(({ items }) => items),
    '/fleet/pkg',
  )
}

/** Returns the text of the list without the Kptfile. */
function listOf(fn: string, files: Readonly<Record<string, string>>): string {
  return inputOf(fn, files)
    .list()
    .text.replace(/^- apiVersion: kpt\.dev[\s\S]*?(?=^(?:- |functionConfig)|(?![\s\S]))/m, '')
}

const A = configMapWith('a')

test('a resource has the annotations of its place, in both spellings, and an id', () => {
  expect(listOf('{exec: x}', { 'd/a.yaml': A })).toBe(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a
    annotations:
      config.kubernetes.io/index: "0"
      config.kubernetes.io/path: d/a.yaml
      internal.config.kubernetes.io/index: "0"
      internal.config.kubernetes.io/package-path: /fleet/pkg
      internal.config.kubernetes.io/path: d/a.yaml
      internal.config.kubernetes.io/seqindent: compact
      config.k8s.io/id: "2"
      internal.config.kubernetes.io/annotations-migration-resource-id: "1"
      internal.config.kubernetes.io/id: "2"
`)
})

/** Returns the values of one annotation, in the order of the items. */
function annotationIn(text: string, key: string): readonly string[] {
  return Array.from(text.matchAll(new RegExp(`^ +${key.replaceAll('.', '\\.')}: "?([^"\\n]*)"?$`, 'gm')), ([, value = '']) => value)
}

test('the second document of a file has the index 1, and a resource of a subpackage the path of its package', () => {
  const { text } = inputOf('{exec: x}', { 'a.yaml': `${A}---\n${A}`, 'sub/Kptfile': kptfileWith(), 'sub/b.yaml': A }).list()
  expect(annotationIn(text, 'config.kubernetes.io/index')).toEqual(['0', '0', '1', '0', '0'])
  expect(annotationIn(text, 'internal.config.kubernetes.io/package-path')).toEqual([
    ...Array(3).fill('/fleet/pkg'),
    ...Array(2).fill('/fleet/pkg/sub'),
  ])
  expect(annotationIn(text, 'internal.config.kubernetes.io/path')).toEqual(['Kptfile', 'a.yaml', 'a.yaml', 'Kptfile', 'b.yaml'])
})

test.each([
  ['data: {}\n', 'compact'],
  ['list:\n- a\n', 'compact'],
  ['list:\n  - a\n', 'wide'],
  ['list:\n   - a\n', 'compact'],
  ['map:\n  list:\n    - a\n', 'wide'],
  ['map:\n  list:\n  - a\nlist:\n  - a\n', 'compact'],
  ['list: # why\n  - a\n', 'compact'],
  ['list: [a]\nother:\n  - a\n', 'wide'],
])('a resource with %j has %s lists', (rest, indent) => {
  const { text } = inputOf('{exec: x}', { 'b.yaml': A + rest }).list()
  expect(annotationIn(text, 'internal.config.kubernetes.io/seqindent')).toEqual(['compact', indent])
})

test('with selectors each resource has its number among all resources too', () => {
  const files = { 'a.yaml': A, 'b.yaml': configMapWith('b'), 'c.yaml': configMapWith('c') }
  const numbers = (fn: string) => annotationIn(inputOf(fn, files).list().text, 'internal.config.kubernetes.io/kpt-resource-id')
  expect(numbers('{exec: x}')).toEqual([])
  expect(numbers('{exec: x, selectors: [{name: c}, {name: a}]}')).toEqual(['1', '3'])
  expect(numbers('{exec: x, exclude: [{name: b}, {kind: Kptfile}]}')).toEqual(['1', '3'])
})

test('a selector reads the annotations of a place, as those of the file', () => {
  const files = { 'a.yaml': A, 'b.yaml': configMapWith('b', '  annotations: {mine: x}') }
  const selected = (annotations: string) =>
    inputOf(`{exec: x, selectors: [{annotations: {${annotations}}}]}`, files).selected.map(({ path }) => path)
  expect(selected('mine: x')).toEqual(['b.yaml'])
  expect(selected('internal.config.kubernetes.io/path: a.yaml')).toEqual(['a.yaml'])
  expect(selected('internal.config.kubernetes.io/path: a.yaml, mine: x')).toEqual([])
})

test('a function without resources gets an empty list', () => {
  expect(inputOf('{exec: x, selectors: [{name: none}]}', {}).list().text).toBe(
    'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n',
  )
})

test('the configMap of a function is a ConfigMap, with its keys in order', () => {
  expect(listOf('{exec: x, configMap: {z: "1", a: x}}', {})).toContain(
    'functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: function-input\n  data:\n    a: x\n    z: "1"\n',
  )
  expect(optionsConfigMap({ a: 'x' })).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'function-input' },
    data: { a: 'x' },
  })
  expect(inputOf('{exec: x, configMap: {z: "1", a: x}}', {}).config()).toEqual({ data: { a: 'x', z: '1' } })
  expect(inputOf('{exec: x}', {}).config()).toBeUndefined()
})

test('the config in a file is the item with the annotations that the function sees, or the file as read', () => {
  const files = { 'a.yaml': configMapWith('a', 'data: {k: v}') }
  const seen = listOf('{exec: x, configPath: a.yaml}', files)
  expect(seen.slice(seen.indexOf('functionConfig:'))).toMatch(
    /^functionConfig:\n {2}apiVersion: v1\n[\s\S]* {6}internal\.config\.kubernetes\.io\/path: a\.yaml\n/,
  )
  for (const path of ['./a.yaml', 'd/../a.yaml']) {
    const read = listOf(`{exec: x, configPath: ${path}}`, files)
    expect(read.slice(read.indexOf('functionConfig:'))).toBe(
      'functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  data: {k: v}\n',
    )
    expect(inputOf(`{exec: x, configPath: ${path}}`, files).config()).toMatchObject({ data: { k: 'v' } })
  }
  expect(inputOf('{exec: x, configPath: a.yaml}', files).config()).toMatchObject({ kind: 'ConfigMap', data: { k: 'v' } })
})

function faultOf(fn: string, files: Readonly<Record<string, string>>): unknown {
  try {
    inputOf(fn, files).list()
    return undefined
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ message, tags, field }) => [message, tags.rule, field?.path?.at(-1)])
    throw error
  }
}

test.each([
  ['configPath: gone.yaml', {}, "`configPath` must be a file with one resource, 'gone.yaml' has 0"],
  [
    'configPath: a.yaml',
    { 'sub/Kptfile': kptfileWith(), 'sub/a.yaml': A },
    "`configPath` must be a file with one resource, 'a.yaml' has 0",
  ],
  ['configPath: ./empty.yaml', { 'empty.yaml': '# nothing\n' }, "`configPath` must be a file with one resource, './empty.yaml' has 0"],
  [
    'configRef: {kind: ConfigMap, name: seters}',
    { 'a.yaml': configMapWith('setters') },
    "`configRef` must name one resource of the package, has no ConfigMap 'seters'; did you mean 'setters'?",
  ],
  ['configRef: {kind: Secret, name: a}', { 'a.yaml': A }, "`configRef` must name one resource of the package, has no Secret 'a'"],
  [
    'configRef: {kind: ConfigMap, name: a}',
    { 'sub/Kptfile': kptfileWith(), 'sub/a.yaml': A },
    "`configRef` must name one resource of the package, has no ConfigMap 'a'",
  ],
  [
    'configRef: {kind: ConfigMap, name: a}',
    { 'a.yaml': A, 'b.yaml': configMapWith('a', '  namespace: n') },
    '`configRef` must name one resource of the package, names 2: a.yaml (no namespace), b.yaml (namespace n)',
  ],
])('a function with %s and the files %j is refused', (config, files: Readonly<Record<string, string>>, message) => {
  expect(faultOf(`{exec: x, ${config}}`, files)).toEqual([[message, 'function-config-path', config.split(':')[0]]])
})

test('a configRef with a namespace names one of two resources', () => {
  const files = { 'a.yaml': A, 'b.yaml': configMapWith('a', '  namespace: n') }
  expect(inputOf('{exec: x, configRef: {kind: ConfigMap, name: a, namespace: n}}', files).config()).toMatchObject({
    metadata: { namespace: 'n' },
  })
})

test('a condition sees the values of the selected resources, with the annotations of their places', () => {
  expect(inputOf('{exec: x, selectors: [{name: a}]}', { 'a.yaml': A, 'b.yaml': configMapWith('b') }).resources()).toMatchObject([
    { metadata: { name: 'a', annotations: { 'config.kubernetes.io/path': 'a.yaml', 'config.kubernetes.io/index': '0' } } },
  ])
})

test.each([
  ['usual resources', '{exec: x}', { 'a.yaml': A }, true],
  ['a configMap', '{exec: x, configMap: {a: b}}', { 'a.yaml': A }, true],
  ['a config that is an item', '{exec: x, configPath: a.yaml}', { 'a.yaml': A }, true],
  ['a config that is read from disk', '{exec: x, configPath: ./a.yaml}', { 'a.yaml': A }, false],
  ['a resource that mentions its place', '{exec: x}', { 'a.yaml': configMapWith('a', 'data: {k: config.kubernetes.io/path}') }, false],
  ['a resource that mentions an old id', '{exec: x}', { 'a.yaml': configMapWith('a', 'data: {k: config.k8s.io/id}') }, false],
  [
    'such a resource that is left out',
    '{exec: x, exclude: [{name: a}]}',
    { 'a.yaml': configMapWith('a', 'data: {k: config.k8s.io/id}') },
    true,
  ],
  ['a configMap that mentions a place', '{exec: x, configMap: {a: config.kubernetes.io/index}}', { 'a.yaml': A }, false],
  ['local config', '{exec: x}', { 'a.yaml': configMapWith('a', '  annotations: {config.kubernetes.io/local-config: "true"}') }, true],
])(
  'with %s a function edits the documents themselves, or gets the text of a list',
  (_what, fn, files: Readonly<Record<string, string>>, edits) => {
    const input = inputOf(fn, files)
    const list = input.documents()
    expect(list !== undefined).toBe(edits)
    if (list !== undefined) expect(list.items).toEqual(input.selected.map(({ object }) => object))
  },
)
