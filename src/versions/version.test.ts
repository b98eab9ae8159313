import { expect, test } from 'vitest'
import { compareCores, compareNumbers, coreOf, type Version } from './version.ts'

/** Returns a version of three numbers. */
function versionOf(text: string): Version {
  const [major = 0n, minor = 0n, patch = 0n] = text.split('.').map(BigInt)
  return { text, major, minor, patch, core: coreOf({ major, minor, patch }), pre: [], build: [] }
}

test.each([
  ['the major number counts first', '1.131071.131071', '2.0.0'],
  ['then the minor number', '1.2.131071', '1.3.0'],
  ['then the patch', '1.2.3', '1.2.4'],
  ['the largest numbers of one core keep their order', '131071.131071.131070', '131071.131071.131071'],
  ['a large major number', '131071.131071.131071', '131072.0.0'],
  ['a large minor number', '1.131071.131071', '1.131072.0'],
  ['a large minor number below the next major', '1.131072.0', '2.0.0'],
  ['a large patch', '1.2.131071', '1.2.131072'],
  ['a large patch below the next minor', '1.2.131072', '1.3.0'],
  ['two large patches', '1.2.18446744073709551614', '1.2.18446744073709551615'],
])('versions are ordered by their numbers: %s', (_, low, high) => {
  const [a, b] = [versionOf(low), versionOf(high)]
  expect([compareCores(a, b), compareCores(b, a), compareCores(a, a), compareCores(b, b)]).toEqual([-1, 1, 0, 0])
})

test('the core is one number if all three numbers are below 2^17, else -1', () => {
  expect(['0.0.0', '0.0.1', '0.1.0', '1.0.0', '131071.131071.131071'].map((text) => versionOf(text).core)).toEqual([
    0,
    1,
    2 ** 17,
    2 ** 34,
    2 ** 51 - 1,
  ])
  expect(['131072.0.0', '0.131072.0', '0.0.131072'].map((text) => versionOf(text).core)).toEqual([-1, -1, -1])
})

test('numbers are compared as numbers, not as texts', () => {
  expect([compareNumbers(9n, 10n), compareNumbers(10n, 9n), compareNumbers(9n, 9n)]).toEqual([-1, 1, 0])
})
