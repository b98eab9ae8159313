import type { RandomDependency, RandomPackages } from './random-packages.ts'

/** The version of each package that is there, by its number. */
export type State = readonly (string | undefined)[]

/** Every state that the options allow in which all requirements hold: the rules once more, in the plainest words. */
export function allowedStates(given: RandomPackages): State[] {
  let states: State[] = [[]]
  for (const each of given.packages) {
    const versions = allowedVersions(each, given)
    states = states.flatMap((state) => versions.map((version) => [...state, version]))
  }
  return states.filter((state) => holds(given, state))
}

function allowedVersions(
  { versions, install }: RandomPackages['packages'][number],
  { upgrades, downgrades, prune }: RandomPackages,
): (string | undefined)[] {
  const known = versions.map(({ version }) => version)
  if (install === undefined) return [undefined, ...known]
  if (!install.generated && upgrades !== 'all') return [install.version]
  const reachable = known.filter((version) => downgrades || version >= install.version)
  return install.generated && prune ? [undefined, ...reachable] : reachable
}

function holds({ packages }: RandomPackages, state: State): boolean {
  return packages.every(({ versions }, number) => {
    const there = versions.find(({ version }) => version === state[number])
    return there === undefined || there.dependencies.every((each) => isMet(each, state))
  })
}

function isMet({ anyOf, optional }: RandomDependency, state: State): boolean {
  return anyOf.some(({ package: number, range }) => {
    const version = state[number]
    return version === undefined ? optional : range === undefined || RANGES[range]?.includes(version) === true
  })
}

// Of the versions that there are, those in each range: written down, so that no reader of ranges judges itself.
const RANGES: Readonly<Record<string, readonly string[]>> = {
  '>=1.0.0': ['1.0.0', '1.1.0', '1.2.0', '1.3.0'],
  '>=1.1.0': ['1.1.0', '1.2.0', '1.3.0'],
  '^1.1.0': ['1.1.0', '1.2.0', '1.3.0'],
  '<1.2.0': ['1.0.0', '1.1.0'],
  '>=1.1.0 <1.3.0': ['1.1.0', '1.2.0'],
  '~1.2.0': ['1.2.0'],
  '1.1.0': ['1.1.0'],
  '<1.1.0': ['1.0.0'],
  '1.0.0': ['1.0.0'],
  '1.0.0 || 1.3.0': ['1.0.0', '1.3.0'],
  '>1.0.0 <1.2.0 || 1.3.0': ['1.1.0', '1.3.0'],
}
