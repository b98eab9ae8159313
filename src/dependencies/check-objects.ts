import { compareText } from '../field-path.ts'
import { checkRequirements } from './check-requirements.ts'
import { ECOSYSTEMS, nameOfContent, PACKAGE_DEFINITIONS } from './ecosystems.ts'
import type { Finding } from './finding.ts'
import { checkImplied } from './implied/implied.ts'
import type { Policy } from './judge.ts'
import { checkOwners } from './owners.ts'
import { type ReadInput, readObjects } from './read-objects.ts'
import { ownedObjects } from './reading/owned-objects.ts'
import { packagesIn } from './requirement-leaves.ts'
import { checkShape } from './shape.ts'

/** Everything that is wrong, missing or not known about the dependencies of every ecosystem. Changes nothing. */
export function checkObjects(input: ReadInput, policy: Policy): Finding<string>[] {
  const { all, kinds, findings } = readObjects(input)
  const brought = all.flatMap((reading) => reading.brought.map((each) => ({ ...each, ecosystem: reading.ecosystem })))
  return [
    ...findings,
    ...all.flatMap((reading) => reading.findings()),
    ...all.flatMap(({ universe }) =>
      universe === undefined ? [] : [...checkRequirements(universe, kinds, policy), ...checkShape(universe)],
    ),
    ...checkOwners(brought, ownedObjects(input.objects, nameOfContent)),
    ...checkImplied(input.objects, { kinds, definitions: PACKAGE_DEFINITIONS, isAppliedBefore }),
  ]
}

// What makes packages is applied before them, or never.
function isAppliedBefore(group: string): boolean {
  return ECOSYSTEMS.some(({ groups }) => groups.test(group))
}

/** One package that another requires. */
export interface RequiredPackage {
  readonly ecosystem: string
  /** As messages name them. */
  readonly from: string
  readonly to: string
  /** The range as written; '' for any version. */
  readonly range: string
  readonly isInstalled: boolean
}

/** The packages that are required and not there, and of which no version is known, by name: where others may be installed they are left to others. */
export function unknownPackages(input: ReadInput): readonly string[] {
  const required = readObjects(input).all.flatMap(({ universe }) =>
    (universe?.dependents ?? []).flatMap(({ requirements }) => requirements),
  )
  const unknown = required.flatMap((requirement) => {
    if (requirement.type !== 'package' || requirement.optional) return []
    const { name, installs, versions } = requirement.target
    return installs.length === 0 && versions.length === 0 ? [name] : []
  })
  return [...new Set(unknown)].sort(compareText)
}

/** What requires what, in every ecosystem; of alternatives each that is a package. */
export function requiredPackages(input: ReadInput): readonly RequiredPackage[] {
  return readObjects(input).all.flatMap(({ ecosystem, universe }) =>
    (universe?.dependents ?? []).flatMap(({ id, requirements }) =>
      requirements.flatMap(packagesIn).map(({ target, range, digest }) => ({
        ecosystem,
        from: id,
        to: target.id,
        range: range?.text ?? digest ?? '',
        isInstalled: target.installs.length > 0,
      })),
    ),
  )
}
