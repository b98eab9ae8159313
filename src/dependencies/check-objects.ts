import { groupBy } from '../group-by.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { readCarvel } from './carvel/read-carvel.ts'
import { checkRequirements } from './check-requirements.ts'
import { readCrossplane } from './crossplane/read-crossplane.ts'
import type { Finding } from './finding.ts'
import { readGlasskube } from './glasskube/read-glasskube.ts'
import type { Policy } from './judge.ts'
import { checkOwners } from './owners.ts'
import { readPorch } from './porch/read-porch.ts'
import { checkImplied } from './porch/rules/implied.ts'
import { readCatalogs } from './reading/catalog.ts'
import type { Field } from './reading/field.ts'
import type { FrontEndReading } from './reading/front-end.ts'
import type { ReadOptions } from './reading/options.ts'
import { type GivenApi, servedKinds } from './reading/served-kinds.ts'
import { checkShape } from './shape.ts'
import type { Ecosystem } from './universe.ts'

/** What is read, and how. */
export interface CheckInput {
  readonly objects: readonly KrmObject[]
  /** Lists of packages that may be installed, in the order in which they count. */
  readonly catalogs: readonly Field[]
  /** APIs that the cluster serves. */
  readonly apis: readonly GivenApi[]
  readonly options: ReadOptions
  readonly policy: Policy
}

/** Everything that is wrong, missing or not known about the dependencies of all four ecosystems. Changes nothing. */
export function checkObjects({ objects, catalogs, apis, options, policy }: CheckInput): Finding[] {
  const { packages, findings } = readCatalogs(catalogs)
  const own = partition(objects)
  const readings = [
    readCarvel(own.carvel, packages, options),
    readCrossplane(own.crossplane, packages, options),
    readGlasskube(own.glasskube, packages, options),
  ]
  const kinds = servedKinds(
    objects,
    apis,
    readings.flatMap(({ provided }) => provided),
  )
  return [
    ...findings,
    ...readings.flatMap((reading) => reading.findings),
    ...readings.flatMap(({ universe }) => [...checkRequirements(universe, kinds, policy), ...checkShape(universe)]),
    ...checkOwners(readings.flatMap(broughtObjects), objects),
    ...readPorch(own.kpt, packages, options),
    ...checkImplied(objects, kinds),
  ]
}

// The API groups each front end reads; what others bring beside them (definitions, Namespaces) goes along.
const GROUPS: Readonly<Record<Ecosystem, RegExp>> = {
  carvel: /(^|\.)carvel\.dev$|^$/,
  crossplane: /(^|\.)(crossplane\.io|upbound\.io)$|^apiextensions\.k8s\.io$/,
  glasskube: /^packages\.glasskube\.dev$/,
  kpt: /(^|\.)kpt\.dev$/,
}

function partition(objects: readonly KrmObject[]): Readonly<Record<Ecosystem, readonly KrmObject[]>> {
  const byGroup = [...groupBy(objects, ({ apiVersion = '' }) => groupOf(apiVersion))]
  const ofEcosystem = (ecosystem: Ecosystem) => byGroup.flatMap(([group, members]) => (GROUPS[ecosystem].test(group) ? members : []))
  return {
    carvel: ofEcosystem('carvel'),
    crossplane: ofEcosystem('crossplane'),
    glasskube: ofEcosystem('glasskube'),
    kpt: ofEcosystem('kpt'),
  }
}

function broughtObjects({ universe, brought }: FrontEndReading): Parameters<typeof checkOwners>[0] {
  return brought.map((each) => ({ ...each, ecosystem: universe.ecosystem }))
}
