import { expect, test } from 'vitest'
import { formatFieldPath } from '../../field-path.ts'
import type { JsonRecord } from '../../json.ts'
import { type ArgoCluster, type GeneratorData, generatedParams } from './generators.ts'
import { TemplateFault } from './template-functions.ts'
import { FieldFault } from './template-text.ts'

const clusterOf = (name: string, labels: Readonly<Record<string, string>>, server = `https://${name}`): ArgoCluster => ({
  name,
  server,
  project: 'p',
  labels: new Map(Object.entries(labels)),
  annotations: new Map([['note', name]]),
})

const DATA: GeneratorData = {
  folder: 'repo',
  clusters: [clusterOf('Dev_1', { env: 'dev' }), clusterOf('prod', { env: 'prod', size: 'large' })],
  files: ['README.md', 'apps/web/a.yaml', 'apps/dns/a.yaml', 'apps/dns/sub/b.yaml', 'members/b/c.json', 'members/a/c.json'],
  objectsOf: (path) => {
    if (path.endsWith('.yaml')) throw new Error('is no map')
    return [{ cluster: { name: path, size: 3 }, tags: ['x', null] }]
  },
  refusedRepository: (url) => (url === 'https://git/a' ? undefined : 'must be another repository'),
  refusedRevision: (revision) => (revision === 'HEAD' ? undefined : 'must be another revision'),
}

const REPO = { repoURL: 'https://git/a', revision: 'HEAD' }
const FAST = { goTemplate: false, isStrict: true }
const GO = { goTemplate: true, isStrict: true }

const params = (generator: JsonRecord, dialect = FAST, data = DATA) => generatedParams(generator, ['g'], dialect, data)

/** Returns the fault of a generator with its path. */
function faultOf(generator: JsonRecord, dialect = FAST, data = DATA): string {
  try {
    return JSON.stringify(params(generator, dialect, data))
  } catch (error) {
    if (error instanceof FieldFault) return `${formatFieldPath(error.path)} ${error.message}`
    if (error instanceof TemplateFault) return error.message
    throw error
  }
}

test.each<[string, JsonRecord, string]>([
  ['none', {}, 'g must be a generator: list, clusters, git, matrix or merge'],
  ['one that every record has', { toString: {} }, 'g must be a generator: list, clusters, git, matrix or merge'],
  ['two', { list: {}, git: {} }, 'g must be one generator, got list and git: give each an entry of its own'],
  ['a list without elements', { list: {} }, 'g.list.elements must be a list'],
  ['an element that is no map', { list: { elements: [{}, 'x'] } }, 'g.list.elements[1] must be a map'],
  [
    'elements of a text with a word of YAML 1.1',
    { list: { elementsYaml: '- a: no' } },
    "g.list.elementsYaml must be YAML, has a plain 'no' in line 1, column 6, which Argo CD reads as YAML 1.1 does: quote it",
  ],
  ['elements of a text that is no list', { list: { elementsYaml: 'a: b' } }, 'g.list.elementsYaml must be a list of maps'],
  ['elements of a text that are no maps', { list: { elementsYaml: '[a]' } }, 'g.list.elementsYaml must be a list of maps'],
  ['a number', { list: { elements: [{ n: 3 }] } }, 'g.list.elements[0].n must be a text without goTemplate, got 3'],
  [
    'an inner number',
    { list: { elements: [{ values: { n: 3 } }] } },
    'g.list.elements[0].values.n must be a text without goTemplate, got 3',
  ],
  ['a matrix of one', { matrix: { generators: [{}] } }, 'g.matrix.generators must be two generators, got 1'],
  ['a matrix of three', { matrix: { generators: [{}, {}, {}] } }, 'g.matrix.generators must be two generators, got 3'],
  [
    'a fault in a matrix',
    { matrix: { generators: [{ list: { elements: [{ a: 'x' }] } }, {}] } },
    'g.matrix.generators[1] must be a generator: list, clusters, git, matrix or merge',
  ],
  [
    'a merge of one',
    { merge: { mergeKeys: [], generators: [{ list: { elements: [] } }] } },
    'g.merge.generators must be two generators or more, got 1',
  ],
  [
    'a merge by no key',
    { merge: { mergeKeys: [], generators: [{ list: { elements: [] } }, { list: { elements: [] } }] } },
    'g.merge.mergeKeys must name the parameters by which the records are merged, got none',
  ],
  ['a merge without keys', { merge: { generators: [] } }, 'g.merge.mergeKeys must be a list'],
  ['another repository', { git: { ...REPO, repoURL: 'x', directories: [] } }, 'g.git.repoURL must be another repository'],
  ['another revision', { git: { ...REPO, revision: 'x', directories: [] } }, 'g.git.revision must be another revision'],
  ['neither folders nor files', { git: REPO }, 'g.git must have `directories` or `files`, got neither'],
  [
    'folders that are not there',
    { git: { ...REPO, directories: [{ path: 'x' }] } },
    "g.git.directories must match something of 'https://git/a' in 'repo', got no folder; --repo names its checkout",
  ],
  [
    'files that are not there',
    { git: { ...REPO, files: [{ path: 'x' }] } },
    "g.git.files must match something of 'https://git/a' in 'repo', got no file; --repo names its checkout",
  ],
  [
    'files that each glob finds otherwise',
    { git: { ...REPO, files: [{ path: 'apps/web/a.yaml' }, { path: 'apps/*.yaml' }] } },
    'g.git.files[1].path must match the same files with both globs of Argo CD, got 3 with the old one and 0 with the new one',
  ],
  [
    'a file that is no map',
    { git: { ...REPO, files: [{ path: 'apps/web/a.yaml' }] } },
    "g.git.files must name files with a map or a list of maps, 'apps/web/a.yaml' is no map",
  ],
])('a generator is refused: %s', (_, generator, message) => {
  expect(faultOf(generator)).toBe(message)
})

test('a list gives the elements of its text behind its others, in a matrix with the parameters of the first generator', () => {
  const list = { list: { elements: [{ a: 'x' }], elementsYaml: '- a: w\n- {a: z, b: [1]}\n' } }
  expect(params(list, GO)).toEqual([{ a: 'x' }, { a: 'w' }, { a: 'z', b: [1] }])
  const loop = { list: { elementsYaml: '{{ range .of }}\n- a: {{ . }}{{ end }}' } }
  const matrix = { matrix: { generators: [{ list: { elements: [{ of: ['p', 'q'] }] } }, loop] } }
  expect(params(matrix, GO)).toEqual([
    { of: ['p', 'q'], a: 'p' },
    { of: ['p', 'q'], a: 'q' },
  ])
})

test('a list gives its elements, without goTemplate with the names of inner values', () => {
  const list = { list: { elements: [{ a: 'x', values: { b: 'y', c: 'z' } }, { a: '' }] } }
  expect(params(list)).toEqual([{ a: 'x', 'values.b': 'y', 'values.c': 'z' }, { a: '' }])
  expect(params(list, GO)).toEqual([{ a: 'x', values: { b: 'y', c: 'z' } }, { a: '' }])
})

const DEV = { name: 'Dev_1', nameNormalized: 'dev-1', server: 'https://Dev_1', project: 'p' }
const PROD = { name: 'prod', nameNormalized: 'prod', server: 'https://prod', project: 'p' }
const LOCAL = { name: 'in-cluster', nameNormalized: 'in-cluster', server: 'https://kubernetes.default.svc', project: '' }

test('clusters give their names and labels, and the local cluster comes first', () => {
  expect(params({ clusters: {} })).toEqual([
    LOCAL,
    { ...DEV, 'metadata.labels.env': 'dev', 'metadata.annotations.note': 'Dev_1' },
    { ...PROD, 'metadata.labels.env': 'prod', 'metadata.labels.size': 'large', 'metadata.annotations.note': 'prod' },
  ])
  expect(params({ clusters: {} }, GO)).toEqual([
    { ...LOCAL, metadata: {} },
    { ...DEV, metadata: { labels: { env: 'dev' }, annotations: { note: 'Dev_1' } } },
    { ...PROD, metadata: { labels: { env: 'prod', size: 'large' }, annotations: { note: 'prod' } } },
  ])
})

const names = (generator: JsonRecord, data = DATA) => params(generator, FAST, data).map(({ name }) => name)

test('the local cluster is not given twice, and never to a selector', () => {
  const data = { ...DATA, clusters: [...DATA.clusters, clusterOf('hub', { env: 'prod' }, 'https://kubernetes.default.svc')] }
  expect(names({ clusters: {} }, data)).toEqual(['Dev_1', 'prod', 'hub'])
  expect(names({ clusters: { selector: { matchLabels: { env: 'prod' } } } }, data)).toEqual(['prod', 'hub'])
  expect(names({ clusters: { selector: { matchExpressions: [{ key: 'none', operator: 'DoesNotExist' }] } } })).toEqual(['Dev_1', 'prod'])
})

test('without any cluster, the local one is left, and a selector is refused', () => {
  const none = { ...DATA, clusters: [] }
  expect(names({ clusters: {} }, none)).toEqual(['in-cluster'])
  expect(faultOf({ clusters: { selector: { matchLabels: { a: 'b' } } } }, FAST, none)).toBe(
    "g.clusters must match clusters, and 'repo' has no Secret with the label 'argocd.argoproj.io/secret-type: cluster'",
  )
  expect(params({ clusters: { selector: { matchLabels: { env: 'none' } } } })).toEqual([])
})

test.each<[string, JsonRecord, string]>([
  ['no key of a label', { key: 'a b', operator: 'Exists' }, "key must be the key of a label, got 'a b'"],
  ['no operator', { key: 'a', operator: 'Gt' }, 'operator must be one of In, NotIn, Exists, DoesNotExist'],
  ['In without values', { key: 'a', operator: 'In', values: [] }, 'values must have a value with the operator In'],
  ['NotIn without values', { key: 'a', operator: 'NotIn' }, 'values must have a value with the operator NotIn'],
  ['Exists with values', { key: 'a', operator: 'Exists', values: ['x'] }, 'values must have no values with the operator Exists'],
  [
    'DoesNotExist with values',
    { key: 'a', operator: 'DoesNotExist', values: ['x'] },
    'values must have no values with the operator DoesNotExist',
  ],
])('a requirement of a selector is refused: %s', (_, requirement, message) => {
  const matchExpressions = [{ key: 'env', operator: 'Exists' }, requirement]
  expect(faultOf({ clusters: { selector: { matchExpressions } } })).toBe(`g.clusters.selector.matchExpressions[1].${message}`)
  expect(faultOf({ clusters: {}, selector: { matchExpressions } })).toBe(`g.selector.matchExpressions[1].${message}`)
})

test('folders are sorted, those at every depth count, and excluded ones do not', () => {
  const paths = (...directories: readonly JsonRecord[]) => params({ git: { ...REPO, directories } }).map(({ path }) => path)
  expect(paths({ path: '*' })).toEqual(['apps', 'members'])
  expect(paths({ path: 'apps/*' })).toEqual(['apps/dns', 'apps/web'])
  expect(paths({ path: 'apps/*/*' }, { path: 'members' })).toEqual(['apps/dns/sub', 'members'])
  expect(paths({ path: 'apps/dns', exclude: true }, { path: 'apps/*' })).toEqual(['apps/web'])
})

test('a folder gives the parts of its path, with a prefix if there is one', () => {
  const git = { ...REPO, directories: [{ path: 'apps/web' }] }
  const own = { path: 'apps/web', basename: 'web', basenameNormalized: 'web', segments: ['apps', 'web'] }
  const flat = (name: string) => ({
    [name]: 'apps/web',
    [`${name}.basename`]: 'web',
    [`${name}.basenameNormalized`]: 'web',
    [`${name}[0]`]: 'apps',
    [`${name}[1]`]: 'web',
  })
  expect(params({ git })).toEqual([flat('path')])
  expect(params({ git: { ...git, pathParamPrefix: 'my' } })).toEqual([flat('my.path')])
  expect(params({ git }, GO)).toEqual([{ path: own }])
  expect(params({ git: { ...git, pathParamPrefix: 'my' } }, GO)).toEqual([{ my: { path: own } }])
})

test('files give their content and the parts of their path, and excluded ones do not', () => {
  const files = [{ path: 'members/b/*', exclude: true }, { path: 'members/*/c.json' }, { path: 'members/a/c.json' }]
  const path = {
    path: 'members/a',
    basename: 'a',
    basenameNormalized: 'a',
    filename: 'c.json',
    filenameNormalized: 'c.json',
    segments: ['members', 'a'],
  }
  expect(params({ git: { ...REPO, files } }, GO)).toEqual([{ cluster: { name: 'members/a/c.json', size: 3 }, tags: ['x', null], path }])
  expect(params({ git: { ...REPO, files } })).toEqual([
    {
      'cluster.name': 'members/a/c.json',
      'cluster.size': '3',
      'tags.0': 'x',
      'tags.1': 'null',
      path: 'members/a',
      'path.basename': 'a',
      'path.basenameNormalized': 'a',
      'path.filename': 'c.json',
      'path.filenameNormalized': 'c.json',
      'path[0]': 'members',
      'path[1]': 'a',
    },
  ])
  const root = params({ git: { ...REPO, files: [{ path: '*.md' }] } }, FAST, { ...DATA, files: ['README.md'], objectsOf: () => [{}] })
  expect(root).toEqual([
    expect.objectContaining({ path: '.', 'path.filename': 'README.md', 'path.filenameNormalized': 'readme.md', 'path[0]': '.' }),
  ])
})

test('a number of a file that Go writes with an exponent is refused', () => {
  const data = (size: number) => ({ ...DATA, objectsOf: () => [{ size }] })
  const git = { git: { ...REPO, files: [{ path: 'members/a/c.json' }] } }
  expect(faultOf(git, FAST, data(1e6))).toBe('must use texts for numbers that Go writes with an exponent, got 1000000')
  expect(params(git, FAST, data(999_999))).toEqual([expect.objectContaining({ size: '999999' })])
})

test('the values of a generator may name its other parameters, and replace those of a file', () => {
  const git = { ...REPO, files: [{ path: 'members/a/c.json' }], values: { own: '{{path.basename}}' } }
  expect(params({ git })).toEqual([expect.objectContaining({ 'values.own': 'a' })])
  const data = { ...DATA, objectsOf: () => [{ values: { file: 'x' } }] }
  expect(params({ git: { ...git, values: { own: '{{.path.basename}}' } } }, GO, data)).toEqual([
    expect.objectContaining({ values: { own: 'a' } }),
  ])
  expect(params({ git: { ...git, values: {} } }, GO, data)).toEqual([expect.objectContaining({ values: { file: 'x' } })])
  expect(faultOf({ git: { ...git, values: { own: '{{none}}' } } })).toContain('g.git.values.own must name a parameter')
})

const listOf = (...elements: readonly JsonRecord[]) => ({ list: { elements } })

test('a matrix pairs each record with each, and refuses two values of one parameter without goTemplate', () => {
  const matrix = (second: JsonRecord) => ({ matrix: { generators: [listOf({ a: '1' }, { a: '2' }), second] } })
  expect(params(matrix(listOf({ b: 'x' }, { b: '{{a}}' })))).toEqual([
    { a: '1', b: 'x' },
    { a: '1', b: '1' },
    { a: '2', b: 'x' },
    { a: '2', b: '2' },
  ])
  expect(faultOf(matrix(listOf({ a: '1' })))).toBe(
    "g.matrix.generators[1] must not give the parameter 'a' another value than the first generator does",
  )
  expect(params(matrix(listOf({ a: '9', b: 'x' })), GO)).toEqual([
    { a: '1', b: 'x' },
    { a: '2', b: 'x' },
  ])
})

test('a merge changes the records of the first generator by those with the same values of the keys', () => {
  const merge = (...generators: readonly JsonRecord[]) => ({ merge: { mergeKeys: ['k', 'l'], generators } })
  const first = listOf({ k: '1', l: 'x', v: 'a' }, { k: '2', l: 'x', v: 'b' }, { k: '3', v: 'c' })
  const second = listOf({ k: '1', l: 'x', v: 'A' }, { k: '2', l: 'y', v: 'B' }, { k: '3', v: '', w: 'new' }, { k: '4', l: 'x' })
  const expected = [
    { k: '1', l: 'x', v: 'A' },
    { k: '2', l: 'x', v: 'b' },
    { k: '3', v: '', w: 'new' },
  ]
  expect(params(merge(first, second))).toEqual(expected)
  expect(params(merge(first, second), GO)).toEqual(expected)
  expect(params(merge(first, second, listOf({ k: '1', l: 'x', v: 'Z' })))[0]).toEqual({ k: '1', l: 'x', v: 'Z' })
  expect(faultOf(merge(first, listOf({ k: '1' }, { k: '2' }, { k: '1' })))).toBe(
    'g.merge.generators[1] must give each value of the merge keys k, l once, got ["1",null] twice',
  )
})

test('merge keys above 2^53 are compared as the floats that Argo CD reads', () => {
  const merge = (k: bigint) => ({ merge: { mergeKeys: ['k'], generators: [listOf({ k: 2n ** 53n, v: 'a' }), listOf({ k, v: 'b' })] } })
  expect(params(merge(2n ** 53n + 1n), GO).map(({ v }) => v)).toEqual(['b'])
  expect(params(merge(2n ** 53n + 2n), GO).map(({ v }) => v)).toEqual(['a'])
})

test('a parameter of a file by a key with dots and by an inner map is refused, since Argo CD takes either', () => {
  const data = (twice: JsonRecord) => ({ ...DATA, files: ['a.json'], objectsOf: () => [twice] })
  const files = { git: { ...REPO, files: [{ path: 'a.json' }] } }
  expect(() => params(files, FAST, data({ 'a.b': 'x', a: { b: 'y' } }))).toThrow("must give the parameter 'a.b' once")
  expect(params(files, FAST, data({ 'a.b': 'x', a: { b: 'x' } }))[0]).toMatchObject({ 'a.b': 'x' })
})

test('inner maps are merged with goTemplate, those of texts only with texts', () => {
  const merge = (...generators: readonly JsonRecord[]) => ({ merge: { mergeKeys: ['name'], generators } })
  const own = listOf({ name: 'prod', values: { a: 'x', deep: { b: 1, c: 2 } } })
  expect(params(merge(own, listOf({ name: 'prod', values: { deep: { c: 3 } } })), GO)).toEqual([
    { name: 'prod', values: { a: 'x', deep: { b: 1, c: 3 } } },
  ])
  const clusters = { clusters: { values: { a: 'y' } } }
  expect(params(merge(own, clusters), GO)[0]).toMatchObject({ values: { a: 'y', deep: { b: 1, c: 2 } } })
  expect(faultOf(merge(clusters, own), GO)).toContain(
    "must not put the map 'values' of a list or file over that of a clusters or git generator",
  )
  expect(params(merge(clusters, listOf({ name: 'prod', values: {} })), GO)[2]).toMatchObject({ values: { a: 'y' } })
})

test.each<[string, JsonRecord, readonly string[]]>([
  ['a text', { matchLabels: { c: 'a' } }, ['a']],
  ['a number', { matchLabels: { n: '2' } }, ['b']],
  ['an inner field', { matchLabels: { 'm.d': 'y' } }, ['b']],
  ['an item', { matchLabels: { 'l.1': 'z' } }, ['b']],
  ['null', { matchLabels: { e: '<nil>' } }, ['a']],
  ['a key that is there', { matchExpressions: [{ key: 'e', operator: 'Exists' }] }, ['a']],
  ['a map that has fields', { matchExpressions: [{ key: 'm', operator: 'Exists' }] }, []],
  ['two of them', { matchLabels: { c: 'a' }, matchExpressions: [{ key: 'n', operator: 'In', values: ['2'] }] }, []],
])('the selector of a generator chooses by its parameters: %s', (_, selector, expected) => {
  const list = listOf({ c: 'a', n: 1, m: { d: 'x' }, l: ['y'], e: null }, { c: 'b', n: 2, m: { d: 'y' }, l: ['y', 'z'] })
  expect(params({ ...list, selector }, GO).map(({ c }) => c)).toEqual(expected)
})

test('the selector of a generator reads a map of texts, and the parts of a path, as one text', () => {
  const byLabels = { matchExpressions: [{ key: 'metadata.labels', operator: 'In', values: ['map[env:prod size:large]'] }] }
  expect(params({ clusters: {}, selector: byLabels }, GO).map(({ name }) => name)).toEqual(['prod'])
  const byParts = { matchExpressions: [{ key: 'path.segments', operator: 'In', values: ['[apps web]'] }] }
  const git = { ...REPO, directories: [{ path: 'apps/*' }] }
  expect(params({ git, selector: byParts }, GO)).toEqual([expect.objectContaining({ path: expect.objectContaining({ path: 'apps/web' }) })])
})
