import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kptfileText, writtenObject } from '../../testdata/written-objects.ts'
import { changePackageContext, contextAfter, isPackageContext } from './package-context.ts'
import { linesOf, writtenPackage } from './testing/written-package.ts'

const before = new Map([
  ['name', 'upf'],
  ['zone', 'a'],
])

test.each([
  {
    reason: 'new keys follow sorted',
    data: [
      ['z', '1'],
      ['b', '2'],
    ],
    removeKeys: [],
    expected: ['name=upf', 'zone=a', 'b=2', 'z=1'],
  },
  { reason: 'a key that is there keeps its place', data: [['name', 'smf']], removeKeys: [], expected: ['name=smf', 'zone=a'] },
  { reason: 'an empty text replaces a value', data: [['name', '']], removeKeys: [], expected: ['name=', 'zone=a'] },
  { reason: 'a key that is not there is removed without complaint', data: [], removeKeys: ['x'], expected: ['name=upf', 'zone=a'] },
  { reason: 'set first, removed after (docs/porch.md 26)', data: [['zone', 'b']], removeKeys: ['zone'], expected: ['name=upf'] },
  { reason: 'a new key that is removed is not there', data: [['x', 'b']], removeKeys: ['x'], expected: ['name=upf', 'zone=a'] },
  {
    reason: 'names of Object.prototype are ordinary keys',
    data: [['constructor', '1']],
    removeKeys: [],
    expected: ['name=upf', 'zone=a', 'constructor=1'],
  },
] as const)('$reason', ({ data, removeKeys, expected }) => {
  const after = contextAfter(before, { data: new Map(data), removeKeys })
  expect([...after].map(([key, value]) => `${key}=${value}`)).toEqual(expected)
})

test('a second change finds nothing to do', () => {
  const strings = fc.array(fc.tuple(fc.string(), fc.string()))
  fc.assert(
    fc.property(strings, strings, fc.array(fc.string()), (existing, data, removeKeys) => {
      const change = { data: new Map(data), removeKeys }
      const after = contextAfter(new Map(existing), change)
      expect([...contextAfter(after, change)]).toEqual([...after])
    }),
  )
})

test.each([
  ['v1', 'ConfigMap', 'kptfile.kpt.dev', true],
  ['example.com/v2', 'ConfigMap', 'kptfile.kpt.dev', true],
  ['v1', 'Secret', 'kptfile.kpt.dev', false],
  ['v1', 'ConfigMap', 'kpt.dev', false],
])('the object %s %s %s is a package context: %s', (apiVersion, kind, name, expected) => {
  expect(isPackageContext(writtenObject(`apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n`))).toBe(expected)
})

const KPTFILE = kptfileText('shop')
const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\n'
const CONFIG = 'apiVersion: v1\nkind: SetContext\nmetadata:\n  name: own\nspec:\n  data:\n    zone: b\n  removeKeys:\n  - zone\n'

interface Change {
  readonly data?: Readonly<Record<string, string>>
  readonly removeKeys?: readonly string[]
  readonly create?: boolean
}

/** Returns the texts of the package's contexts below their heads after a change of the config `own`, and the results as lines. */
function changed(contexts: Readonly<Record<string, string>>, { data = {}, removeKeys = [], create }: Change, folder = '') {
  const placed = Object.entries({ Kptfile: KPTFILE, ...contexts }).map(([file, text]) => [`${folder}${file}`, text] as const)
  const { list, pkg } = writtenPackage(Object.fromEntries(placed))
  const source = { object: writtenObject(CONFIG, 'own.yaml'), path: ['spec'] }
  const change = { data: new Map(Object.entries(data)), removeKeys, ...(create !== undefined && { create }), source }
  const lines = linesOf(() => changePackageContext(pkg, change))
  const texts = list.items.filter(isPackageContext).map((object) => `${object.file?.path}\n${object.toText().replace(HEAD, '')}`)
  return { texts, lines }
}

const FOUND = { 'c.yaml': `${HEAD}data: # ours\n  name: shop # first\n  zone: 1.30\n` }

test('only the lines of changed keys change, and the info counts the keys that come from the config', () => {
  expect(changed(FOUND, { data: { zone: 'b', area: 'x', name: 'shop' }, removeKeys: [] })).toEqual({
    texts: ['c.yaml\ndata: # ours\n  name: shop # first\n  zone: b\n  area: x\n'],
    lines: ['c.yaml: info: 3 of 3 keys of the package context come from SetContext own [set-context]'],
  })
  expect(changed(FOUND, { removeKeys: ['name'] })).toEqual({
    texts: ['c.yaml\ndata: # ours\n  zone: "1.30"\n'],
    lines: ['c.yaml: info: 0 of 1 keys of the package context come from SetContext own [set-context]'],
  })
})

test('a key that is set and removed is a warning, once, and does not count as a key from the config', () => {
  expect(changed(FOUND, { data: { zone: 'b', area: 'x' }, removeKeys: ['zone', 'name', 'zone'] }).lines).toEqual([
    "own.yaml:7:11: warning: `spec.data.zone` must not be in 'removeKeys' as well: keys are set first and removed after, so it is not there [context-key-removed]",
    'c.yaml: info: 1 of 1 keys of the package context come from SetContext own [set-context]',
  ])
})

test('a change without keys does not look for the package context', () => {
  const lines = ['Kptfile: info: no key of the package context comes from SetContext own [set-context]']
  expect(changed({}, {})).toEqual({ texts: [], lines })
  const twice = { 'a.yaml': HEAD, 'b.yaml': HEAD }
  expect(changed(twice, {}).lines).toEqual(lines)
})

test('a package context that is missing is refused with the keys, and the file in the folder of the Kptfile', () => {
  const refusal = (keys: string, file: string) =>
    `must find the ConfigMap 'kptfile.kpt.dev' in the package, to change ${keys} in; a clone puts it into '${file}': bring that file back, or make it with \`create: true\` in a SetContext [context-missing]`
  expect(changed({}, { data: { a: 'b', c: 'd' }, removeKeys: ['c', 'e'] })).toEqual({
    texts: [],
    lines: [`own.yaml:6:3: error: \`spec.data\` ${refusal("'a', 'c', 'e'", 'package-context.yaml')}`],
  })
  expect(changed({}, { removeKeys: ['a'], create: false }, 'apps/shop/').lines).toEqual([
    `own.yaml:8:3: error: \`spec.removeKeys\` ${refusal("'a'", 'apps/shop/package-context.yaml')}`,
  ])
})

test('a missing package context is made on request, as a clone has it, and one that is there is used', () => {
  const { texts, lines } = changed({}, { data: { zone: 'b' }, create: true }, 'shop/')
  const head = `${HEAD}  annotations:\n    config.kubernetes.io/local-config: "true"\n`
  expect(texts).toEqual([`shop/package-context.yaml\n${head.replace(HEAD, '')}data:\n  name: shop\n  package-path: shop\n  zone: b\n`])
  expect(lines).toEqual(['shop/package-context.yaml: info: 1 of 3 keys of the package context come from SetContext own [set-context]'])
  expect(changed({ 'c.yaml': `${HEAD}data: {}\n` }, { data: { zone: 'b' }, create: true }).texts).toEqual(['c.yaml\ndata:\n  zone: b\n'])
})

test('each second package context is refused with the places of all', () => {
  const contexts = { 'a.yaml': `${HEAD}data: {}\n`, 'b.yaml': `${HEAD}data: {}\n`, 'c.yaml': `${HEAD}data: {}\n` }
  const message =
    "error: `metadata.name` must be 'kptfile.kpt.dev' in one ConfigMap of a package, is so at a.yaml:1 and b.yaml:1 and c.yaml:1 [context-ambiguous]"
  expect(changed(contexts, { data: { a: 'b' } }).lines).toEqual([`b.yaml:4:9: ${message}`, `c.yaml:4:9: ${message}`])
})

test.each([
  { rule: 'data that is missing', data: '', lines: ['c.yaml:1:1: error: `data` must be a map, if only {}, got none [context-data]'] },
  { rule: 'data that is null', data: 'data:\n', lines: ['c.yaml:5:6: error: `data` must be a map, if only {}, got null [context-data]'] },
  {
    rule: 'data that is a list',
    data: 'data: [a]\n',
    lines: ['c.yaml:5:1: error: `data` must be a map, if only {}, got a list [context-data]'],
  },
  {
    rule: 'a value that is a map or a list',
    data: 'data:\n  a: {}\n  b: x\n  c: []\n',
    lines: [
      'c.yaml:6:3: error: `data.a` must be a string, got a map [context-data]',
      'c.yaml:8:3: error: `data.c` must be a string, got a list [context-data]',
    ],
  },
  {
    rule: 'a duplicate key of data',
    data: 'data:\n  a: x\n  a: y\nextra: {b: 1, b: 2}\n',
    lines: ['c.yaml:7:3: error: `data.a` must occur once in its map, but occurs in lines 6 and 7 [duplicate-key]'],
  },
])('$rule is refused, and the package context is unchanged', ({ data, lines }) => {
  const found = changed({ 'c.yaml': `${HEAD}${data}` }, { data: { zone: 'b' } })
  expect(found).toEqual({ texts: [`c.yaml\n${data}`], lines })
})

test('a scalar of another type stays as its text, and null becomes an empty text', () => {
  const { texts } = changed({ 'c.yaml': `${HEAD}data:\n  a: 1.30\n  b: true\n  c:\n` }, { data: { zone: 'b' } })
  expect(texts).toEqual(['c.yaml\ndata:\n  a: "1.30"\n  b: "true"\n  c: ""\n  zone: b\n'])
})
