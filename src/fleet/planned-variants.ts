import type { FieldPath } from '../field-path.ts'
import { asRecord, type JsonRecord, lookup, scalarText } from '../json.ts'
import type { UpstreamFields } from '../kinds/upstream-schema.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { PORCH_CONFIG_GROUP } from '../well-known.ts'
import type { VariantChange } from './change.ts'
import { downstreamOf } from './downstream.ts'
import { type FleetObject, packageKey } from './fleet.ts'
import { ownerMetadata } from './ownership.ts'
import type { FleetPlan, SetPlan } from './plan-fan-out.ts'

/** A PackageVariant of the fleet after a plan. */
export interface PlannedVariant {
  readonly name: string
  readonly namespace: string
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
  /** The name of the set that asks for the variant; '' for a variant that no set owns. */
  readonly set: string
  /** The ring of a matrix that the variant is in; '' for a variant of no ring. */
  readonly ring: string
  /** The number of rings before the ring of the variant; 0 for a variant of no ring. */
  readonly ringsBefore: number
  /** `spec.downstream` */
  readonly repo: string
  readonly packageName: string
  /** `spec` after the plan; undefined for a variant that no set owns, whose `object` has its spec. */
  readonly spec: JsonRecord | undefined
  /** The object that a set selected; undefined for listed repositories, and for a variant that no set owns. */
  readonly target: FleetObject | undefined
  /** The field that the variant comes from: in the variant's own file if it has one, else in its set. */
  readonly object: KrmObject
  readonly path: FieldPath
}

/**
 * Returns the variants of a fleet after a plan: those that sets ask for, and those that no set owns. The variants of a set that could not
 * be planned stay as they are.
 */
export function plannedVariants({ fleet, sets }: Pick<FleetPlan, 'fleet' | 'sets'>): readonly PlannedVariant[] {
  const planned = sets.flatMap(variantsOfSet)
  const settled = new Set(sets.flatMap(({ changes }) => changes.flatMap(({ existing }) => existing?.object ?? [])))
  const others = fleet.allOf(PORCH_CONFIG_GROUP, 'PackageVariant').filter(({ object }) => !settled.has(object))
  if (others.length === 0) return planned
  // A fleet whose sets were fanned out has the variants of its sets, too.
  const names = new Set(planned.map(({ namespace, name }) => `${namespace}/${name}`))
  return [...planned, ...others.filter(({ namespace, name }) => !names.has(`${namespace}/${name}`)).map(presentVariant)]
}

/** The variants of a fleet by the packages that they make. */
export class PackageMakers {
  readonly #makers: ReadonlyMap<string, PlannedVariant>

  constructor(planned: readonly PlannedVariant[]) {
    this.#makers = new Map(planned.map((each) => [packageKey(each.namespace, each.repo, each.packageName), each]))
  }

  /** Returns the variant that makes the package of an upstream; undefined for a package that no variant makes. */
  of({ repo, package: packageName }: UpstreamFields, namespace: string): PlannedVariant | undefined {
    return this.#makers.get(packageKey(namespace, repo, packageName))
  }
}

/**
 * Returns the upstream of a variant after a plan. A revision is a number or text as written; fields that are missing or blank are unset.
 */
export function upstreamOfPlanned({ spec, object }: PlannedVariant): UpstreamFields {
  const { repo, package: name, revision, workspaceName } = asRecord((spec ?? asRecord(object.get(['spec']))).upstream)
  const number = typeof revision === 'number' ? revision : scalarText(revision)
  return {
    repo: scalarText(repo),
    package: scalarText(name),
    ...(number !== '' && { revision: number }),
    ...(scalarText(workspaceName) !== '' && { workspaceName: scalarText(workspaceName) }),
  }
}

function variantsOfSet({ object, owner, changes, set }: SetPlan): readonly PlannedVariant[] {
  const metadata = ownerMetadata('', object.namespace, owner)
  const marks = { labels: textsAt(metadata, 'labels'), annotations: textsAt(metadata, 'annotations') }
  return changes.flatMap(({ op, name, namespace, existing, after, why }: VariantChange): readonly PlannedVariant[] => {
    if (after === undefined) return []
    const own = op === 'rename' ? undefined : existing
    const { labels, annotations } = own ?? marks
    const downstream = asRecord(after.downstream)
    const source = own === undefined ? { object, path: why?.place.path ?? SPEC } : { object: own.object, path: NAME }
    const [repo, packageName] = [scalarText(downstream.repo), scalarText(downstream.package)]
    const place = why?.place
    const ring = { ring: place?.ring?.name ?? '', ringsBefore: place?.ring === undefined ? 0 : (set?.rings.indexOf(place.ring) ?? 0) }
    return [
      {
        name,
        namespace,
        set: owner.name,
        labels,
        annotations,
        ...ring,
        repo,
        packageName,
        spec: after,
        target: why?.place.object,
        ...source,
      },
    ]
  })
}

const SPEC: FieldPath = ['spec']
const NAME: FieldPath = ['metadata', 'name']

function textsAt(metadata: JsonRecord, key: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(asRecord(lookup(metadata, key))).map(([name, text]) => [name, scalarText(text)]))
}

function presentVariant(variant: FleetObject): PlannedVariant {
  const { name, namespace, labels, annotations, object } = variant
  const { repo = '', package: packageName = '' } = downstreamOf(variant) ?? {}
  return {
    name,
    namespace,
    labels,
    annotations,
    set: '',
    ring: '',
    ringsBefore: 0,
    repo,
    packageName,
    spec: undefined,
    target: undefined,
    object,
    path: NAME,
  }
}
