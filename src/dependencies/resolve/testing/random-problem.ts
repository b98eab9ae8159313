import fc from 'fast-check'
import type { Exclusion, PackageRange, RootRequirement, SolverRequirement } from '../problem.ts'
import { difference, firstVersions, numbersIn } from '../version-set.ts'
import type { PlainPackage, PlainProblem } from './plain-problem.ts'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f']
const MOST_VERSIONS = 4

/** The number of versions of each package. */
type Sizes = ReadonlyMap<string, number>

/**
 * Generates problems of at most 6 packages with at most 4 versions: ranges, `or`, optional requirements, cycles, pins,
 * versions to keep, exclusions, packages of which no version is known, and in a quarter of the problems versions (prereleases)
 * that ranges leave out.
 */
export function randomProblem(): fc.Arbitrary<PlainProblem> {
  const sizes = fc.array(randomSize(), { minLength: 1, maxLength: IDS.length })
  return fc.tuple(sizes, oneIn(4)).chain(([counts, hasPrereleases]) => {
    const known: Sizes = new Map(counts.map((count, index) => [IDS[index] ?? '', count]))
    const choice = hasPrereleases ? randomChoice(known).map(withoutPrerelease) : randomChoice(known)
    return fc.record({
      packages: fc.tuple(...[...known].map(([id, count]) => randomPackage(id, count, choice))),
      roots: fc.array(randomFact(known, choice), { minLength: 1, maxLength: 5 }).map(toFacts),
      exclusions: fc.array(fc.tuple(choice, choice), { maxLength: 2 }).map(toExclusions),
    })
  })
}

function randomSize(): fc.Arbitrary<number> {
  return fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 1, max: MOST_VERSIONS }) }, { weight: 1, arbitrary: fc.constant(0) })
}

/** A requirement without its words. */
interface Wish {
  readonly anyOf: readonly PackageRange[]
  readonly optional: boolean
}

function randomPackage(id: string, count: number, choice: fc.Arbitrary<PackageRange>): fc.Arbitrary<PlainPackage> {
  const requirements = fc.array(randomDemand(choice), { maxLength: 3 }).map(toRequirements)
  const versions = Array.from({ length: count }, (_, number) => `${count - number}.0.0`)
  return fc.record({
    id: fc.constant(id),
    versions: fc.constant(versions),
    rises: oneIn(3),
    keep: count === 0 ? fc.constant(undefined) : fc.option(fc.nat(count - 1), { nil: undefined, freq: 2 }),
    requirements: fc.array(requirements, { minLength: count, maxLength: count }),
  })
}

function randomDemand(choice: fc.Arbitrary<PackageRange>): fc.Arbitrary<Wish> {
  const one = fc.array(choice, { minLength: 1, maxLength: 1 })
  const several = fc.array(choice, { minLength: 2, maxLength: 3 })
  const none = fc.constant([])
  const anyOf = fc.oneof({ weight: 30, arbitrary: one }, { weight: 15, arbitrary: several }, { weight: 1, arbitrary: none })
  return fc.record({ anyOf, optional: oneIn(6) })
}

function randomFact(sizes: Sizes, choice: fc.Arbitrary<PackageRange>): fc.Arbitrary<Wish & Pick<RootRequirement, 'isLast'>> {
  const wish = fc.oneof({ weight: 4, arbitrary: randomDemand(choice) }, { weight: 1, arbitrary: randomPin(sizes) })
  return fc.tuple(wish, oneIn(4)).map(([each, isLast]) => ({ ...each, isLast }))
}

/** Generates a range: the versions from one number up to another. */
function randomChoice(sizes: Sizes): fc.Arbitrary<PackageRange> {
  return fc.constantFrom(...sizes).chain(([id, count]) =>
    fc.tuple(fc.nat(count), fc.nat(count)).map(([a, b]) => {
      const [from, to] = a === b ? [0, count] : [Math.min(a, b), Math.max(a, b)]
      return { package: id, versions: difference(firstVersions(to), firstVersions(from)) }
    }),
  )
}

/** Generates an object that keeps its version. */
function randomPin(sizes: Sizes): fc.Arbitrary<Wish> {
  return fc.constantFrom(...sizes).chain(([id, count]) =>
    fc.nat(Math.max(0, count - 1)).map((number) => {
      const versions = count === 0 ? 0n : 1n << BigInt(number)
      return { anyOf: [{ package: id, versions }], optional: false }
    }),
  )
}

// The first version of each list is the prerelease.
function withoutPrerelease(choice: PackageRange): PackageRange {
  return { ...choice, versions: difference(choice.versions, 1n) }
}

function toFacts(wishes: readonly (Wish & Pick<RootRequirement, 'isLast'>)[]): RootRequirement[] {
  return wishes.map((wish, index) => ({ ...wish, id: `fact-${index}`, text: `user ${index} requires ${describe(wish)}` }))
}

/** Returns the wishes as requirements, each kind once: a package has no reason to require the same twice. */
function toRequirements(wishes: readonly Wish[]): SolverRequirement[] {
  const byWords = new Map(wishes.map((wish) => [`${describe(wish)}${wish.optional ? ' if at all' : ''}`, wish]))
  return [...byWords].map(([wants, wish]) => ({ ...wish, wants }))
}

function toExclusions(pairs: readonly [PackageRange, PackageRange][]): Exclusion[] {
  return pairs.map(([a, b], index) => ({
    id: `exclusion-${index}`,
    text: `${describe({ anyOf: [a] })} excludes ${describe({ anyOf: [b] })}`,
    together: [a, b],
  }))
}

function describe({ anyOf }: { readonly anyOf: readonly PackageRange[] }): string {
  return anyOf.length === 0 ? 'nothing' : anyOf.map((choice) => `${choice.package} ${numbersIn(choice.versions).join('')}`).join(' or ')
}

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.nat(n - 1).map((number) => number === n - 1)
}
