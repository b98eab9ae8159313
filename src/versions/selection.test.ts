import { expect, test } from 'vitest'
import { DIALECTS } from './dialects.ts'
import { admitsPrerelease, parseRelaxed, selectHighest, sortVersions } from './selection.ts'
import { parsedVersion } from './testing/answer-of.ts'

const { k14s } = DIALECTS
const of = (...texts: readonly string[]) => texts.map((text) => parsedVersion(text, k14s))

test('a tag is read without one leading v, keeps its text, and is left out if it is no version', () => {
  const parse = (text: string) => {
    const parsed = k14s.parseVersion(text)
    return parsed.ok ? parsed.value : undefined
  }
  const read = parseRelaxed(['v1.0.0', 'latest', 'vv1.0.0', '2.0.0'], parse)
  expect(read.map(({ text, major }) => [text, major])).toEqual([
    ['v1.0.0', 1n],
    ['2.0.0', 2n],
  ])
})

test('versions are sorted with the lowest first', () => {
  expect(sortVersions(of('1.10.0', '1.9.0', '1.9.0-rc.1'), k14s).map(({ text }) => text)).toEqual(['1.9.0-rc.1', '1.9.0', '1.10.0'])
})

test.each([
  ['1.0.0', undefined, true],
  ['1.0.0-rc.1', undefined, false],
  ['1.0.0-rc.1', [], true],
  ['1.0.0-rc.1', ['rc'], true],
  ['1.0.0-rc.1', ['alpha', 'rc'], true],
  ['1.0.0-rc.1', ['beta'], false],
])('%s with the prereleases %j: %s', (version, identifiers, expected) => {
  expect(admitsPrerelease(parsedVersion(version, k14s), identifiers && { identifiers })).toBe(expected)
})

test('the highest version that every filter admits is chosen, with the number that each filter leaves', () => {
  const filters = [
    { name: 'below-3', admits: ({ major }: { major: bigint }) => major < 3n },
    { name: 'even', admits: ({ minor }: { minor: bigint }) => minor % 2n === 0n },
  ]
  const { highest, trail } = selectHighest(of('1.0.0', '2.2.0', '2.1.0', '2.0.0', '3.0.0'), filters, k14s)
  expect([highest?.text, trail]).toEqual(['2.2.0', 'all=5 -> after-below-3=4 -> after-even=3'])
})

test('the last of equal versions is chosen, and nothing of none', () => {
  const [first, second] = of('1.0.0', '1.0.0')
  expect(selectHighest(first && second ? [first, second] : [], [], k14s).highest).toBe(second)
  expect(selectHighest([], [], k14s)).toEqual({ trail: 'all=0' })
})
