import { expect, test } from 'vitest'
import { groupedResults } from './grouped-results.ts'
import type { Result } from './result.ts'

const OBJECT = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }

function fault(message: string, index = 0): Result {
  return { severity: 'error', message, resourceRef: OBJECT, field: { path: ['data', index] }, tags: { rule: 'pattern' } }
}

test('a hundred results of a rule and object are kept, and the number of the others', () => {
  const told = groupedResults([
    ...Array.from({ length: 250 }, (_, index) => fault(`fault ${index}`, index)),
    { ...fault('other'), tags: { rule: 'required' } },
  ])
  expect(told).toHaveLength(102)
  expect(told.at(-1)).toEqual(fault('and 150 more of rule pattern', 100))
})

test('results of other objects are kept beside them', () => {
  const others = Array.from({ length: 250 }, (_, index) => ({ ...fault('same'), resourceRef: { ...OBJECT, name: `object-${index}` } }))
  expect(groupedResults(others)).toHaveLength(250)
})

test.each([
  { reason: 'long', value: 'x'.repeat(5000), told: `${'x'.repeat(200)}…` },
  { reason: 'of 200 characters', value: 'x'.repeat(200), told: 'x'.repeat(200) },
  { reason: 'cut before half a character', value: `${'x'.repeat(199)}\u{1f600}${'x'.repeat(99)}`, told: `${'x'.repeat(199)}…` },
])('a value that is $reason', ({ value, told }) => {
  const message = `\`data\` must not be Porch's own, which is said here, got '${value}'; the API server's word is 'short'`
  expect(groupedResults([fault(message)])[0]?.message).toBe(message.replace(value, told))
})

test('a name or path that is long is cut like a value, quoted or not', () => {
  const [name, path] = ['n'.repeat(300), 'p'.repeat(300)]
  expect(groupedResults([fault(`\`${path}\` must differ from that of ConfigMap ${name}: both are there`)])[0]?.message).toBe(
    `\`${'p'.repeat(200)}…\` must differ from that of ConfigMap ${'n'.repeat(200)}…: both are there`,
  )
})

test('objects of one name in one file count as one', () => {
  const twins = Array.from({ length: 250 }, (_, index) => ({ ...fault('twin'), file: { path: 'a.yaml', index } }))
  expect(groupedResults(twins)).toHaveLength(101)
})

test('characters that a terminal obeys, or that are invisible, are escapes; lines stay', () => {
  expect(groupedResults([fault('is \x1b[31mred\x00\u2028 and\n\ton two lines')])[0]?.message).toBe(
    'is \\u001b[31mred\\u0000\\u2028 and\n\ton two lines',
  )
})

test('the value of a field is cut as in the message', () => {
  const long = { ...fault('must be short'), field: { path: ['data'], currentValue: 'y'.repeat(300) } }
  expect(groupedResults([long])[0]?.field?.currentValue).toBe(`${'y'.repeat(200)}…`)
})

test('no message is longer than it can be read', () => {
  expect(groupedResults([fault(`it's ${'words '.repeat(100_000)}`)])[0]?.message).toHaveLength(10_001)
})
