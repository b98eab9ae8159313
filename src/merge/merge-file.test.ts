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
    // Both gave the resource another name: the file would hold two.
    [json('1', '1'), json('1', '1').replace('"x"', '"theirs"'), json('1', '1').replace('"x"', '"ours"')],
    [json('1', '1'), json('1', '2'), json('mine', '1').replace('}', '')],
  ] as const)
    expect(merged(base, theirs, ours)).toEqual({ text: ours, results: ['kept'] })
})

test.each([
  { rule: 'that upstream changed is upstream’s', base: 'a', theirs: 'b', ours: 'a', text: 'b', results: ['taken'] },
  { rule: 'that people changed stays', base: 'a', theirs: 'a', ours: 'b', text: 'b', results: [] },
  { rule: 'that both changed alike stays', base: 'a', theirs: 'b', ours: 'b', text: 'b', results: [] },
  { rule: 'that both changed is that of people', base: 'a', theirs: 'b', ours: 'c', text: 'c', results: ['kept'] },
  { rule: 'that people deleted and upstream has comes back', base: 'a', theirs: 'a', ours: undefined, text: 'a', results: ['lost'] },
  { rule: 'that upstream added is upstream’s', base: undefined, theirs: 'a', ours: undefined, text: 'a', results: ['taken'] },
  { rule: 'that people added stays', base: undefined, theirs: undefined, ours: 'a', text: 'a', results: [] },
  {
    rule: 'that upstream removed and people did not change goes',
    base: 'a',
    theirs: undefined,
    ours: 'a',
    text: undefined,
    results: ['taken'],
  },
  { rule: 'that upstream removed and people changed stays', base: 'a', theirs: undefined, ours: 'b', text: 'b', results: ['kept'] },
  { rule: 'that both removed is gone', base: 'a', theirs: undefined, ours: undefined, text: undefined, results: [] },
])('a file without resources $rule', ({ base, theirs, ours, text, results }) => {
  const bytes = (side: string | undefined) => (side === undefined ? undefined : Buffer.from(side))
  const { content, outcomes } = mergeFile('a.txt', { base: bytes(base), theirs: bytes(theirs), ours: bytes(ours) })
  expect(content instanceof Uint8Array ? Buffer.from(content).toString() : content).toBe(text)
  expect(outcomes.map(({ result, contested }) => [result, contested])).toEqual(results.map((result) => [result, result !== 'taken']))
})

test('a file of another name than JSON is merged as a whole', () => {
  const [base, theirs, ours] = [json('1', '1'), json('1', '2'), json('mine', '1')]
  expect(merged(base, theirs, ours, 'app.txt')).toEqual({ text: ours, results: ['kept'] })
})
