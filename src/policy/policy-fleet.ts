import { LazyMap, lazyRecord, lazyValue } from '../cel/lazy-map.ts'
import type { CelValue, MapValue } from '../cel/value.ts'
import { celValue, sortedTexts } from '../cel/variables.ts'
import type { FieldPath } from '../field-path.ts'
import type { FleetObject } from '../fleet/fleet.ts'
import type { FleetPlan } from '../fleet/plan-fan-out.ts'
import { type PlannedVariant, plannedVariants } from '../fleet/planned-variants.ts'
import { typeOfKind } from '../fleet/targets/kind-types.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import type { ItemKind } from '../kinds/fleet-policy-schema.ts'
import { once, remember } from '../remember.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { findingsOf, formatResourceRef, type ResourceRef, type Result } from '../result.ts'
import { namespacedName } from '../variant/find-variant.ts'
import { isRepository, PACKAGE_VARIANT_API, REPOSITORY_API, VARIANT_ANNOTATION } from '../well-known.ts'
import type { PolicyPackage, PolicyPackages } from './policy-packages.ts'
import type { TypeOfKind } from './policy-types.ts'

/** A target, variant, package or object that policies look at. */
export interface PolicyItem {
  /** The variable `item` of expressions. */
  readonly value: CelValue
  /** Returns the name of the item in messages: `Deployment tills of package store-01/tills`. */
  readonly name: () => string
  /** The object that findings are about. */
  readonly ref: ResourceRef
  /** Returns the Secrets of the item; unset for an item that is an object. */
  readonly secrets?: () => readonly KrmObject[]
  /** The object and the field that the item comes from: of a variant that a set makes, the set and its target. */
  readonly source: { readonly object: KrmObject; readonly path: FieldPath }
}

/** The whole fleet as policies see it. Each list is made once, at its first use, and all policies share the values. */
export interface PolicyFleet {
  items(kind: ItemKind): readonly PolicyItem[]
  /** Returns the value of `variants`, `packages` or `repositories`. */
  whole(name: string): CelValue
  readonly typeOfKind: TypeOfKind
  /** Returns the faults of objects that could not be read so far. */
  faults(): readonly Result[]
}

/** A fleet, and what its sets ask for. */
export type FleetWithSets = Pick<FleetPlan, 'fleet' | 'sets'>

const NAME: FieldPath = ['metadata', 'name']

/** Returns the fleet as policies see it after a plan: with the variants that sets ask for, and those that no set owns. */
export function policyFleet(plan: FleetWithSets, packagesOf: PolicyPackages): PolicyFleet {
  const values = new ObjectValues()
  const variants = once(() => plannedVariants(plan).map((variant) => describeVariant(variant, plan, values)))
  const targets = once(() => describeTargets(plan, variants(), values))
  const packages = once(() => describePackages(packagesOf, variants(), values))
  const objects = once(() => packages().flatMap((each) => each.objects()))
  const lists: Readonly<Record<ItemKind, () => readonly PolicyItem[]>> = { targets, variants, packages, objects }
  const wholes: Readonly<Record<string, () => CelValue>> = {
    variants: once(() => variants().map(({ value }) => value)),
    packages: once(() => packages().map(({ value }) => value)),
    repositories: once(() =>
      targets()
        .filter(({ ref }) => isRepository(ref))
        .map(({ value }) => value),
    ),
  }
  return {
    items: (kind) => lists[kind](),
    whole: (name) => wholes[name]?.() ?? null,
    typeOfKind: (apiVersion, kind) => typeOfKind(plan.fleet, apiVersion, kind),
    faults: () => values.faults,
  }
}

/** The values of objects, each made once. */
class ObjectValues {
  readonly faults: Result[] = []
  readonly #targets = new Map<KrmObject, MapValue>()
  readonly #upstreams = new Map<JsonValue, CelValue>()
  readonly #objects = new Map<KrmObject, CelValue | undefined>()

  /** Returns a target or Repository: the fields that the expressions of templates see, and its kind. */
  target({ apiVersion, kind, name, namespace, labels, annotations, object }: FleetObject): MapValue {
    return remember(this.#targets, object, () => placeValue({ apiVersion, kind, name, namespace, labels, annotations }))
  }

  /** Returns an object of a package; undefined if the object cannot be read. */
  object(object: KrmObject): CelValue | undefined {
    if (this.#objects.has(object)) return this.#objects.get(object)
    const json = this.#read(object, () => object.toJson())
    const value = isRecord(json) ? lazyValue(withMetadata(json)) : undefined
    this.#objects.set(object, value)
    return value
  }

  /** Returns the fields of `spec` of a variant; {} if the variant has none. */
  fields({ spec, object }: PlannedVariant): JsonRecord {
    return asRecord(spec ?? this.#read(object, () => object.get(['spec'])))
  }

  /** Returns the value of the fields of `spec` of a variant. */
  spec(fields: JsonRecord): CelValue {
    return lazyRecord(fields, (value, key) => (key === 'upstream' ? this.#upstream(value) : lazyValue(value)))
  }

  /** Returns the upstream of a variant as CEL reads it. The variants of a set share their upstream, which most policies read. */
  #upstream(json: JsonValue): CelValue {
    const value = this.#upstreams.get(json) ?? celValue(json)
    this.#upstreams.set(json, value)
    return value
  }

  #read(object: KrmObject, read: () => JsonValue | undefined): JsonValue | undefined {
    let value: JsonValue | undefined
    const faults = findingsOf(() => {
      value = read()
      return []
    })
    if (faults.length > 0)
      this.faults.push(...faults.map((fault) => (fault.file || !object.file ? fault : { ...fault, file: object.file })))
    return value
  }
}

/** Returns an object whose `metadata` has a name, a namespace, labels and annotations, '' and {} if the object has none. */
function withMetadata(json: JsonRecord): JsonRecord {
  const metadata = asRecord(lookup(json, 'metadata'))
  const written = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))
  return { ...json, metadata: { name: '', namespace: '', labels: {}, annotations: {}, ...written } }
}

/** A variant with the target that it was made for and the Repository that it goes to. */
interface VariantItem extends PolicyItem {
  readonly variant: PlannedVariant
  /** The fields of `spec`, of a variant that a person wrote too. */
  readonly spec: JsonRecord
  readonly target: FleetObject | undefined
  readonly repository: FleetObject | undefined
}

function describeVariant(variant: PlannedVariant, { fleet }: FleetWithSets, values: ObjectValues): VariantItem {
  const { name, namespace, labels, annotations, object, path } = variant
  const repository = fleet.repositories(namespace).get(variant.repo)
  const target = variant.target ?? repository
  const place = repository === undefined ? repositoryNamed(variant.repo, namespace) : values.target(repository)
  const spec = values.fields(variant)
  const metadata = new Map<CelValue, CelValue>()
    .set('annotations', sortedTexts(annotations))
    .set('labels', sortedTexts(labels))
    .set('name', name)
    .set('namespace', namespace)
  const value = new Map<CelValue, CelValue>()
    .set('apiVersion', PACKAGE_VARIANT_API)
    .set('kind', 'PackageVariant')
    .set('metadata', metadata)
    .set('repository', place)
    .set('ring', variant.ring)
    .set('spec', values.spec(spec))
    .set('target', target === undefined ? place : values.target(target))
  const ref = { apiVersion: PACKAGE_VARIANT_API, kind: 'PackageVariant', name, namespace }
  return { variant, spec, target, repository, value, name: () => formatResourceRef(ref), ref, source: { object, path } }
}

/** Returns a Repository of which the fleet has only the name. */
function repositoryNamed(name: string, namespace: string): CelValue {
  return placeValue({ apiVersion: REPOSITORY_API, kind: 'Repository', name, namespace, labels: NO_TEXTS, annotations: NO_TEXTS })
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map()

function placeValue({ apiVersion, kind, name, namespace, labels, annotations }: Omit<FleetObject, 'object'>): MapValue {
  return new Map<CelValue, CelValue>()
    .set('annotations', sortedTexts(annotations))
    .set('apiVersion', apiVersion)
    .set('kind', kind)
    .set('labels', sortedTexts(labels))
    .set('name', name)
    .set('namespace', namespace)
}

/**
 * Returns every object that a set could select: the Repositories, and the objects of each kind that an objectSelector names. The variants
 * of a Repository are those that go to it, the variants of another object those that were made for it.
 */
function describeTargets({ fleet, sets }: FleetWithSets, variants: readonly VariantItem[], values: ObjectValues): readonly PolicyItem[] {
  const repositories = fleet.ofVersion(REPOSITORY_API, 'Repository')
  const selected = sets.flatMap(({ set }) =>
    (set?.targets ?? []).flatMap(({ criteria }) =>
      criteria.type === 'objectSelector' ? fleet.ofVersion(criteria.apiVersion, criteria.kind) : [],
    ),
  )
  const own = new Map<KrmObject, CelValue[]>()
  for (const { target, repository, value } of variants) {
    const places = target?.object === repository?.object ? [target] : [target, repository]
    for (const { object } of places.flatMap((place) => place ?? [])) {
      remember(own, object, () => []).push(value)
    }
  }
  const all = new Map([...repositories, ...selected].map((target) => [target.object, target]))
  return [...all.values()].map((target) => {
    const { object } = target
    const value = new Map(values.target(target)).set('variants', own.get(object) ?? [])
    return { value, name: () => formatResourceRef(object.ref), ref: object.ref, source: { object, path: NAME } }
  })
}

function asMap(value: CelValue): MapValue {
  return value instanceof Map ? value : new Map()
}

/** A package with the objects in it. */
interface PackageItem extends PolicyItem {
  readonly objects: () => readonly PolicyItem[]
}

/** Returns the packages that were made for a variant: those with an owner annotation, and those in the place of a variant. */
function describePackages(packagesOf: PolicyPackages, variants: readonly VariantItem[], values: ObjectValues): readonly PackageItem[] {
  const byMark = new Map(variants.map((item) => [namespacedName(item.variant), item]))
  const byPlace = new Map(variants.map((item) => [`${item.variant.repo}/${item.variant.packageName}`, item]))
  const variantOf = ({ annotations }: KrmObject, folder: string): VariantItem | undefined => {
    const mark = annotations.get(VARIANT_ANNOTATION)
    return mark === undefined ? placesOf(folder).flatMap((place) => byPlace.get(place) ?? [])[0] : byMark.get(mark)
  }
  const states = packagesOf((kptfile, folder) => kptfile.annotations.has(VARIANT_ANNOTATION) || variantOf(kptfile, folder) !== undefined)
  return states.map((state) => describePackage(state, variantOf(state.kptfile, state.folder), values))
}

/** Returns the ends of a folder's path: `a/b/c` → `a/b/c`, `b/c`, `c`. */
function placesOf(folder: string): readonly string[] {
  const steps = folder.split('/')
  return steps.map((_, i) => steps.slice(i).join('/'))
}

function describePackage({ folder, kptfile, objects }: PolicyPackage, item: VariantItem | undefined, values: ObjectValues): PackageItem {
  const name = `package ${item === undefined ? folder : `${item.variant.repo}/${item.variant.packageName}`}`
  const own = once(() =>
    objects().flatMap((object) => {
      const value = values.object(object)
      return value === undefined ? [] : [{ object, value }]
    }),
  )
  const given = asRecord(lookup(item?.spec ?? {}, 'labels'))
  const labels = new Map([...kptfile.labels, ...Object.entries(given).map(([key, text]) => [key, scalarText(text)] as const)])
  const fields: Readonly<Record<string, () => CelValue>> = {
    annotations: () => sortedTexts(kptfile.annotations),
    labels: () => sortedTexts(labels),
    name: () => item?.variant.packageName ?? kptfile.name ?? '',
    objects: () => own().map((object) => object.value),
    repository: () => (item === undefined ? repositoryNamed('', '') : (asMap(item.value).get('repository') ?? null)),
    ...(item && { variant: () => item.value }),
  }
  const value: CelValue = new LazyMap(
    () => Object.keys(fields),
    (key) => (Object.hasOwn(fields, key) ? fields[key]?.() : undefined),
  )
  // An object as an item is the object itself with its package.
  const objectItem = (each: { readonly object: KrmObject; readonly value: CelValue }): PolicyItem => ({
    value: new Map(asMap(each.value)).set('package', value),
    name: () => `${formatResourceRef(each.object.ref)} of ${name}`,
    ref: each.object.ref,
    source: { object: each.object, path: NAME },
  })
  const secrets = () => own().flatMap((each) => (each.object.kind === 'Secret' ? [each.object] : []))
  return {
    value,
    name: () => name,
    ref: kptfile.ref,
    secrets,
    source: { object: kptfile, path: NAME },
    objects: () => own().map(objectItem),
  }
}
