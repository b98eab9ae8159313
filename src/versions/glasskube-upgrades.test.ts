import { expect, test } from 'vitest'
import { compareGlasskube, isUpgradable } from './blang-version.ts'
import { DIALECTS } from './dialects.ts'
import { parsedVersion } from './testing/answer-of.ts'

test.each([
  ['v1.0.0', 'v1.0.1', true],
  ['v1.0.1', 'v1.0.0', false],
  ['v1.0.0', 'v1.0.0', false],
  ['v1.0.0+1', 'v1.0.0+1', false],
  ['v1.0.0+a', 'v1.0.0+a', false],
  ['v1.0.0+1', 'v1.0.0+2', true],
  ['v1.0.0+10', 'v1.0.0+9', false],
  ['v1.0.0+-2', 'v1.0.0+-1', true],
  ['v1.0.0', 'v1.0.0+1', true],
  ['v1.0.0+1', 'v1.0.0', false],
  ['v1.0.0+a', 'v1.0.0+b', true],
  ['v1.0.0+b', 'v1.0.0+a', true],
  ['v1.0.0+2', 'v1.0.0+a', true],
  ['v1.0.0+9223372036854775808', 'v1.0.0+1', true],
  ['main', 'v1.0.0', true],
  ['main', 'main', false],
  ['v1.0.0', 'main', true],
])('Glasskube with %s installed and %s wanted: upgrade %s', (installed, desired, expected) => {
  expect(isUpgradable(installed, desired)).toBe(expected)
})

test.each([
  ['v1.0.0+1', 'v1.0.0+2', -1],
  ['v1.0.0+2', 'v1.0.0+1', 1],
  ['v1.0.0+1', 'v1.0.0+1', 0],
  ['v1.0.0+9', 'v1.0.1', -1],
])('Glasskube compares %s with %s: %i', (a, b, order) => {
  const { m331 } = DIALECTS
  expect(compareGlasskube(parsedVersion(a, m331), parsedVersion(b, m331))).toBe(order)
})
