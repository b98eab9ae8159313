import { expect, test } from 'vitest'
import type { Problem } from './problem.ts'
import { firstLook } from './satisfy.ts'
import { tableProblem, type VersionTable } from './testing/table-problem.ts'

const VERSIONS = ['9.0.0', '8.0.0', '7.0.0', '6.0.0', '5.0.0', '4.0.0', '3.0.0', '2.0.0', '1.0.0']

/** The first look at a problem, with every version that it asked about. */
function look(universe: VersionTable, roots: Readonly<Record<string, string>>): unknown {
  const problem = tableProblem(universe, roots)
  const asked: string[] = []
  const watched: Problem = {
    ...problem,
    requirementsOf: (id, version) => {
      asked.push(`${id} ${problem.packageOf(id).versions[version]}`)
      return problem.requirementsOf(id, version)
    },
  }
  const versions = firstLook(watched, 1_000)
  const named = versions && [...versions].map(([id, version]) => [id, problem.packageOf(id).versions[version]])
  return { versions: named && Object.fromEntries(named), asked }
}

test('asks about the versions that are tried, and no others', () => {
  const a = Object.fromEntries(VERSIONS.map((version) => [version, version > '7' ? ['b 1.0.0'] : ['b 2.0.0']]))
  const universe = { a, b: { '2.0.0': [], '1.0.0': [] }, c: { '1.0.0': ['a'] } }
  expect(look(universe, { one: 'b 2.0.0', two: 'a' })).toEqual({
    versions: { a: '6.0.0', b: '2.0.0' },
    asked: ['a 9.0.0', 'a 8.0.0', 'a 7.0.0', 'a 6.0.0', 'b 2.0.0'],
  })
})

test('says nothing of what has no solution', () => {
  expect(look({ a: { '1.0.0': ['b'] } }, { root: 'a' })).toMatchObject({ versions: undefined })
})
