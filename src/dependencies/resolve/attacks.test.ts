import { expect, test } from 'vitest'
import { unitsOf } from '../../../testdata/processor-time.ts'
import type { Problem, ProblemPackage, SolverRequirement } from './problem.ts'
import { satisfy } from './satisfy.ts'
import { firstVersions } from './version-set.ts'

const MAX_STEPS = 1_000_000

// Units of work (testdata/processor-time.ts), of which a processor does 28 a second when nothing else runs.
const TWO_SECONDS = 57
const TEN_SECONDS = 285

/** The kinds of the answers, each once, and the units of work that they took. */
function cost(problem: Problem): { readonly kinds: readonly string[]; readonly units: number } {
  const { value: answers, units } = unitsOf(() => satisfy(problem, { maxSteps: MAX_STEPS }))
  return { kinds: [...new Set(answers.map(({ outcome }) => outcome.type))], units }
}

/** Returns true if so many steps are enough; time that does not depend on the machine. */
function isDoneIn(problem: Problem, maxSteps: number): boolean {
  return satisfy(problem, { maxSteps }).every(({ outcome }) => outcome.type === 'solved')
}

/** A problem whose packages all have as many versions, and whose root requirements want any version of some. */
function problemWith(wanted: readonly string[], count: number, requirementsOf: Problem['requirementsOf']): Problem {
  const versions = Array.from({ length: count }, (_, number) => `${count - number}.0.0`)
  const roots = wanted.map((id) => ({ id, text: `a user requires ${id}`, anyOf: [{ package: id, versions: firstVersions(count) }] }))
  return { roots, exclusions: [], packageOf: (id): ProblemPackage => ({ id, versions }), requirementsOf }
}

function requires(id: string, versions: bigint): SolverRequirement {
  return { wants: `${id} ${versions}`, anyOf: [{ package: id, versions }] }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
const padded = (number: number): string => String(number).padStart(6, '0')

/** In each chain more pigeons than holes: pigeon n in hole h is version h of the pigeon, which requires version n of the hole. */
function pigeons(chains: number, holes: number): Problem {
  const wanted = numbers(chains).flatMap((chain) => numbers(holes + 1).map((pigeon) => `${chain}-pigeon-${pigeon}`))
  return problemWith(wanted, holes + 1, (id, version) => {
    const [chain = '', kind, pigeon = ''] = id.split('-')
    if (kind === 'hole') return []
    return version === holes ? [requires('nothing', 0n)] : [requires(`${chain}-hole-${version}`, 1n << BigInt(pigeon))]
  })
}

test.each([6, 8, 20])('ten chains of pigeons with %i holes', (holes) => {
  const { kinds, units } = cost(pigeons(10, holes))
  expect(kinds).toEqual([holes === 20 ? 'exceeded' : 'unsolvable'])
  expect(units).toBeLessThan(TWO_SECONDS)
})

test('a long proof is shown by its causes', () => {
  const [answer] = satisfy(pigeons(1, 5), { maxSteps: MAX_STEPS })
  if (answer?.outcome.type !== 'unsolvable') throw new Error('there is a solution')
  const { sentences, causes, isSmallest } = answer.outcome.explanation
  expect({ isSmallest, causes: causes.length, sentences: sentences.length }).toEqual({ isSmallest: true, causes: 42, sentences: 1 })
  expect(sentences[0]).toMatch(/^Because of all of this, there is no solution: a user requires 0-pigeon-0; .*; 22 more like these\.$/)
})

/** Three colours for a map with about as many borders as can just be coloured. */
function colours(countries: number, borders: number): Problem {
  let state = 1
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % countries
  }
  const neighbours = new Map(numbers(countries).map((country) => [`c-${country}`, [] as number[]]))
  for (let border = 0; border < borders; border++) neighbours.get(`c-${next()}`)?.push(next())
  return problemWith([...neighbours.keys()], 3, (id, version) =>
    (neighbours.get(id) ?? []).filter((other) => id !== `c-${other}`).map((other) => requires(`c-${other}`, 7n ^ (1n << BigInt(version)))),
  )
}

test('what is too hard ends, and says so', () => {
  const { kinds, units } = cost(colours(200, 460))
  expect(kinds).toContain('exceeded')
  expect(units).toBeLessThan(TEN_SECONDS)
})

test('a hard part leaves the others their steps', () => {
  const hard = pigeons(1, 12)
  const easy = { id: 'zz', text: 'a user requires 0-hole-20', anyOf: [{ package: '0-hole-20', versions: 1n }] }
  expect(satisfy({ ...hard, roots: [...hard.roots, easy] }, { maxSteps: 20_000 }).map(({ outcome }) => outcome.type)).toEqual([
    'exceeded',
    'solved',
  ])
})

test('a chain of 10,000 packages, whole and broken at its end', () => {
  const chain = (end: SolverRequirement[]): Problem =>
    problemWith([padded(0)], 2, (id) => (id === padded(10_000) ? end : [requires(padded(Number(id) + 1), 3n)]))
  expect(cost(chain([])).kinds).toEqual(['solved'])
  const broken = cost(chain([requires('nothing', 0n)]))
  expect(broken.kinds).toEqual(['unsolvable'])
  expect(broken.units).toBeLessThan(TEN_SECONDS)
})

// Three requirements for each version, half of the packages wanted, some of it in cycles.
const catalog = (count: number): Problem =>
  problemWith(
    numbers(count / 2).map((number) => padded(2 * number)),
    20,
    (id, version) =>
      [31, 17, 13].map((factor, index) =>
        requires(padded((Number(id) * factor + index) % count), firstVersions(Math.min(20, version + 6))),
      ),
  )

/** A pair for each number that cannot both be at their highest, which shows at the last of all; one package ties all together. */
const pairs = (count: number): Problem => {
  const wanted = numbers(count).flatMap((number) => [`a${padded(number)}`, `z${padded(number)}`])
  return problemWith(wanted, 2, (id, version) => {
    const between = `m${id.slice(1)}`
    if (id.startsWith('a')) return [requires('tie', 3n), ...(version === 0 ? [requires(between, 2n)] : [])]
    return id.startsWith('z') ? [requires('tie', 3n), requires(between, 1n)] : []
  })
}

/** Everybody requires one package, in ranges of all kinds. */
const popular = (count: number): Problem =>
  problemWith(
    numbers(count).map((number) => `a${padded(number)}`),
    20,
    (id, version) =>
      id === 'popular' ? [] : [requires('popular', firstVersions(20) ^ firstVersions((Number(id.slice(1)) * 7 + version) % 19))],
  )

test.each([
  { name: 'a catalog', problem: catalog, steps: 10 },
  { name: 'pairs in conflict', problem: pairs, steps: 30 },
  { name: 'a package that everybody requires', problem: popular, steps: 10 },
])('$name: ten times as many packages take no more than 12 times the steps', ({ problem, steps }) => {
  expect(isDoneIn(problem(200), 200 * steps)).toBe(true)
  expect(isDoneIn(problem(2_000), 12 * 200 * steps)).toBe(true)
})
