import fc from 'fast-check'
import { expect, test } from 'vitest'
import { derive } from './explain.ts'
import type { Term } from './external-incompatibility.ts'
import type { Derivation } from './incompatibility.ts'
import { PackageLister, withAllKnown } from './package-lister.ts'
import { Search } from './search.ts'
import { problemOf } from './testing/plain-problem.ts'
import { randomProblem } from './testing/random-problem.ts'
import { numbersIn, type VersionSet } from './version-set.ts'

/** Values that cannot hold together, by the id of the package. */
type Forbidden = ReadonlyMap<string, VersionSet>

test('each conclusion of a proof follows from its two causes', () => {
  let conclusions = 0
  fc.assert(
    fc.property(randomProblem(), (problem) => {
      const lister = new PackageLister(problemOf(problem))
      const result = new Search(withAllKnown(lister, lister.given()), { steps: 100_000 }).run()
      if (result.type !== 'unsolvable') return
      const steps = stepsOf(derive(result.proof))
      const counts = new Map(problem.packages.map(({ id, versions }) => [id, versions.length]))
      expect(steps.filter((step) => !follows(step, counts))).toEqual([])
      conclusions += steps.length
    }),
    { numRuns: 300 },
  )
  expect(conclusions).toBeGreaterThan(100)
})

type Conclusion = Extract<Derivation, { type: 'conclusion' }>

function stepsOf(root: Derivation): Conclusion[] {
  const steps = new Set(root.type === 'conclusion' ? [root] : [])
  for (const { causes } of steps) for (const cause of causes) if (cause.type === 'conclusion') steps.add(cause)
  return [...steps]
}

/** Returns true if every way to break the conclusion breaks one of the causes. */
function follows({ terms, causes }: Conclusion, counts: ReadonlyMap<string, number>): boolean {
  const conclusion = byId(terms)
  const [a, b] = causes.map(forbiddenBy)
  if (a === undefined || b === undefined) return false
  const ids = [...new Set([...conclusion.keys(), ...a.keys(), ...b.keys()])]
  const breaks = (values: ReadonlyMap<string, number>, terms: Forbidden): boolean =>
    [...terms].every(([id, set]) => numbersIn(set).includes(values.get(id) ?? -1))
  return assignments(ids, counts).every((values) => !breaks(values, conclusion) || breaks(values, a) || breaks(values, b))
}

/** Every way to give the packages a version or none; the number after the last version is none. */
function assignments(ids: readonly string[], counts: ReadonlyMap<string, number>): ReadonlyMap<string, number>[] {
  let all: Map<string, number>[] = [new Map()]
  for (const id of ids) {
    const values = Array.from({ length: (counts.get(id) ?? 0) + 1 }, (_, value) => value)
    all = all.flatMap((given) => values.map((value) => new Map([...given, [id, value]])))
  }
  return all
}

function forbiddenBy(derivation: Derivation): Forbidden {
  if (derivation.type === 'conclusion') return byId(derivation.terms)
  return new Map(derivation.external.terms.map(({ package: pkg, values }) => [pkg.id, values]))
}

function byId(terms: readonly Term[]): Forbidden {
  return new Map(terms.map(({ package: pkg, values }) => [pkg.id, values]))
}
