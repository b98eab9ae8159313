import { expect, test } from 'vitest'
import { formatFieldPath } from '../field-path.ts'
import { parse } from './parse/parse.ts'
import { comparisonsOf, fieldValue, pathsIn, readsOf, requiredTexts } from './reads.ts'
import { celValue, prepareVariables } from './variables.ts'

const VARIABLES = prepareVariables(
  new Map<string, string | { readonly name: string; readonly labels: Readonly<Record<string, string>> }>([
    ['repoDefault', 'edge-07'],
    ['target', { name: 'ham-01', labels: { region: 'north', 'a.b/c': 'd' } }],
  ]),
)

function reads(expression: string): readonly string[] {
  return readsOf(expression, VARIABLES).map(({ path, value }) => `${formatFieldPath(path)} ${JSON.stringify(value)}`)
}

test.each([
  { expression: "'fixed'", read: [] },
  { expression: "repoDefault + '-' + target.name", read: ['repoDefault "edge-07"', 'target.name "ham-01"'] },
  { expression: 'target.name + target.name', read: ['target.name "ham-01"'] },
  { expression: "target.labels['a.b/c']", read: ['target.labels["a.b/c"] "d"'] },
  { expression: "has(target.labels.zone) ? target.labels.zone : 'none'", read: ['target.labels.zone undefined'] },
  { expression: 'target.labels[repoDefault]', read: ['target.labels {"a.b/c":"d","region":"north"}', 'repoDefault "edge-07"'] },
  {
    expression: "target.labels.exists(k, k == target.name) ? 'a' : 'b'",
    read: ['target.labels {"a.b/c":"d","region":"north"}', 'target.name "ham-01"'],
  },
  { expression: "['a'].map(target, target + repoDefault)[0]", read: ['repoDefault "edge-07"'] },
  { expression: 'string(type(target.name) == string)', read: ['target.name "ham-01"'] },
])('$expression reads $read', ({ expression, read }) => {
  expect(reads(expression)).toEqual(read)
})

test.each([
  { condition: "item.kind == 'Region'", required: { kind: 'Region' } },
  { condition: "'Region' == item.kind && item.open", required: { kind: 'Region' } },
  { condition: "item['kind'] == 'Region' && (true && item.apiVersion == 'v1')", required: { kind: 'Region', apiVersion: 'v1' } },
  { condition: "item.kind == 'Region' || item.open", required: {} },
  { condition: "!(item.kind == 'Region')", required: {} },
  { condition: "item.metadata.name == 'a' && other.kind == 'b' && item.kind == item.name", required: {} },
  { condition: 'item.kind == ', required: {} },
])('$condition requires $required', ({ condition, required }) => {
  expect(Object.fromEntries(requiredTexts(condition, 'item'))).toEqual(required)
})

test.each([
  { expression: "item.ring == 'canary'", found: ['ring canary'] },
  { expression: "'canary' == item.ring", found: ['ring canary'] },
  { expression: "item['ring'] == 'canary'", found: ['ring canary'] },
  { expression: "item.kind in ['Service', 'Ingress']", found: ['kind Service Ingress'] },
  { expression: "item.kind in [item.other, 'Ingress', 1]", found: ['kind Ingress'] },
  { expression: "!(item.a == 'x') || item.b.c == 'y' && (item.d == 'z') == true", found: ['a x', 'b.c y', 'd z'] },
  { expression: "'Service' in item.kinds", found: [] },
  { expression: "item == 'x'", found: [] },
  { expression: "other.ring == 'x'", found: [] },
  { expression: "item.a != 'x'", found: [] },
  { expression: 'item.a == item.b', found: [] },
  { expression: 'item.n == 1', found: [] },
  { expression: 'item.n in []', found: [] },
  { expression: "item.a == 'x' &&", found: [] },
])('$expression compares $found with texts', ({ expression, found }) => {
  const comparisons = comparisonsOf(expression, 'item')
  expect(comparisons.map(({ path, texts }) => `${path.join('.')} ${texts.join(' ')}`)).toEqual(found)
})

test.each([
  { expression: 'a.b + a.b', own: [], paths: ['a.b', 'a.b'] },
  { expression: 'a.b + c.d', own: ['a'], paths: ['c.d'] },
  { expression: 'a.list.map(a, a.b + c)', own: [], paths: ['a.list', 'c'] },
  { expression: "a['b'].c + a[b].c", own: [], paths: ['a.b.c', 'a', 'b'] },
  { expression: 'a.?b.optMap(v, v.x + c)', own: [], paths: ['a', 'c'] },
  { expression: 'a.b.optMap(a, a.x + c)', own: [], paths: ['a.b', 'c'] },
  { expression: 'a.all(k, v, k + v == d)', own: [], paths: ['a', 'd'] },
])('$expression goes the ways $paths from variables, where $own are names of loops', ({ expression, own, paths }) => {
  expect(pathsIn(parse(expression, true), new Set(own)).map(formatFieldPath)).toEqual(paths)
})

test.each([
  { path: ['a', 'b'], value: 'x' },
  { path: ['a'], value: { b: 'x', n: null } },
  { path: ['a', 'n'], value: null },
  { path: [], value: { a: { b: 'x', n: null } } },
  { path: ['z'], value: undefined },
  { path: ['a', 'z', 'b'], value: undefined },
  { path: ['a', 'b', 'length'], value: undefined },
])('the value at $path is $value', ({ path, value }) => {
  expect(fieldValue(celValue({ a: { b: 'x', n: null } }), path)).toEqual(value)
})
