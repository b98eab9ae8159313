import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { isRecord, type JsonRecord, lookup, newRecord } from '../../json.ts'
import { remember } from '../../remember.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS, type Dialect } from '../../versions/dialects.ts'
import { parseRelaxed, sortVersions } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import { selectionOf } from '../../yaml/read/key-selection.ts'
import { type RangeReader, rangeReader } from '../range.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { childField, childText, type ObjectField, textOfField } from '../reading/field.ts'
import { groupKind } from '../reading/object-metadata.ts'
import { CARVEL_TRAPS } from './constraint-traps.ts'
import { type DeclaredDependency, readDependencies } from './dependencies.ts'

/** The options of the function config that concern Carvel. */
export interface CarvelOptions {
  /** The semver of kapp-controller that reads ranges: the one of 2024 or of 2026. */
  readonly carvelSemver: '2024' | '2026'
  readonly kappControllerVersion?: string | undefined
  /** The namespace whose Packages kapp-controller makes visible in every namespace. */
  readonly globalPackageNamespace: string
  /** PackageInstalls that are known to be removed, each as `NAMESPACE/NAME`. */
  readonly removedInstalls?: ReadonlySet<string>
}

export const GLOBAL_PACKAGE_NAMESPACE = 'kapp-controller-packaging-global'

/**
 * The platforms whose versions a Package may limit: their names in messages and steps, in a Catalog, and of the field of a Package, the
 * option with the version, and the setting of an install that ignores them.
 */
export const PLATFORMS = [
  {
    name: 'Kubernetes',
    filter: 'kubernetes-version-check',
    id: 'kubernetes',
    range: 'kubernetesVersionSelection',
    option: 'kubernetesVersion',
    ignored: 'ignoreKubernetes',
  },
  {
    name: 'kapp-controller',
    filter: 'kapp-controller-version-check',
    id: 'kappController',
    range: 'kappControllerVersionSelection',
    option: 'kappControllerVersion',
    ignored: 'ignoreKappController',
  },
] as const

export type LimitedPlatform = (typeof PLATFORMS)[number]

/** A Package that may be selected, with the ranges of the platforms that it runs on. */
export interface SelectablePackage extends Readonly<Partial<Record<LimitedPlatform['range'], string | undefined>>> {
  readonly refName: string
  readonly version: string
}

/** A version of a Carvel package: a Package object, of which what counts here is read at once, or an entry of a catalog. */
export interface CarvelPackage extends SelectablePackage {
  /** Undefined: visible everywhere. */
  readonly namespace: string | undefined
  readonly installationType: string
  /** True when only the existence of this version is known. */
  readonly isBare: boolean
  /** Returns the field of the dependencies; undefined when they are not known. */
  dependencies(): ObjectField | undefined
  /** Returns the field of the kinds that this version provides; undefined when it certainly provides none. */
  provides(): ObjectField | undefined
  /** Returns the field of the objects that a catalog lists as part of this version. */
  brings(): ObjectField | undefined
  /** Returns the field with the range of a platform that the Package runs on. */
  rangeField(platform: LimitedPlatform): ObjectField
}

export function isCarvelPackage(object: KrmObject): boolean {
  return /^(data|internal)\.packaging\.carvel\.dev\/(Internal)?Package$/.test(groupKind(object))
}

export function isPackageMetadata(object: KrmObject): boolean {
  return /^(data|internal)\.packaging\.carvel\.dev\/(Internal)?PackageMetadata$/.test(groupKind(object))
}

/** Returns every known version of every Carvel package: Package objects first, then catalogs. Of equal versions the first is used. */
function knownPackages(written: readonly WrittenPackage[], catalog: readonly CatalogPackage[]): CarvelPackage[] {
  const packages = new Map<string, CarvelPackage>()
  const entries = catalog.filter(({ ecosystem }) => ecosystem === 'carvel')
  const listed = entries.flatMap((entry) => entry.versions.map(({ version, field }) => new ListedPackage(entry, version, field)))
  for (const each of [...written, ...listed]) {
    // A Package without refName or version is reported elsewhere.
    if (each.refName === '' || each.version === '') continue
    const key = `${each.namespace ?? '*'} ${each.refName} ${each.version}`
    if (packages.get(key)?.isBare !== false) packages.set(key, each)
  }
  return [...packages.values()]
}

// Leaves out the template and the schema of values: they are long, and an alias in them is no fault of the user.
const FIELDS = selectionOf({
  path: ['spec'],
  keys: ['refName', 'version', 'installationType', 'provides', ...PLATFORMS.map(({ range }) => range)],
})

// Read when they are needed, since a catalog has a hundred times more of them than of all other fields.
const DEPENDENCIES = selectionOf({ path: ['spec'], keys: ['dependencies'] })

/**
 * A Package object. Holds two texts of most objects: a catalog has hundreds of thousands of Packages, and what is read and not held is
 * freed at once.
 */
export class WrittenPackage implements CarvelPackage {
  readonly isBare = false
  readonly object: KrmObject
  /** The text of the object when it was read. */
  readonly text: string
  readonly refName: string
  readonly version: string
  /** The fields of `FIELDS`, if there are others than refName and version. */
  readonly #fields: JsonRecord

  constructor(object: KrmObject) {
    const spec = object.pick(FIELDS)[0] ?? NO_FIELDS
    const refName = lookup(spec, 'refName')
    const version = lookup(spec, 'version')
    this.object = object
    this.text = object.toText()
    this.refName = typeof refName === 'string' ? refName : ''
    this.version = typeof version === 'string' ? version : ''
    this.#fields = Object.keys(spec).every((key) => key === 'refName' || key === 'version') ? NO_FIELDS : spec
  }

  /** '' where it has none. */
  get name(): string {
    return this.object.name ?? ''
  }

  /** The files of a package repository name no namespace: a PackageRepository puts its Packages into its own. */
  get namespace(): string | undefined {
    return this.object.namespace || undefined
  }

  get installationType(): string {
    return this.#fields === NO_FIELDS ? '' : (textOfField(this.installationTypeField()) ?? '')
  }

  installationTypeField(): ObjectField {
    return childField(this.#spec(), 'installationType')
  }

  get kubernetesVersionSelection(): string {
    return this.#range(PLATFORMS[0])
  }

  get kappControllerVersionSelection(): string {
    return this.#range(PLATFORMS[1])
  }

  #range(platform: LimitedPlatform): string {
    return this.#fields === NO_FIELDS ? '' : (textOfField(this.rangeField(platform)) ?? '')
  }

  /** Returns the fields of the version selections that are not `constraints`, the only one that the CRD has. */
  misplaced(): readonly ObjectField[] {
    if (this.#fields === NO_FIELDS) return []
    return PLATFORMS.flatMap(({ range }) => {
      const selection = childField(this.#spec(), range)
      const keys = isRecord(selection.value) ? Object.keys(selection.value).filter((name) => name !== 'constraints') : []
      return keys.map((name) => childField(selection, name))
    })
  }

  dependencies(): ObjectField {
    const spec: ObjectField = { object: this.object, key: 'spec', parent: undefined, value: this.object.pick(DEPENDENCIES)[0] }
    return childField(spec, 'dependencies')
  }

  provides(): ObjectField | undefined {
    return this.#fields === NO_FIELDS ? undefined : childField(this.#spec(), 'provides')
  }

  brings(): undefined {
    return undefined
  }

  rangeField({ range }: LimitedPlatform): ObjectField {
    return childField(childField(this.#spec(), range), 'constraints')
  }

  #spec(): ObjectField {
    return { object: this.object, key: 'spec', parent: undefined, value: this.#fields }
  }
}

const NO_FIELDS: JsonRecord = newRecord()

class ListedPackage implements CarvelPackage {
  readonly namespace: string | undefined
  readonly refName: string
  readonly version: string
  readonly #field: ObjectField

  constructor({ id, namespace }: CatalogPackage, version: string, field: ObjectField) {
    this.namespace = namespace === '' ? undefined : namespace
    this.refName = id
    this.version = version
    this.#field = field
  }

  get isBare(): boolean {
    return typeof this.#field.value === 'string'
  }

  get installationType(): string {
    return childText(this.#field, 'installationType')
  }

  get kubernetesVersionSelection(): string {
    return textOfField(this.rangeField(PLATFORMS[0])) ?? ''
  }

  get kappControllerVersionSelection(): string {
    return textOfField(this.rangeField(PLATFORMS[1])) ?? ''
  }

  dependencies(): ObjectField | undefined {
    const field = childField(this.#field, 'dependencies')
    return field.value === undefined ? undefined : field
  }

  provides(): ObjectField {
    return childField(this.#field, 'provides')
  }

  brings(): ObjectField {
    return childField(this.#field, 'brings')
  }

  rangeField({ id }: LimitedPlatform): ObjectField {
    return childField(childField(this.#field, 'constraints'), id)
  }
}

/** Every Carvel package that may be installed, with the facts that do not depend on the install that asks. */
export class KnownCarvelPackages {
  readonly packages: readonly CarvelPackage[]
  readonly reader: RangeReader
  readonly #byName: ReadonlyMap<string, readonly CarvelPackage[]>
  readonly #versions = new WeakMap<readonly CarvelPackage[], readonly Version[]>()
  readonly #declared = new Map<CarvelPackage, readonly DeclaredDependency[] | undefined>()
  readonly #silent: Collector

  constructor(packages: readonly CarvelPackage[], dialect: Dialect) {
    this.packages = packages
    this.reader = rangeReader(dialect)
    this.#byName = groupBy(packages, ({ refName }) => refName)
    this.#silent = new Collector('carvel', this.reader, CARVEL_TRAPS)
  }

  /** Returns the Packages of a refName; the same list at each call. */
  named(refName: string): readonly CarvelPackage[] {
    return this.#byName.get(refName) ?? NONE
  }

  /** Returns the versions of some Packages of one refName, highest first. */
  versions(packages: readonly CarvelPackage[]): readonly Version[] {
    return remember(this.#versions, packages, () => versionsOf(packages, this.reader))
  }

  /** Returns the dependencies that a Package declares; undefined when they are not known. Faults of their forms are not reported here. */
  declaredBy(selected: CarvelPackage | undefined): readonly DeclaredDependency[] | undefined {
    if (selected === undefined) return undefined
    if (this.#declared.has(selected)) return this.#declared.get(selected)
    const field = selected.dependencies()
    const declared = field && readDependencies(field, this.#silent)
    this.#declared.set(selected, declared)
    return declared
  }
}

const NONE: readonly CarvelPackage[] = []

/** The Packages of a list, and all that is known of them. */
interface ReadPackages {
  readonly written: readonly WrittenPackage[]
  readonly dialect: Dialect
  readonly stock: KnownCarvelPackages
}

/** By the first Package. One entry for all Packages: an entry for each takes a third of the time of reading them. */
const kept = new WeakMap<KrmObject, ReadPackages>()

/**
 * Returns the Packages of a list with the known packages of the list and of catalogs. Keeps the result: a list is read again after each
 * change, and few changes concern a Package.
 */
export function readCarvelPackages(
  objects: readonly KrmObject[],
  catalog: readonly CatalogPackage[],
  { carvelSemver }: Pick<CarvelOptions, 'carvelSemver'>,
): ReadPackages {
  const dialect = carvelSemver === '2026' ? DIALECTS.carvelhead : DIALECTS.k14s
  const packages = objects.filter(isCarvelPackage)
  const [first] = packages
  const before = first && kept.get(first)
  const written = before === undefined ? packages.map((object) => new WrittenPackage(object)) : readAgain(packages, before.written)
  if (before?.written === written && before.dialect === dialect && catalog.length === 0) return before
  const read = { written, dialect, stock: new KnownCarvelPackages(knownPackages(written, catalog), dialect) }
  if (first !== undefined && catalog.length === 0) kept.set(first, read)
  return read
}

/** Returns the Packages of some objects, and `before` itself if none has changed. Only Packages that have changed are read. */
function readAgain(objects: readonly KrmObject[], before: readonly WrittenPackage[]): readonly WrittenPackage[] {
  const isSame = (each: WrittenPackage | undefined, object: KrmObject) => each?.object === object && each.text === object.toText()
  if (objects.length === before.length && objects.every((object, at) => isSame(before[at], object))) return before
  const known = new Map(before.map((each) => [each.object, each]))
  return objects.map((object) => {
    const each = known.get(object)
    return each !== undefined && isSame(each, object) ? each : new WrittenPackage(object)
  })
}

/** Returns the versions of some Packages, highest first. */
export function versionsOf(packages: readonly CarvelPackage[], reader: RangeReader): Version[] {
  const texts = [...new Set(packages.map(({ version }) => version))].sort(compareText)
  return sortVersions(parseRelaxed(texts, reader.version), reader.dialect).reverse()
}
