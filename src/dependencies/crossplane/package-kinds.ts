import { compareText } from '../../field-path.ts'
import type { Collector } from '../reading/collector.ts'
import { type DependsOn, PACKAGE_API } from './dependencies.ts'
import { type KnownPackages, metadataOf } from './known.ts'

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
  #required: ReadonlyMap<string, PackageKind> | undefined

  constructor(known: KnownPackages, collector: Collector) {
    this.#known = known
    this.#collector = collector
  }

  /** Undefined: nobody says. */
  of(source: string): PackageKind | undefined {
    const listed = this.#known.kindOf(source)
    return this.#kinds().get(source) ?? (listed === '' ? undefined : { apiVersion: PACKAGE_API, kind: listed })
  }

  /** What requirements say, of every version that is known; read when somebody asks. */
  #kinds(): ReadonlyMap<string, PackageKind> {
    this.#required ??= requiredKinds(this.#known.all.flatMap((each) => metadataOf(each, this.#collector).dependsOn ?? []))
    return this.#required
  }
}

/** Where two say different things, the lesser text counts, whoever comes first. */
function requiredKinds(dependsOn: readonly DependsOn[]): ReadonlyMap<string, PackageKind> {
  const kinds = new Map<string, PackageKind>()
  for (const each of dependsOn) {
    if (each.type !== 'package' || each.kind === '') continue
    const { apiVersion, kind, source } = each
    const there = kinds.get(source)
    const isFirst = there === undefined || compareText(`${kind} ${apiVersion}`, `${there.kind} ${there.apiVersion}`) < 0
    if (isFirst) kinds.set(source, { apiVersion, kind })
  }
  return kinds
}
