import { compareText } from '../../field-path.ts'
import type { Collector } from '../reading/collector.ts'
import { type DependsOnPackage, PACKAGE_API } from './dependencies.ts'
import { type KnownPackages, metadataOfPackage, type PackageMetadata } from './known.ts'

/** The kind of object that installs a package. */
export interface PackageKind {
  readonly apiVersion: string
  /** Provider, Configuration or Function. */
  readonly kind: string
}

/** Finds the kind of object that installs a package, from requirements and from catalogs. */
export class PackageKinds {
  readonly #known: KnownPackages
  readonly #collector: Collector
  #required: RequiredKinds | undefined

  constructor(known: KnownPackages, collector: Collector) {
    this.#known = known
    this.#collector = collector
  }

  /** Returns the kind for a source; undefined when no requirement and no catalog names one. */
  of(source: string): PackageKind | undefined {
    const listed = this.#known.kindOf(source)
    return this.#kinds().of(source) ?? (listed === '' ? undefined : { apiVersion: PACKAGE_API, kind: listed })
  }

  /** Accepts kinds that a caller has already collected from the requirements of every version. */
  know(required: RequiredKinds): void {
    this.#required = required
  }

  /** Returns the kinds that the requirements of all known versions name. The requirements are read at the first call. */
  #kinds(): RequiredKinds {
    if (this.#required !== undefined) return this.#required
    const required = new RequiredKinds()
    for (const each of this.#known.all) required.add(metadataOfPackage(each, this.#collector))
    this.#required = required
    return required
  }
}

/**
 * The kinds that requirements name. If two requirements name different kinds for one source, the first in the order of texts counts,
 * whichever was read first.
 */
export class RequiredKinds {
  readonly #kinds = new Map<string, PackageKind>()

  of(source: string): PackageKind | undefined {
    return this.#kinds.get(source)
  }

  add({ dependsOn = [] }: PackageMetadata): void {
    for (const each of dependsOn) if (each.type === 'package' && each.kind !== '') this.#note(each)
  }

  #note({ apiVersion, kind, source }: DependsOnPackage): void {
    const there = this.#kinds.get(source)
    if (there?.kind === kind && there.apiVersion === apiVersion) return
    const isFirst = there === undefined || compareText(`${kind} ${apiVersion}`, `${there.kind} ${there.apiVersion}`) < 0
    if (isFirst) this.#kinds.set(source, { apiVersion, kind })
  }
}
