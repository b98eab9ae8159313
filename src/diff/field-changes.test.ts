import { expect, test } from 'vitest'
import type { JsonRecord, JsonValue } from '../json.ts'
import { entryTexts, fieldChanges, formatSteps, positionOfEntry, valueAt } from './field-changes.ts'

/** Returns the changes of a field of a Deployment's pod, each as PATH BEFORE → AFTER. */
function changes(before: JsonRecord, after: JsonRecord): readonly string[] {
  const deployment = (spec: JsonRecord): JsonRecord => ({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { template: { spec } } })
  return shown(fieldChanges(deployment(before), deployment(after))).map((line) => line.replace('spec.template.spec.', ''))
}

function shown(found: ReturnType<typeof fieldChanges>): readonly string[] {
  const text = (value: JsonValue | undefined) => (value === undefined ? 'none' : JSON.stringify(value))
  return found.map(({ path, before, after, isOrder }) => `${path} ${text(before)} → ${text(after)}${isOrder === true ? ' (order)' : ''}`)
}

const container = (name: string, image = 'i') => ({ name, image })

test.each([
  ['a value', { a: 1 }, { a: 2 }, ['a 1 → 2']],
  ['a value that is new', {}, { a: 1 }, ['a none → 1']],
  ['a value that is gone', { a: 1 }, {}, ['a 1 → none']],
  ['a value of another type', { a: { b: 1 } }, { a: [1] }, ['a {"b":1} → [1]']],
  ['values in the order of their names', { b: 1, a: 1 }, { b: 2, a: 2 }, ['a 1 → 2', 'b 1 → 2']],
  ['a value below maps', { a: { b: { c: 1, d: 1 } } }, { a: { b: { c: 2, d: 1 } } }, ['a.b.c 1 → 2']],
  ['nothing', { a: { b: [1] } }, { a: { b: [1] } }, []],
])('%s that differs is a change', (_what, before, after, expected) => {
  expect(shown(fieldChanges(before, after))).toEqual(expected)
})

test('entries of a list are compared by their key', () => {
  expect(changes({ containers: [container('a'), container('b')] }, { containers: [container('a'), container('b', 'j')] })).toEqual([
    'containers[b].image "i" → "j"',
  ])
  expect(changes({ containers: [container('a')] }, { containers: [container('b'), container('a')] })).toEqual([
    'containers[b] none → {"name":"b","image":"i"}',
    'containers ["a"] → ["b","a"] (order)',
  ])
})

test('removed entries come first, then changed and added ones, then the order', () => {
  const before = { containers: [container('a'), container('b'), container('c')] }
  const after = { containers: [container('c'), container('b', 'j'), container('d')] }
  expect(changes(before, after)).toEqual([
    'containers[a] {"name":"a","image":"i"} → none',
    'containers[b].image "i" → "j"',
    'containers[d] none → {"name":"d","image":"i"}',
    'containers ["a","b","c"] → ["c","b","d"] (order)',
  ])
})

test('an entry that is added at the end, or removed, changes no order', () => {
  expect(changes({ containers: [container('a')] }, { containers: [container('a'), container('b')] })).toHaveLength(1)
  expect(changes({ containers: [container('a'), container('b')] }, { containers: [container('b')] })).toHaveLength(1)
})

test('an entry with two fields in its key has both in its path', () => {
  const ports = (protocol: string, name: string) => ({
    containers: [{ ...container('a'), ports: [{ containerPort: 80, protocol, name }] }],
  })
  expect(changes(ports('TCP', 'x'), ports('TCP', 'y'))).toEqual(['containers[a].ports[80/TCP].name "x" → "y"'])
  expect(changes(ports('TCP', 'x'), ports('UDP', 'x'))).toHaveLength(2)
})

test('a list in which one entry has a part of the key of another is compared by positions', () => {
  const ports = (name: string) => ({
    containers: [
      {
        ...container('a'),
        ports: [
          { containerPort: 80, name },
          { containerPort: 80, protocol: 'UDP' },
        ],
      },
    ],
  })
  expect(changes(ports('x'), ports('y'))).toEqual(['containers[a].ports[0].name "x" → "y"'])
})

test('a list in which an entry lacks the first field of its key is compared by positions', () => {
  const ports = (name: string) => ({ containers: [{ ...container('a'), ports: [{ protocol: 'TCP', name }] }] })
  expect(changes(ports('x'), ports('y'))).toEqual(['containers[a].ports[0].name "x" → "y"'])
})

test('a list whose entries have no key, or one key twice, is compared by positions if the lengths are equal, else as a whole', () => {
  expect(shown(fieldChanges({ list: [1, 2] }, { list: [1, 3] }))).toEqual(['list[1] 2 → 3'])
  expect(shown(fieldChanges({ list: [1, 2] }, { list: [1] }))).toEqual(['list [1,2] → [1]'])
  const twice = (image: string) => ({
    list: [
      { name: 'a', image },
      { name: 'a', image: 'i' },
    ],
  })
  expect(shown(fieldChanges(twice('i'), twice('j')))).toEqual(['list[0].image "i" → "j"'])
  expect(shown(fieldChanges({ list: [{ name: 'a', x: 1 }, 1] }, { list: [{ name: 'a', x: 2 }, 1] }))).toEqual(['list[0].x 1 → 2'])
})

test('the entries of a list have the texts by which a change of their order names them', () => {
  const pod = (...ports: readonly JsonValue[]): JsonRecord => ({
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [{ name: 'side', image: 'web', ports }, container('web')], args: ['a'] },
  })
  const twoPorts = pod({ containerPort: 80, protocol: 'UDP' }, { containerPort: 80, protocol: 'TCP' })
  expect(entryTexts(twoPorts, ['spec', 'containers'])).toEqual(['side', 'web'])
  expect(entryTexts(twoPorts, ['spec', 'containers', { name: 'side' }, 'ports'])).toEqual(['80/UDP', '80/TCP'])
  expect(entryTexts(pod({ name: 'x' }), ['spec', 'containers', { name: 'side' }, 'ports'])).toBeUndefined()
  expect(entryTexts(twoPorts, ['spec', 'args'])).toBeUndefined()
  expect(entryTexts(twoPorts, ['spec', 'volumes'])).toBeUndefined()
})

test('the value at a path is found by keys, positions and names', () => {
  const value = {
    list: [
      { name: 'a', port: 80 },
      { name: 'b', port: 81 },
    ],
    map: { key: 'v' },
  }
  expect(valueAt(value, ['list', { name: 'b' }, 'port'])).toBe(81)
  expect(valueAt(value, ['list', 0, 'port'])).toBe(80)
  expect(valueAt(value, ['list', { port: '81' }, 'name'])).toBe('b')
  expect(valueAt(value, ['list', { name: 'c' }])).toBeUndefined()
  expect(valueAt(value, ['map', 0])).toBeUndefined()
  expect(valueAt(value, ['list', 'name'])).toBeUndefined()
  expect(positionOfEntry(value.list, { name: 'b', port: '80' })).toBe(-1)
})

test.each([
  [[], '.'],
  [['spec', 'list', 0, 'a'], 'spec.list[0].a'],
  [[{ name: 'a' }, 'b'], '[a].b'],
  [['ports', { containerPort: '80', protocol: 'TCP' }], 'ports[80/TCP]'],
])('the steps %j are shown as %s', (steps, text) => {
  expect(formatSteps(steps)).toBe(text)
})
