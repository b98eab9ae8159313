import { compareText, formatFieldPath } from '../field-path.ts'
import { remember } from '../remember.ts'
import { formatResourceRef } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { checkGraph } from './check-graph.ts'
import { checkRequirements, type Policy } from './check-requirements.ts'
import { ECOSYSTEMS, nameOfContent, PACKAGE_DEFINITIONS } from './ecosystems.ts'
import type { FieldPlace, Finding } from './finding.ts'
import { checkImplied } from './implied/implied.ts'
import { checkOwners } from './owners.ts'
import { packagesIn } from './package-index.ts'
import { PORCH } from './porch/porch.ts'
import { type ReadInput, readObjects } from './read-objects.ts'
import { ownedObjects } from './reading/object-metadata.ts'
import { directRequirements } from './requirements.ts'

/** Returns every fault, missing package and unknown of the packages of one cluster, as findings. Changes nothing. */
export function checkObjects(input: ReadInput, policy: Policy): Finding[] {
  const { all, indexes, kinds, findings } = readObjects(input)
  const brought = all.flatMap((reading) => reading.brought.map((each) => ({ ...each, ecosystem: reading.ecosystem })))
  const ofObjects = all.flatMap((reading) => reading.findings())
  const ofRequirements = indexes.flatMap((index) => checkRequirements(index, kinds, policy))
  return [
    ...findings,
    ...ofObjects,
    ...besideFaults(ofRequirements, ofObjects),
    ...indexes.flatMap(checkGraph),
    ...checkOwners(brought, ownedObjects(input.objects, nameOfContent)),
    ...checkImplied(input.objects, { kinds, definitions: PACKAGE_DEFINITIONS, isAppliedBefore: groupsAppliedBefore() }),
  ]
}

/**
 * Returns the findings that stand beside the faults of requirements: after the correction the next check reports more. Where a requirement
 * has a fault, an unknown package is an info, and no ranges are in conflict, since the range that was meant is not known.
 */
function besideFaults(findings: readonly Finding[], faults: readonly Finding[]): readonly Finding[] {
  const faulty = new Set(faults.flatMap(({ rule, place }) => (OF_REQUIREMENTS.has(rule) ? [keyOf(place)] : [])))
  return findings.flatMap((each) => {
    const isLess = each.rule === 'dependency-unverified' || each.rule === 'dependency-conflict'
    if (!isLess || !faulty.has(keyOf(each.place))) return [each]
    const { severity: _, ...info } = each
    return each.rule === 'dependency-conflict' ? [] : [info]
  })
}

/** Returns the key of a field. The line does not do: one line may have several requirements. */
function keyOf({ ref, file, path }: FieldPlace): string {
  return `${formatResourceRef(ref)} ${file?.path ?? ''} ${file?.index ?? ''} ${formatFieldPath(path)}`
}

const OF_REQUIREMENTS: ReadonlySet<RuleId> = new Set(['constraint-invalid', 'dependency-form-invalid'])

/** Returns the findings on the forms of objects that are installed nowhere, such as those of an upstream package. */
export function checkForms(input: ReadInput): Finding[] {
  return readObjects(input).all.flatMap((reading) => [...reading.faults()])
}

/** Returns the findings between variants, package revisions and pipelines of a whole fleet. */
export function checkDerivations(input: ReadInput): Finding[] {
  return readObjects(input, [PORCH]).all.flatMap((reading) => [...reading.findings()])
}

/**
 * Returns a function that returns true for the API groups of package managers: their definitions are applied before any package, or never.
 * The answers are remembered, since a list has many objects of few groups.
 */
function groupsAppliedBefore(): (group: string) => boolean {
  const known = new Map<string, boolean>()
  return (group) => remember(known, group, () => ECOSYSTEMS.some(({ groups }) => groups.test(group)))
}

/** One package that another requires. */
export interface RequiredPackage {
  readonly ecosystem: string
  /** The requiring package, as messages name it. */
  readonly from: string
  readonly to: string
  /** The range as written; '' for any version. */
  readonly range: string
  readonly isInstalled: boolean
  /** The cluster that has the requirement; undefined in a list without clusters. */
  readonly cluster: string | undefined
}

/**
 * Returns the names of required packages that are neither installed nor known in any version, sorted. Optional requirements are left out.
 */
export function unknownPackages(input: ReadInput): readonly string[] {
  const unknown = readObjects(input).indexes.flatMap(({ dependents, isProvided }) =>
    directRequirements(dependents).flatMap(({ requirement: { package: pkg, optional } }) =>
      optional || isProvided(pkg) || pkg.installs.length > 0 || pkg.versions.length > 0 ? [] : [pkg.name],
    ),
  )
  return [...new Set(unknown)].sort(compareText)
}

/** Returns every requirement on a package of a cluster, of every ecosystem. Of alternatives, each package is one. */
export function requiredPackages(input: ReadInput, cluster: string | undefined): readonly RequiredPackage[] {
  return readObjects(input).indexes.flatMap(({ ecosystem, dependents }) =>
    dependents.flatMap(({ id, requirements }) =>
      requirements.flatMap(packagesIn).map(({ package: pkg, range, digest }) => ({
        ecosystem,
        from: id,
        to: pkg.id,
        range: range?.text ?? digest ?? '',
        isInstalled: pkg.installs.length > 0,
        cluster,
      })),
    ),
  )
}
