import { expect, test } from 'vitest'
import { changesPackages } from './package-changes.ts'

const NONE = { remove: 0, orphan: 0, move: 0, update: 0, create: 0, unchanged: 0, left: 0, failed: 0 }

test.each(['remove', 'orphan', 'move', 'update', 'create'])('a package to %s is a change', (op) => {
  expect(changesPackages({ counts: { ...NONE, [op]: 1 } })).toBe(true)
})

test('packages that stay, are left alone or cannot be rendered are no change', () => {
  expect(changesPackages({ counts: NONE })).toBe(false)
  expect(changesPackages({ counts: { ...NONE, unchanged: 3, left: 2, failed: 1 } })).toBe(false)
})

test('without packages only variants that inject what changed may change one', () => {
  expect(changesPackages({})).toBe(false)
  expect(changesPackages({ injecting: 0 })).toBe(false)
  expect(changesPackages({ injecting: 1 })).toBe(true)
})
