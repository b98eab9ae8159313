import { expect, test } from 'vitest'
import type { JsonRecord, JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import type { ExplainedCall } from './explain-overlay.ts'
import { findSetters, setterText } from './find-setters.ts'
import { pairObjects } from './pair-objects.ts'

const base = (data: string, kind = 'ConfigMap', name = 'web') =>
  KrmObject.fromDocument(`apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${data}`)

/** Returns the values of the setters of each cluster, and the lines of the bases that have a setter. */
function settersOf(
  objects: readonly KrmObject[],
  clusters: Readonly<Record<string, readonly JsonRecord[]>>,
  calls: readonly ExplainedCall[] = [],
) {
  const bases = objects.map((object) => ({ object, head: '' }))
  const explained = Object.entries(clusters).map(([target, changes]) => {
    const overlays = objects.map((object, index) =>
      KrmObject.fromDocument(JSON.stringify({ ...(object.toJson() as JsonRecord), ...changes[index] })),
    )
    return { target, pairs: pairObjects(objects, overlays), calls }
  })
  const values = findSetters(bases, explained)
  const lines = objects.flatMap((object) =>
    object
      .toText()
      .split('\n')
      .filter((line) => line.includes('kpt-set')),
  )
  return [Object.fromEntries(values), lines.map((line) => line.trim())]
}

test('a value that clusters change is a setter, with the value of each cluster that has another one', () => {
  expect(settersOf([base('data:\n  host: a\n')], { prod: [{ data: { host: 'p' } }], dev: [{}] })).toEqual([
    { prod: { host: 'p' }, dev: {} },
    ['host: a # kpt-set: ${host}'],
  ])
})

test('two fields with one name and the same values share a setter, others have names of their own', () => {
  const objects = () => [base('data:\n  host: a\n'), base('data:\n  host: a\n', 'ConfigMap', 'api')]
  expect(settersOf(objects(), { prod: [{ data: { host: 'p' } }, { data: { host: 'p' } }] })[0]).toEqual({ prod: { host: 'p' } })
  expect(settersOf(objects(), { prod: [{ data: { host: 'p' } }, { data: { host: 'q' } }] })[0]).toEqual({
    prod: { host: 'p', 'api-host': 'q' },
  })
})

test('a list of texts is a setter as a whole', () => {
  const [values] = settersOf([base('spec:\n  args:\n    - a\n')], { prod: [{ spec: { args: ['b', 'c'] } }] })
  expect(values).toEqual({ prod: { args: '["b","c"]' } })
})

test.each([
  ['a number that becomes a text', 'data:\n  n: 1\n', { data: { n: 'one' } }],
  ['a text that becomes empty', 'data:\n  n: a\n', { data: { n: '' } }],
  ['a text of several lines', 'data:\n  n: a\n', { data: { n: 'a\nb' } }],
  ['a text that looks like a setter', 'data:\n  n: a\n', { data: { n: '${x}' } }],
  ['a list that becomes empty', 'spec:\n  args:\n    - a\n', { spec: { args: [] } }],
  ['a field at the top of the object', 'immutable: true\n', { immutable: false }],
  ['a field that the cluster lacks', 'data:\n  n: a\n', { data: {} }],
])('%s is no setter', (_what, text, change) => {
  expect(settersOf([base(text)], { prod: [change] })).toEqual([{ prod: {} }, []])
})

test('a value of a Secret is no setter, nor one of two objects of one name', () => {
  expect(settersOf([base('stringData:\n  key: a\n', 'Secret')], { prod: [{ stringData: { key: 'b' } }] })).toEqual([{ prod: {} }, []])
  const twins = [base('data:\n  host: a\n'), base('data:\n  host: a\n')]
  expect(settersOf(twins, { prod: [{ data: { host: 'p' } }, { data: { host: 'q' } }] })).toEqual([{ prod: {} }, []])
})

test('a value that is a setter already, keeps its comment', () => {
  const [values, lines] = settersOf([base('data:\n  host: a # kpt-set: ${mine}\n')], { prod: [{ data: { host: 'p' } }] })
  expect([values, lines]).toEqual([{ prod: {} }, ['host: a # kpt-set: ${mine}']])
})

test('a text that would be read as a number is put into quotes', () => {
  expect(settersOf([base('data:\n  version: v1\n')], { prod: [{ data: { version: '4.10' } }] })[0]).toEqual({ prod: { version: '4.10' } })
})

test('a value that a function of the cluster makes needs no setter', () => {
  const call: ExplainedCall = { fn: 'set-namespace', fixed: {}, values: { namespace: 'shop' } }
  const change = { metadata: { name: 'web', namespace: 'shop' } }
  expect(settersOf([base('data:\n  a: b\n')], { prod: [change] }, [call])).toEqual([{ prod: {} }, []])
})

test('a name that other functions use for their values is not the name of a setter', () => {
  expect(settersOf([base('data:\n  namespace: a\n')], { prod: [{ data: { namespace: 'p' } }] })[0]).toEqual({
    prod: { 'web-namespace': 'p' },
  })
})

test.each<readonly [JsonValue | undefined, JsonValue | undefined, string | undefined]>([
  ['a', 'b', 'b'],
  [1, 2, '2'],
  [true, false, 'false'],
  ['a', 1, undefined],
  ['a', undefined, undefined],
  [undefined, 'a', undefined],
  ['a', '', undefined],
  ['', 'a', 'a'],
  [null, null, undefined],
  [{ a: 1 }, { a: 2 }, undefined],
  ['a', 'b\nc', undefined],
  ['a\nb', 'c', undefined],
  ['a', '${b}', undefined],
  ['${a}', 'b', 'b'],
  [['a'], ['b', 'c'], '["b","c"]'],
  [['a'], [], undefined],
  [[], ['a'], undefined],
  [['a'], [1], undefined],
  [[1], ['a'], undefined],
  [['a'], 'a', undefined],
])('the setter that makes of %j the value %j gets the text %j', (from, to, text) => {
  expect(setterText(from, to)).toBe(text)
})

test('names of setters are those of the field, else with that of the object, else with the whole path', () => {
  const fields = 'spec:\n  a:\n    host: x\n  b:\n    host: x\n  c:\n    host: x\n'
  const change = { spec: { a: { host: '1' }, b: { host: '2' }, c: { host: '3' } } }
  expect(settersOf([base(fields)], { prod: [change] })[0]).toEqual({ prod: { host: '1', 'web-host': '2', 'web-spec-c-host': '3' } })
})

test.each(['namespace', 'prepend', 'append', 'label-x', 'annotation-x', 'image-x'])('the name %s is kept for other functions', (key) => {
  expect(settersOf([base(`data:\n  ${key}: a\n`)], { prod: [{ data: { [key]: 'p' } }] })[0]).toEqual({ prod: { [`web-${key}`]: 'p' } })
})

test('a label that all objects of a cluster have is no setter, of one object alone it is', () => {
  const labelled = (name: string) => base(`  labels:\n    env: dev\ndata: {}\n`, 'ConfigMap', name)
  const change = (name: string, env: string) => ({ metadata: { name, labels: { env } } })
  const of = (...changes: readonly JsonRecord[]) =>
    settersOf([labelled('web'), labelled('api')].slice(0, changes.length), { prod: changes })[0]
  expect(of(change('web', 'prod'), change('api', 'prod'))).toEqual({ prod: {} })
  expect(of(change('web', 'prod'), change('api', 'test'))).toEqual({ prod: { env: 'prod', 'api-env': 'test' } })
  expect(of(change('web', 'prod'))).toEqual({ prod: { env: 'prod' } })
})

test('a value of an entry of a list has the name of its key', () => {
  const text = 'spec:\n  list:\n    - name: a\n      port: 80\n'
  const [values, lines] = settersOf([base(text)], { prod: [{ spec: { list: [{ name: 'a', port: 81 }] } }] })
  expect([values, lines]).toEqual([{ prod: { port: '81' } }, ['port: 80 # kpt-set: ${port}']])
})

test('each cluster has the setters whose values differ from those of the base', () => {
  const [values] = settersOf([base('data:\n  a: x\n  b: x\n')], {
    dev: [{ data: { a: 'd', b: 'x' } }],
    prod: [{ data: { a: 'p', b: 'p' } }],
    test: [{}],
  })
  expect(values).toEqual({ dev: { a: 'd' }, prod: { a: 'p', b: 'p' }, test: {} })
})
