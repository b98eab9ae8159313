import fc from 'fast-check'

/** Who requires what: one package in a range, or one of several. */
export interface RandomDependency {
  readonly anyOf: readonly { readonly package: number; readonly range: string | undefined }[]
  readonly optional: boolean
}

export interface RandomVersion {
  readonly version: string
  readonly dependencies: readonly RandomDependency[]
}

/** Packages by their numbers, what is there of them, and the options of a run. */
export interface RandomPackages {
  readonly packages: readonly { readonly versions: readonly RandomVersion[]; readonly install: RandomInstall | undefined }[]
  readonly strategy: 'satisfy' | 'native'
  readonly upgrades: 'none' | 'generated' | 'all'
  readonly downgrades: boolean
  readonly prune: boolean
}

export interface RandomInstall {
  readonly version: string
  readonly generated: boolean
}

/** The words that the dependencies of a system can have. */
export interface Words {
  readonly ranges: readonly (string | undefined)[]
  readonly hasAlternatives: boolean
  readonly hasOptional: boolean
}

const VERSIONS = ['1.0.0', '1.1.0', '1.2.0', '1.3.0']

/** At most 6 packages with at most 4 versions, some of them there, made by us or by a person, met or in conflict. */
export function randomPackages(words: Words): fc.Arbitrary<RandomPackages> {
  return fc.integer({ min: 2, max: 6 }).chain((count) =>
    fc.record({
      packages: fc.array(randomPackage(count, words), { minLength: count, maxLength: count }),
      strategy: fc.constantFrom('satisfy', 'satisfy', 'native'),
      upgrades: fc.constantFrom('none', 'generated', 'all'),
      downgrades: oneIn(3),
      prune: oneIn(3),
    }),
  )
}

function randomPackage(count: number, words: Words): fc.Arbitrary<RandomPackages['packages'][number]> {
  const dependencies = fc.array(randomDependency(count, words), { maxLength: 2 })
  const version = fc.record({ version: fc.constantFrom(...VERSIONS), dependencies })
  return fc
    .uniqueArray(version, { maxLength: VERSIONS.length, selector: (each) => each.version })
    .chain((versions) => fc.record({ versions: fc.constant(versions), install: randomInstall(versions) }))
}

function randomInstall(versions: readonly RandomVersion[]): fc.Arbitrary<RandomInstall | undefined> {
  if (versions.length === 0) return fc.constant(undefined)
  const version = fc.constantFrom(...versions).map((each) => each.version)
  return fc.option(fc.record({ version, generated: fc.boolean() }), { nil: undefined, freq: 1 })
}

function randomDependency(count: number, { ranges, hasAlternatives, hasOptional }: Words): fc.Arbitrary<RandomDependency> {
  const one = fc.record({ package: fc.nat(count - 1), range: fc.constantFrom(...ranges) })
  return fc.record({
    anyOf: fc.oneof(
      { weight: 4, arbitrary: fc.tuple(one) },
      { weight: hasAlternatives ? 1 : 0, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) },
    ),
    optional: hasOptional ? oneIn(6) : fc.constant(false),
  })
}

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.nat(n - 1).map((number) => number === n - 1)
}
