import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextAfter } from './package-context.ts'

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
  { reason: 'a key that is not there is removed without complaint', data: [], removeKeys: ['x'], expected: ['name=upf', 'zone=a'] },
  { reason: 'set first, removed after (docs/porch.md 26)', data: [['zone', 'b']], removeKeys: ['zone'], expected: ['name=upf'] },
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
