import { compareText } from '../../field-path.ts'
import { groupBy } from '../../group-by.ts'
import { DIALECTS, type Dialect } from '../../versions/dialects.ts'
import { parseRelaxed, sortVersions } from '../../versions/selection.ts'
import type { Version } from '../../versions/version.ts'
import { type RangeReader, rangeReader } from '../range.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { Collector } from '../reading/collector.ts'
import { CARVEL_TRAPS } from './constraint-traps.ts'
import { type DeclaredDependency, readDependencies } from './dependencies.ts'
import type { CarvelOptions } from './options.ts'
import { type CarvelPackage, knownPackages, type WrittenPackage } from './packages.ts'

/** Every Carvel package that may be installed, with what is the same of it whoever looks. */
export class CarvelPackageIndex {
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

  /** The Packages of a refName; the same list each time. */
  named(refName: string): readonly CarvelPackage[] {
    return this.#byName.get(refName) ?? NONE
  }

  /** The versions of some Packages of one refName, highest first. */
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

interface KeptStock {
  readonly written: readonly WrittenPackage[]
  readonly dialect: Dialect
  readonly stock: CarvelPackageIndex
}

const kept = new WeakMap<WrittenPackage, KeptStock>()

/** The stock of some Packages and catalogs. A list is read again after each change of it, and hardly any change is one of a Package. */
export function stockOf(
  written: readonly WrittenPackage[],
  catalog: readonly CatalogPackage[],
  { carvelSemver }: Pick<CarvelOptions, 'carvelSemver'>,
): CarvelPackageIndex {
  const dialect = carvelSemver === '2026' ? DIALECTS.carvelhead : DIALECTS.k14s
  const [first] = written
  const before = first && kept.get(first)
  if (before?.dialect === dialect && catalog.length === 0 && isSame(before.written, written)) return before.stock
  const stock = new CarvelPackageIndex(knownPackages(written, catalog), dialect)
  if (first !== undefined && catalog.length === 0) kept.set(first, { written, dialect, stock })
  return stock
}

function isSame(before: readonly WrittenPackage[], written: readonly WrittenPackage[]): boolean {
  return before.length === written.length && before.every((each, i) => each === written[i])
}

/** The versions of some Packages, highest first. */
export function versionsOf(packages: readonly CarvelPackage[], reader: RangeReader): Version[] {
  const texts = [...new Set(packages.map(({ version }) => version))].sort(compareText)
  return sortVersions(parseRelaxed(texts, reader.version), reader.dialect).reverse()
}
