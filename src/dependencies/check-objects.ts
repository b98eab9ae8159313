import { groupBy } from '../group-by.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { checkRequirements } from './check-requirements.ts'
import { contentName, DEFINITIONS, ECOSYSTEMS, type Options } from './ecosystems.ts'
import type { Finding } from './finding.ts'
import { checkImplied } from './implied/implied.ts'
import type { Policy } from './judge.ts'
import { checkOwners } from './owners.ts'
import { readCatalogs } from './reading/catalog.ts'
import { definitionsAmong } from './reading/definitions.ts'
import type { Ecosystem } from './reading/ecosystem.ts'
import type { Field } from './reading/field.ts'
import { ownedObjects } from './reading/owned-objects.ts'
import { type GivenApi, servedKinds } from './reading/served-kinds.ts'
import { checkShape } from './shape.ts'

/** What is read, and how. */
export interface CheckInput {
  readonly objects: readonly KrmObject[]
  /** Lists of packages that may be installed, in the order in which they count. */
  readonly catalogs: readonly Field[]
  /** APIs that the cluster serves. */
  readonly apis: readonly GivenApi[]
  readonly options: Options
  readonly policy: Policy
}

/** Everything that is wrong, missing or not known about the dependencies of every ecosystem. Changes nothing. */
export function checkObjects({ objects, catalogs, apis, options, policy }: CheckInput): Finding<string>[] {
  const { packages, findings } = readCatalogs(catalogs)
  const objectsOf = partition(objects)
  const readings = ECOSYSTEMS.map((each) => {
    const listed = packages.filter(({ ecosystem }) => ecosystem === each.id)
    return { ecosystem: each.id, ...each.read(objectsOf(each), listed, options) }
  })
  const definitions = definitionsAmong(objects, DEFINITIONS)
  const provided = readings.flatMap((reading) => reading.provided)
  const kinds = servedKinds(definitions, apis, provided)
  const brought = readings.flatMap((reading) => reading.brought.map((each) => ({ ...each, ecosystem: reading.ecosystem })))
  return [
    ...findings,
    ...readings.flatMap((reading) => reading.findings),
    ...readings.flatMap(({ universe }) =>
      universe === undefined ? [] : [...checkRequirements(universe, kinds, policy), ...checkShape(universe)],
    ),
    ...checkOwners(brought, ownedObjects(objects, contentName)),
    ...checkImplied(objects, { kinds, definitions: DEFINITIONS, isAppliedBefore }),
  ]
}

// Objects go to every ecosystem that reads their group, in the order of the groups.
function partition(objects: readonly KrmObject[]): (ecosystem: Ecosystem) => readonly KrmObject[] {
  const byGroup = [...groupBy(objects, ({ apiVersion = '' }) => groupOf(apiVersion))]
  return ({ groups, groupsBeside }) =>
    byGroup.flatMap(([group, members]) => (groups.test(group) || groupsBeside?.has(group) === true ? members : []))
}

// What makes packages is applied before them, or never.
function isAppliedBefore(group: string): boolean {
  return ECOSYSTEMS.some(({ groups }) => groups.test(group))
}
