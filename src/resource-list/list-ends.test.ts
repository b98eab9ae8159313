import { expect, test } from 'vitest'
import { evaluate, type KrmFunction } from '../run.ts'
import { KrmObject } from './krm-object.ts'
import { ResourceList } from './resource-list.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
const RESULT = 'results:\n- message: said\n  severity: info\n  tags:\n    rule: fan-out\n'

const say: KrmFunction = (list) => {
  list.results.push({ severity: 'info', message: 'said', tags: { rule: 'fan-out' } })
}

function said(text: string): string {
  return evaluate(say, text).stdout
}

// A list that ends in its last value, without a line break: results behind it make it no other value.
test.each([
  { end: '|\n    one', written: '|-\n    one\n' },
  { end: '|+\n    one', written: '|-\n    one\n' },
  { end: '>2+\n      one', written: '>2-\n      one\n' },
  { end: '|-\n    one', written: '|-\n    one\n' },
  { end: '|+\n    one\n    ', written: '|+\n    one\n' },
  { end: '|\n    one\n    ', written: '|\n    one\n    \n' },
  { end: '|\n    one\n      ', written: '|-\n    one\n      \n' },
  { end: '|2+\n      one\n       ', written: '|2-\n      one\n       \n' },
  { end: '|+\n    one\n\n    ', written: '|+\n    one\n\n' },
  { end: '|+\r\n    one\r\n\r\n    ', written: '|+\r\n    one\r\n\n' },
  { end: '!!str | # why\n    one', written: '!!str |- # why\n    one\n' },
  { end: '"|"', written: '"|"\n' },
])('results behind a list that ends in $end', ({ end, written }) => {
  const text = `${HEAD}- kind: A\n  x: ${end}`
  expect(said(text)).toBe(`${HEAD}- kind: A\n  x: ${written}${RESULT}`)
  expect(ResourceList.parse(said(text)).items[0]?.get(['x'])).toBe(ResourceList.parse(text).items[0]?.get(['x']))
})

test('results behind a functionConfig that ends in a block scalar', () => {
  expect(said(`${HEAD}- kind: A\nfunctionConfig:\n  x: |\n    one`)).toBe(`${HEAD}- kind: A\nfunctionConfig:\n  x: |-\n    one\n${RESULT}`)
})

test.each(['...\n', '...', '... # end\n# of it\n'])('results stand before a document that ends with %j', (end) => {
  expect(said(`${HEAD}- kind: A\n${end}`)).toBe(`${HEAD}- kind: A\n${RESULT}${end}`)
  expect(evaluate(() => {}, `${HEAD}- kind: A\n${end}`).stdout).toBe(`${HEAD}- kind: A\n${end}`)
})

test.each(['    ...\n', '# ...\n', '\n\n'])('results stand behind a list that ends with %j, which ends no document', (end) => {
  const text = `${HEAD}- kind: A\n  a: |\n    b\n${end}`
  expect(evaluate(() => {}, text).stdout).toBe(text)
  expect(said(text)).toBe(`${text}${RESULT}`)
})

test.each(['...\nx: y\n', '...x\n'])('a list with %j behind is refused', (end) => {
  expect(evaluate(() => {}, `${HEAD}- kind: A\n${end}`).stdout).toBe('')
})

test('a byte order mark stays before all', () => {
  expect(said(`\ufeff${HEAD}- kind: A\n`)).toBe(`\ufeff${HEAD}- kind: A\n${RESULT}`)
})

test('new lines end as the first one of the list does', () => {
  const text = `${HEAD}- kind: A\n  list:\n  - a: 1\n`.replaceAll('\n', '\r\n')
  const { stdout } = evaluate((list) => {
    list.items[0]?.set(['list', 1], { b: [1, 2] })
    list.upsert({ apiVersion: 'v1', kind: 'B', metadata: { name: 'b' } }, 'b.yaml')
    say(list)
  }, text)
  expect(stdout.replaceAll('\r\n', '')).not.toContain('\n')
  expect(stdout).toContain('  - b:\r\n    - 1\r\n    - 2\r\n')
})

test('items that are no maps cost no reading of the whole, and stay', () => {
  const text = `${HEAD}- kind: A\n- x\n- [a]\n-\n- {}\n`
  expect(said(text)).toBe(`${text}${RESULT}`)
})

const SHARED = `${HEAD}- kind: A\n  metadata: {name: a}\n  data: &d\n    k: v\n- kind: B\n  metadata: {name: b}\n  data: *d\n`

test.each<{ reason: string; edit: KrmFunction }>([
  { reason: 'changed', edit: (list) => list.items[0]?.set(['data', 'k'], 'w') },
  { reason: 'taken away', edit: (list) => list.items[0]?.delete(['data']) },
  { reason: 'removed with its item', edit: (list) => list.items[0] && list.remove(list.items[0]) },
])('a value that an alias in another item stands for is not $reason', ({ edit }) => {
  const { stdout, stderr, exitCode } = evaluate(edit, SHARED)
  expect(exitCode).toBe(1)
  expect(stdout.startsWith(SHARED)).toBe(true)
  expect(stderr).toBe('A a: error: `data` must stay as it is: the alias *d in B b would change with it [anchored]\n')
})

test('a value whose anchor has the name of an earlier one is edited: the aliases before it stand for that one', () => {
  const text = `${SHARED}- kind: C\n  metadata: {name: c}\n  data: &d\n    k: v\n`
  const { stdout, exitCode } = evaluate((list) => list.items[2]?.set(['data', 'k'], 'w'), text)
  expect([exitCode, stdout]).toEqual([0, text.replace(/k: v\n$/, 'k: w\n')])
})

test('what stands beside such a value is edited', () => {
  expect(evaluate((list) => list.items[0]?.set(['data2'], 'w'), SHARED).stdout).toBe(SHARED.replace('k: v\n', 'k: v\n  data2: w\n'))
})

test.each(['\u2028', '\u2029'])('%j begins no line', (separator) => {
  const text = `${HEAD}- kind: A\n  x: &x "a${separator}} b"\n`
  const { stdout } = evaluate((list) => list.items[0]?.set(['z'], 1), text)
  expect(stdout).toBe(`${text}  z: 1\n`)
})

test.each(['a: |\n  x', 'a: |+\n  x', 'a: |+\n  x\n\n', 'a: >+\n  x\n\n  ', 'a: |\n  x  \n\n\n', 'a: |\n  x\n     \n', 'a: |\r\n  x'])(
  'a document %j says the same as an item with others behind',
  (text) => {
    const document = KrmObject.fromDocument(`kind: D\nmetadata: {name: d}\n${text}`)
    const { stdout } = evaluate((list) => {
      list.insert(document, { path: 'd.yaml', index: 0 })
      list.upsert({ apiVersion: 'v1', kind: 'E', metadata: { name: 'e' } }, 'e.yaml')
    }, `${HEAD}- kind: A\n`)
    const item = ResourceList.parse(stdout).items.find(({ kind }) => kind === 'D')
    expect(item?.get(['a'])).toBe(document.get(['a']))
  },
)
