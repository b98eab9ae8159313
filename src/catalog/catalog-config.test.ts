import { expect, test } from 'vitest'
import { RegularExpressionError } from '../cel/regular-expression.ts'
import type { FieldPath } from '../field-path.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { FunctionError } from '../result.ts'
import { additionalFields } from './additional-fields.ts'
import {
  type ConfigKinds,
  catalogConfig,
  configExpression,
  knownPairs,
  optionalText,
  requiredPairs,
  requiredText,
  textPairs,
  withExpression,
} from './catalog-config.ts'
import { renamedFields } from './kustomize-fields.ts'

/** Returns what a reader of a functionConfig returns, or the messages of its errors. */
function read<T>(text: string, reader: (config: KrmObject) => T): T | readonly string[] {
  try {
    return reader(KrmObject.fromDocument(text))
  } catch (error) {
    if (error instanceof FunctionError) return error.results.map(({ message }) => message)
    throw error
  }
}

const OWN = { kinds: ['SetTill'] }

test.each<[string, string, ConfigKinds, string | readonly string[]]>([
  ['a ConfigMap', 'apiVersion: v1\nkind: ConfigMap\n', OWN, 'ConfigMap'],
  ['a ConfigMap of any apiVersion', 'apiVersion: v7\nkind: ConfigMap\n', OWN, 'ConfigMap'],
  [
    'a ConfigMap of another apiVersion, where v1 is asked for',
    'apiVersion: v7\nkind: ConfigMap\n',
    { ...OWN, hasExactConfigMap: true },
    ["`apiVersion` must be 'v1' for a ConfigMap, got 'v7'"],
  ],
  ['a ConfigMap of v1, where v1 is asked for', 'apiVersion: v1\nkind: ConfigMap\n', { ...OWN, hasExactConfigMap: true }, 'ConfigMap'],
  [
    'a ConfigMap where only the own kind is read',
    'apiVersion: v1\nkind: ConfigMap\n',
    { ...OWN, takesConfigMap: false },
    ["`kind` must be 'SetTill', got 'ConfigMap'"],
  ],
  ['the own kind', 'apiVersion: fn.kpt.dev/v1alpha1\nkind: SetTill\n', OWN, 'SetTill'],
  [
    'the own kind, with ConfigMaps of v1',
    'apiVersion: fn.kpt.dev/v1alpha1\nkind: SetTill\n',
    { ...OWN, hasExactConfigMap: true },
    'SetTill',
  ],
  ['the own kind of another API', 'apiVersion: v1\nkind: SetTill\n', OWN, ["`apiVersion` must be 'fn.kpt.dev/v1alpha1', got 'v1'"]],
  [
    'the own kind of an API that is the own one, too',
    'apiVersion: v2\nkind: SetTill\n',
    { ...OWN, isOwnApi: (api) => api === 'v2' },
    'SetTill',
  ],
  ['another kind', 'apiVersion: fn.kpt.dev/v1alpha1\nkind: Other\n', OWN, ["`kind` must be one of 'ConfigMap', 'SetTill', got 'Other'"]],
])('a functionConfig that is %s', (_what, text, kinds, expected) => {
  expect(read(text, (config) => catalogConfig(ResourceList.of([], config), kinds).kind)).toEqual(expected)
})

test('without a functionConfig the kinds are named that the function reads', () => {
  expect(() => catalogConfig(ResourceList.of([]), OWN)).toThrow("of kind 'ConfigMap', 'SetTill'")
  expect(() => catalogConfig(ResourceList.of([]), { ...OWN, takesConfigMap: false })).toThrow("of kind 'SetTill':")
})

test('a functionConfig has at most two million characters', () => {
  const sized = (length: number) => {
    const head = 'kind: ConfigMap\ndata: {a: "'
    return `${head}${'x'.repeat(length - head.length - 3)}"}\n`
  }
  const kindOf = (text: string) => read(text, (config) => catalogConfig(ResourceList.of([], config), OWN).kind)
  expect(kindOf(sized(2_000_000))).toBe('ConfigMap')
  expect(kindOf(sized(2_000_001))).toEqual(['a functionConfig must have at most 2000000 characters, got 2000001'])
})

const FIELDS = `kind: C
top: t
data:
  text: x
  empty: ''
  none: ~
  number: 5
  map: {}
list: []
`

test.each<[FieldPath, string | readonly string[], string | readonly string[]]>([
  // [path, as a required text, as an optional text]
  [['top'], 't', 't'],
  [['data', 'text'], 'x', 'x'],
  [['data', 'empty'], ['`data.empty` must be set'], ''],
  [['data', 'none'], ['`data.none` must be a string, got null'], ''],
  [['data', 'number'], ['`data.number` must be a string, got the number 5'], ['`data.number` must be a string, got the number 5']],
  [['data', 'map'], [expect.stringContaining('`data.map` must be a string')], [expect.stringContaining('`data.map` must be a string')]],
  [['data', 'missing'], ['`data.missing` must be set'], ''],
  [['nope'], ['`nope` must be set'], ''],
  [['nope', 'text'], ['`nope.text` must be set'], ''],
  [['list', 'text'], [expect.stringContaining('`list` must be a map')], ''],
])('the field %j, required and optional', (path, required, optional) => {
  expect(read(FIELDS, (config) => requiredText(config, path))).toEqual(required)
  expect(read(FIELDS, (config) => optionalText(config, path))).toEqual(optional)
})

const pairs = (text: string, scalars: boolean) =>
  read(text, (config) => Object.entries(Object.fromEntries(textPairs(config, ['data'], scalars))))

test('the pairs of a functionConfig are sorted, with the spelling of numbers where scalars count', () => {
  expect(pairs('data: {b: 0644, a: "1", c: ~}\n', true)).toEqual([
    ['a', '1'],
    ['b', '0644'],
    ['c', ''],
  ])
  expect(pairs('data: {b: x, c: ~}\n', false)).toEqual([
    ['b', 'x'],
    ['c', ''],
  ])
  expect(pairs('kind: C\n', true)).toEqual([])
})

test('each pair that has no text is a fault, and so is a key that is there twice', () => {
  expect(pairs('data: {a: [], b: 1, c: {}}\n', true)).toEqual([
    expect.stringContaining('`data.a` must be a string'),
    expect.stringContaining('`data.c` must be a string'),
  ])
  expect(pairs('data: {a: [], b: 1, c: true, d: x}\n', false)).toEqual([
    expect.stringContaining('`data.a` must be a string'),
    '`data.b` must be a string, got the number 1',
    '`data.c` must be a string, got the boolean true',
  ])
  expect(pairs('data: [a]\n', true)).toEqual([expect.stringContaining('`data` must be a map')])
  expect(pairs('data:\n  a: x\n  a: y\n', true)).toEqual([expect.stringContaining('a')])
})

test('a key that the function does not know is a fault, with the nearest key that it knows', () => {
  const known = (text: string) => read(text, (config) => [...knownPairs(config, ['name', 'newTag']).keys()])
  expect(known('data: {name: a, newTag: b}\n')).toEqual(['name', 'newTag'])
  expect(known('data: {name: a, newTags: b, zzz: c}\n')).toEqual([
    "`data.newTags` is not an option of this function; its options are 'name', 'newTag'; did you mean 'newTag'?",
    "`data.zzz` is not an option of this function; its options are 'name', 'newTag'",
  ])
})

test.each([
  ['fields: [{path: a/b}]', [{ group: '', version: '', kind: '', path: 'a/b', create: false }]],
  ['fields: [{path: a, group: g, version: v, kind: k, create: true}]', [{ group: 'g', version: 'v', kind: 'k', path: 'a', create: true }]],
  ['fields: []', []],
  ['other: x', []],
  ['fields: {path: a}', [expect.stringContaining('`fields` must be a list')]],
  ['fields: [a]', [expect.stringContaining('`fields[0]` must be a map')]],
  ['fields: [{path: a, create: "true"}]', [expect.stringContaining('`fields[0].create` must be true or false')]],
  ['fields: [{path: a, kind: 5}]', ['`fields[0].kind` must be a string, got the number 5']],
  ['fields: [{path: a}, {kind: k}]', ['`fields[1].path` must be set']],
])('the additional fields of %s', (text, expected) => {
  expect(read(`kind: C\n${text}\n`, (config) => additionalFields(config, 'fields'))).toEqual(expected)
})

test.each([
  ['kind: C\nfields: [{path: a}]', ['a']],
  ['kind: C\nfieldSpecs: [{path: b}]', ['b']],
  ['kind: C\nfields: [{path: a}]\nfieldSpecs: [{path: b}]', ['`fieldSpecs` must not be set beside `fields`, of which it is the old name']],
  ['kind: ConfigMap\nfields: [{path: a}]', []],
  ['kind: ConfigMap\nfields: [{path: a}]\nfieldSpecs: [{path: b}]', []],
  ['kind: C', []],
])('fields under their new or old name: %j', (text, expected) => {
  expect(
    read(`${text}\n`, (config) => renamedFields(config, 'fields').map((each) => (typeof each === 'string' ? each : each.path))),
  ).toEqual(expected)
})

test.each([
  ['kind: ConfigMap\ndata: {a: 1}\nlabels: {b: x}', [['a', '1']]],
  ['kind: SetTill\nlabels: {b: 1}\ndata: {a: x}', [['b', '1']]],
  ['kind: ConfigMap\nlabels: {b: x}', ['`data` must name a label']],
  ['kind: SetTill\ndata: {a: x}', ['`labels` must name a label']],
  ['kind: SetTill\nlabels: {}', ['`labels` must name a label']],
  ['kind: SetTill\nlabels: {a: []}', [expect.stringContaining('`labels.a` must be a string')]],
])('the pairs that a functionConfig must have: %j', (text, expected) => {
  expect(read(`${text}\n`, (config) => [...requiredPairs(config, 'labels', 'must name a label')])).toEqual(expected)
})

test('a regular expression that cannot be read is an error at its field', () => {
  const at = (text: string) => read('kind: C\npattern: x\n', (config) => configExpression(config, ['pattern'], text).groups('cab'))
  expect(at('c([ab])')).toEqual(['a'])
  expect(at('(')).toEqual([expect.stringMatching(/^`pattern` .*\(/)])
})

test('an error that is not of a regular expression, or of one without a functionConfig, is thrown as it is', () => {
  const config = KrmObject.fromDocument('kind: C\npattern: x\n')
  const other = new Error('other')
  const fail = (error: Error) => () => {
    throw error
  }
  expect(() => withExpression(config, ['pattern'], fail(other))).toThrow(other)
  const broken = new RegularExpressionError('is broken')
  expect(() => withExpression(undefined, ['pattern'], fail(broken))).toThrow(broken)
  expect(() => withExpression(config, ['pattern'], fail(broken))).toThrow('`pattern` is broken')
  expect(withExpression(undefined, ['pattern'], () => 5)).toBe(5)
})

test.each([
  ['namspace: x', "must be set, found 'namspace' in its place"],
  ['namespaces: x', "must be set, found 'namespaces' in its place"],
  ['namespaceMatcher: x', 'must be set'],
  ["namespace: ''\n  namspace: x", 'must be set'],
  ['other: x', 'must be set'],
])('a required field that is missing beside %j', (data, message) => {
  expect(read(`kind: ConfigMap\ndata:\n  ${data}\n`, (config) => requiredText(config, ['data', 'namespace']))).toEqual([
    `\`data.namespace\` ${message}`,
  ])
})
