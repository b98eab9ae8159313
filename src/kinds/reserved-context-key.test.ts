import { expect, test } from 'vitest'
import { isReservedKey, reservedKeyFaults, reservedKeyMessage, reservedNameFaults } from './reserved-context-key.ts'

test.each([
  { reason: 'nothing', context: {}, expected: [] },
  { reason: 'other keys', context: { data: { region: 'a' }, removeKeys: ['names'] }, expected: [] },
  {
    reason: 'both keys in data and in removeKeys, each at its own place',
    context: { data: { 'package-path': 'a', name: 'b' }, removeKeys: ['c', 'package-path', 'name'] },
    expected: [
      ['data', 'data/name'],
      ['removeKeys', 'removeKeys/2'],
      ['data', 'data/package-path'],
      ['removeKeys', 'removeKeys/1'],
    ],
  },
])('reserved keys of the package context: $reason', ({ context, expected }) => {
  const faults = reservedKeyFaults(context, ['c'])
  expect(faults.map(({ path, place }) => [path.join('/'), place?.join('/')])).toEqual(
    expected.map(([field, place]) => [`c/${field}`, `c/${place}`]),
  )
})

test('a reserved key is an error of the controller too, whose message has the key', () => {
  expect(reservedKeyFaults({ data: { name: 'a' } }, [])).toEqual([
    {
      severity: 'error',
      rule: 'reserved-context-key',
      path: ['data'],
      message: "must not contain the key 'name', which kpt sets",
      reason: 'ValidationError',
      place: ['data', 'name'],
      atKey: true,
    },
  ])
})

test.each([
  { key: undefined, messages: [] },
  { key: 'region', messages: [] },
  { key: 'name', messages: ["must not name the key 'name', which kpt sets"] },
  { key: 'package-path', messages: ["must not name the key 'package-path', which kpt sets"] },
])('a field that names the key $key', ({ key, messages }) => {
  const faults = reservedNameFaults(key, ['f'])
  expect(faults.map(({ message }) => message)).toEqual(messages)
  expect(faults.map(({ severity, rule, path }) => [severity, rule, path])).toEqual(
    messages.map(() => ['error', 'reserved-context-key', ['f']]),
  )
})

test('kpt sets two keys', () => {
  expect(['name', 'package-path', 'namespace', ''].filter(isReservedKey)).toEqual(['name', 'package-path'])
  expect(reservedKeyMessage('give', "'a'")).toBe("must not give the key 'a', which kpt sets")
})
