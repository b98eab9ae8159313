import { compareText } from '../../field-path.ts'
import type { Collector } from '../reading/collector.ts'
import { type DependsOnPackage, PACKAGE_API } from './dependencies.ts'
import { type KnownPackages, metadataOfPackage, type PackageMetadata } from './known.ts'

/** What object installs a package. */
export interface PackageKind {
  readonly apiVersion: string
  /** Provider, Configuration or Function. */
  readonly kind: string
}

/** Which objects install packages, as far as those who require them or a catalog say so. */
export class PackageKinds {
  readonly #known: KnownPackages
  readonly #collector: Collector
  #required: RequiredKinds | undefined

  constructor(known: KnownPackages, collector: Collector) {
    this.#known = known
    this.#collector = collector
  }

  /** Undefined: nobody says. */
  of(source: string): PackageKind | undefined {
    const listed = this.#known.kindOf(source)
    return this.#kinds().of(source) ?? (listed === '' ? undefined : { apiVersion: PACKAGE_API, kind: listed })
  }

  /** Takes what the requirements of every version say from somebody who has read them. */
  know(required: RequiredKinds): void {
    this.#required = required
  }

  /** What requirements say, of every version that is known; read when somebody asks. */
  #kinds(): RequiredKinds {
    if (this.#required !== undefined) return this.#required
    const required = new RequiredKinds()
    for (const each of this.#known.all) required.add(metadataOfPackage(each, this.#collector))
    this.#required = required
    return required
  }
}

/** What requirements say. Where two say different things, the lesser text counts, whoever comes first. */
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
