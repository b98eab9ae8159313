import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../../testdata/random-runs.ts'
import { type GivenPackages, resolvedPackages, type Versions } from './testing/resolved-packages.ts'

/** The Configurations of a random catalog. One requires later ones only, so that no plan has a cycle. */
const NAMES = ['a', 'b', 'c', 'd'] as const
const RANGES = ['>=v1.0.0', '>=v2.0.0', '<v2.0.0', '<v3.0.0', '=v2.0.0'] as const
const VERSIONS = ['v1.0.0', 'v2.0.0', 'v3.0.0'] as const

type Version = (typeof VERSIONS)[number]

function accepts(range: string, version: Version): boolean {
  const [number, bound] = [version.slice(1, 2), range.replace(/\D*(\d).*/, '$1')]
  if (range.startsWith('>=')) return number >= bound
  return range.startsWith('<') ? number < bound : number === bound
}

interface Instance {
  readonly installed: readonly { readonly name: string; readonly version: Version; readonly isGenerated: boolean }[]
  readonly known: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly upgrades: 'none' | 'generated' | 'all'
  readonly downgrades: boolean
}

function requirementsOf(at: number): fc.Arbitrary<readonly string[]> {
  const later = NAMES.slice(at + 1)
  if (later.length === 0) return fc.constant([])
  const one = fc.tuple(fc.constantFrom(...later), fc.constantFrom(...RANGES))
  return fc.uniqueArray(one, { maxLength: 2, selector: ([name]) => name }).map((list) => list.map(([name, range]) => `${name} ${range}`))
}

const known = fc
  .tuple(...NAMES.map((_, at) => fc.tuple(requirementsOf(at), requirementsOf(at), requirementsOf(at))))
  .map((all) => Object.fromEntries(all.map((lists, at) => [NAMES[at], Object.fromEntries(lists.map((list, i) => [VERSIONS[i], list]))])))

const instance: fc.Arbitrary<Instance> = fc.record({
  installed: fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...NAMES), version: fc.constantFrom(...VERSIONS), isGenerated: fc.boolean() }),
    { minLength: 1, maxLength: 3, selector: ({ name }) => name },
  ),
  known,
  upgrades: fc.constantFrom('none', 'generated', 'all'),
  downgrades: fc.boolean(),
})

function given({ installed, known, upgrades, downgrades }: Instance): GivenPackages {
  const objects = installed.map(({ name, version, isGenerated }) => `Configuration ${name} ${version}${isGenerated ? ' generated' : ''}`)
  return { installed: objects, known, spec: { upgrades, downgrades } }
}

type Chosen = ReadonlyMap<string, Version>

function isMet(chosen: Chosen, known: Instance['known']): boolean {
  return [...chosen].every(([name, version]) =>
    (known[name]?.[version] ?? []).every((requirement) => {
      const [other = '', range = ''] = requirement.split(' ')
      const there = chosen.get(other)
      return there !== undefined && accepts(range, there)
    }),
  )
}

/** Returns the versions that a package may have after a plan; undefined stands for a package that is not installed. */
function versionsOf(name: string, { installed, upgrades, downgrades }: Instance): readonly (Version | undefined)[] {
  const there = installed.find((each) => each.name === name)
  if (there === undefined) return [undefined, ...VERSIONS]
  const moves = there.isGenerated ? true : upgrades === 'all'
  return VERSIONS.filter((version) => version === there.version || (moves && (version > there.version || downgrades)))
}

/** Returns true if any choice of versions meets all requirements: tries all. */
function hasSolution(each: Instance): boolean {
  const choices = NAMES.reduce<readonly Chosen[]>(
    (all, name) =>
      all.flatMap((chosen) =>
        versionsOf(name, each).map((version) => (version === undefined ? chosen : new Map([...chosen, [name, version]]))),
      ),
    [new Map()],
  )
  return choices.some((chosen) => isMet(chosen, each.known))
}

function chosenIn(packages: readonly string[]): Chosen {
  return new Map(
    packages.map((line) => {
      const [, name = '', version = ''] = /^Configuration (\w+) \w+:(.*)$/.exec(line) ?? []
      return [name, VERSIONS.find((each) => each === version) ?? 'v1.0.0'] as const
    }),
  )
}

test('a plan meets every requirement by moves that are allowed, and there is one if any choice of versions meets all', () => {
  const property = fc.property(instance, (each) => {
    const { packages, errors } = resolvedPackages(given(each))
    const chosen = chosenIn(packages)
    expect(errors.length === 0).toBe(hasSolution(each))
    if (errors.length === 0) expect(isMet(chosen, each.known)).toBe(true)
    for (const { name } of each.installed) expect(versionsOf(name, each)).toContain(chosen.get(name))
  })
  expect(() => fc.assert(property, { numRuns: randomRuns(10) })).not.toThrow()
})

test.each(['satisfy', 'native'])('%s: the order of objects, packages and versions does not change the plan', (strategy) => {
  const property = fc.property(instance, fc.infiniteStream(fc.nat(99)), (each, stream) => {
    const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
      items
        .map((item) => ({ item, at: Number(stream.next().value) }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item)
    const one = given(each)
    const other: GivenPackages = {
      installed: shuffled(one.installed),
      known: Object.fromEntries(
        shuffled(Object.entries(one.known)).map(([name, versions]): [string, Versions] => [
          name,
          Object.fromEntries(shuffled(Object.entries(versions))),
        ]),
      ),
      spec: one.spec ?? {},
    }
    const [a, b] = [one, other].map((input) => {
      const { packages, errors } = resolvedPackages({ ...input, spec: { ...input.spec, strategy } })
      return { packages, errors: errors.map((error) => error.replace(/ \([^()]*\.yaml[^()]*\)/g, '')).sort() }
    })
    expect(b).toEqual(a)
  })
  expect(() => fc.assert(property, { numRuns: randomRuns(10) })).not.toThrow()
})
