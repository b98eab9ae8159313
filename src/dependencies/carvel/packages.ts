import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { DIALECTS, type Dialect } from '../../versions/dialects.ts'
import { parseRelaxed, sortVersions } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import { selectionOf } from '../../yaml/read/wanted.ts'
import { type RangeReader, rangeReader } from '../range.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { childField, childText, type ObjectField } from '../reading/field.ts'
import { isOfKind, namespaceOf } from '../reading/object-metadata.ts'
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

/** A Package that may be selected. */
export interface SelectablePackage {
  readonly refName: string
  readonly version: string
  readonly kubernetesVersionSelection?: string | undefined
  readonly kappControllerVersionSelection?: string | undefined
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
  provides(): ObjectField
  /** Returns the field of the objects that a catalog lists as part of this version. */
  brings(): ObjectField | undefined
  /** Returns the fields with the ranges of Kubernetes and of kapp-controller that the Package runs on. */
  platform(): { readonly kubernetes: ObjectField; readonly kappController: ObjectField }
}

const PACKAGE_GROUPS: ReadonlySet<string> = new Set(['data.packaging.carvel.dev', 'internal.packaging.carvel.dev'])

export function isCarvelPackage(object: KrmObject): boolean {
  return isOfKind(object, 'Package', PACKAGE_GROUPS) || isOfKind(object, 'InternalPackage', PACKAGE_GROUPS)
}

export function isPackageMetadata(object: KrmObject): boolean {
  return isOfKind(object, 'PackageMetadata', PACKAGE_GROUPS) || isOfKind(object, 'InternalPackageMetadata', PACKAGE_GROUPS)
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
const FIELDS = selectionOf(
  { path: ['metadata'], keys: ['name', 'namespace'] },
  {
    path: ['spec'],
    keys: [
      'refName',
      'version',
      'installationType',
      'provides',
      'dependencies',
      'kubernetesVersionSelection',
      'kappControllerVersionSelection',
    ],
  },
)

const read = new WeakMap<KrmObject, { readonly text: string; readonly written: WrittenPackage }>()

/**
 * Returns the Package of an object. Keeps the result until the object's text changes: a list is read again after each change, and few
 * changes concern a Package.
 */
export function writtenPackage(object: KrmObject): WrittenPackage {
  const text = object.toText()
  const known = read.get(object)
  if (known?.text === text) return known.written
  const written = new WrittenPackage(object)
  read.set(object, { text, written })
  return written
}

/** A Package object. */
export class WrittenPackage implements CarvelPackage {
  readonly isBare = false
  readonly object: KrmObject
  /** '' where it has none. */
  readonly name: string
  readonly namespace: string
  readonly refName: string
  readonly version: string
  readonly #spec: ObjectField

  constructor(object: KrmObject) {
    const [metadata = {}, spec] = object.pick(FIELDS)
    const [name, namespace] = [lookup(metadata, 'name'), lookup(metadata, 'namespace')]
    this.#spec = { object, key: 'spec', parent: undefined, value: spec }
    this.object = object
    // The object has the text of a name or namespace that is no string, such as `12`.
    this.name = name === undefined ? '' : typeof name === 'string' ? name : (object.name ?? '')
    this.namespace = namespace === undefined ? 'default' : namespaceOf(typeof namespace === 'string' ? { namespace } : object)
    this.refName = childText(this.#spec, 'refName')
    this.version = childText(this.#spec, 'version')
  }

  get installationType(): string {
    return childText(this.#spec, 'installationType')
  }

  installationTypeField(): ObjectField {
    return childField(this.#spec, 'installationType')
  }

  get kubernetesVersionSelection(): string {
    return childText(childField(this.#spec, 'kubernetesVersionSelection'), 'constraints')
  }

  get kappControllerVersionSelection(): string {
    return childText(childField(this.#spec, 'kappControllerVersionSelection'), 'constraints')
  }

  dependencies(): ObjectField {
    return childField(this.#spec, 'dependencies')
  }

  provides(): ObjectField {
    return childField(this.#spec, 'provides')
  }

  brings(): undefined {
    return undefined
  }

  platform(): { readonly kubernetes: ObjectField; readonly kappController: ObjectField } {
    return {
      kubernetes: childField(childField(this.#spec, 'kubernetesVersionSelection'), 'constraints'),
      kappController: childField(childField(this.#spec, 'kappControllerVersionSelection'), 'constraints'),
    }
  }
}

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
    return childText(childField(this.#field, 'constraints'), 'kubernetes')
  }

  get kappControllerVersionSelection(): string {
    return childText(childField(this.#field, 'constraints'), 'kappController')
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

  platform(): { readonly kubernetes: ObjectField; readonly kappController: ObjectField } {
    const constraints = childField(this.#field, 'constraints')
    return { kubernetes: childField(constraints, 'kubernetes'), kappController: childField(constraints, 'kappController') }
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
    const known = this.#versions.get(packages)
    if (known !== undefined) return known
    const versions = versionsOf(packages, this.reader)
    this.#versions.set(packages, versions)
    return versions
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

interface KeptPackages {
  readonly written: readonly WrittenPackage[]
  readonly dialect: Dialect
  readonly stock: KnownCarvelPackages
}

const kept = new WeakMap<WrittenPackage, KeptPackages>()

/**
 * Returns the known packages of some Packages and catalogs. Keeps the result: a list is read again after each change, and few changes
 * concern a Package.
 */
export function knownCarvelPackages(
  written: readonly WrittenPackage[],
  catalog: readonly CatalogPackage[],
  { carvelSemver }: Pick<CarvelOptions, 'carvelSemver'>,
): KnownCarvelPackages {
  const dialect = carvelSemver === '2026' ? DIALECTS.carvelhead : DIALECTS.k14s
  const [first] = written
  const before = first && kept.get(first)
  if (before?.dialect === dialect && catalog.length === 0 && isSame(before.written, written)) return before.stock
  const stock = new KnownCarvelPackages(knownPackages(written, catalog), dialect)
  if (first !== undefined && catalog.length === 0) kept.set(first, { written, dialect, stock })
  return stock
}

function isSame(before: readonly WrittenPackage[], written: readonly WrittenPackage[]): boolean {
  return before.length === written.length && before.every((each, i) => each === written[i])
}

/** Returns the versions of some Packages, highest first. */
export function versionsOf(packages: readonly CarvelPackage[], reader: RangeReader): Version[] {
  const texts = [...new Set(packages.map(({ version }) => version))].sort(compareText)
  return sortVersions(parseRelaxed(texts, reader.version), reader.dialect).reverse()
}
