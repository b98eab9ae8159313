import { expect, test } from 'vitest'
import { mergeFile } from './merge-file.ts'

const json = (a: string, b: string, kind = 'ConfigMap', indent = 2) =>
  `${JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: 'x' }, data: { a, b } }, undefined, indent)}\n`

function merged(base: string, theirs: string, ours: string, path = 'app.json') {
  const { content, outcomes } = mergeFile(path, { base: Buffer.from(base), theirs: Buffer.from(theirs), ours: Buffer.from(ours) })
  return { text: Buffer.from(content instanceof Uint8Array ? content : []).toString(), results: outcomes.map(({ result }) => result) }
}

test('a JSON resource that people and upstream changed in different fields has both changes, as JSON', () => {
  expect(merged(json('1', '1'), json('1', '2'), json('mine', '1'))).toEqual({ text: json('mine', '2'), results: ['taken'] })
})

test('a JSON resource on one line stays readable as JSON', () => {
  const { text } = merged(json('1', '1'), json('1', '2'), json('mine', '1', 'ConfigMap', 0))
  expect(JSON.parse(text)).toEqual(JSON.parse(json('mine', '2')))
})

test('a field that upstream adds, and one that it removes, come along', () => {
  const base = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": {"a": "1", "old": "1"}}'
  const { text } = merged(base, base.replace('"old"', '"new"'), base.replace('"a": "1"', '"a": "mine"'))
  expect(JSON.parse(text)).toMatchObject({ data: { a: 'mine', new: '1' } })
  expect(text).not.toContain('old')
})

test('where both changed one field of a JSON file, the file of people stays whole, and it is said', () => {
  expect(merged(json('1', '1'), json('up', '2'), json('mine', '1'))).toEqual({ text: json('mine', '1'), results: ['kept'] })
})

test('other JSON, other kinds and faulty JSON stay as people have them', () => {
  for (const [base, theirs, ours] of [
    ['{"a": 1, "b": 1}', '{"a": 1, "b": 2}', '{"a": 0, "b": 1}'],
    [json('1', '1'), json('1', '2', 'Secret'), json('mine', '1')],
    [json('1', '1'), json('1', '2'), json('mine', '1').replace('}', '')],
  ] as const)
    expect(merged(base, theirs, ours)).toEqual({ text: ours, results: ['kept'] })
})
