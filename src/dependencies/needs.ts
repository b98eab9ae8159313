import { compareText } from '../field-path.ts'
import { remember } from '../remember.ts'
import {
  type Dependent,
  type Install,
  isMetBy,
  type Leaf,
  leavesOf,
  type Package,
  type PackageIndex,
  type Requirement,
  type ServedKinds,
} from './package-index.ts'

/** A requirement on a package, or on a kind that the package provides, with the dependent that has the requirement. */
export interface Need {
  readonly dependent: Dependent
  readonly requirement: Requirement
  /** Returns true if an install of the package meets the requirement. */
  readonly isMetBy: (install: Install) => boolean
}

/** The needs of all dependents of an index, by the package that they need. Of alternatives, each package is needed. */
export type Needs = ReadonlyMap<Package, readonly Need[]>

/** Returns the needs of all dependents of an index. */
export function needsOf({ dependents }: Pick<PackageIndex, 'dependents'>, kinds: ServedKinds): Needs {
  const needs = new Map<Package, Need[]>()
  for (const dependent of dependents) {
    for (const requirement of dependent.requirements.flatMap(leavesOf)) {
      for (const { package: pkg, isMetBy } of neededBy(requirement, dependent.package, kinds)) {
        remember(needs, pkg, (): Need[] => []).push({ dependent, requirement, isMetBy })
      }
    }
  }
  return needs
}

/** Returns the needs that an install meets, by the name of their dependent. */
export function needsMetBy(install: Install, needs: Needs): readonly Need[] {
  const met = (needs.get(install.package) ?? []).filter((need) => need.isMetBy(install))
  return met.toSorted((a, b) => compareText(a.dependent.name, b.dependent.name))
}

function neededBy(
  requirement: Leaf,
  by: Package | undefined,
  kinds: ServedKinds,
): (Pick<Need, 'isMetBy'> & { readonly package: Package })[] {
  if (requirement.type === 'package') return [{ package: requirement.package, isMetBy: (install) => isMetBy(install, requirement) }]
  if (requirement.type !== 'gvk' || kinds.servesAnyway(requirement.wanted)) return []
  return kinds.providersOf(requirement.wanted).flatMap(({ packageFor, version }) => {
    const pkg = packageFor(by)
    return pkg === undefined ? [] : [{ package: pkg, isMetBy: ({ text }: Install) => text === version }]
  })
}
