import { compareText } from '../../field-path.ts'
import { type DependsOn, PACKAGE_API } from './dependencies.ts'
import type { KnownPackages } from './known.ts'

/** What object installs a package. */
export interface PackageKind {
  readonly apiVersion: string
  /** Provider, Configuration or Function. */
  readonly kind: string
}

/** Which objects install packages, as far as those who require them or a catalog say so. */
export class PackageKinds {
  readonly #kinds = new Map<string, PackageKind>()
  readonly #known: KnownPackages

  constructor(known: KnownPackages) {
    this.#known = known
  }

  /** Notes what requirements say. Where two say different things, the lesser text counts, whoever comes first. */
  add(dependsOn: readonly DependsOn[]): void {
    for (const each of dependsOn) {
      if (each.type !== 'package' || each.kind === '') continue
      const { apiVersion, kind, source } = each
      const there = this.#kinds.get(source)
      const isFirst = there === undefined || compareText(`${kind} ${apiVersion}`, `${there.kind} ${there.apiVersion}`) < 0
      if (isFirst) this.#kinds.set(source, { apiVersion, kind })
    }
  }

  /** Undefined: nobody says. */
  of(source: string): PackageKind | undefined {
    const required = this.#kinds.get(source)
    const listed = this.#known.kindOf(source)
    return required ?? (listed === '' ? undefined : { apiVersion: PACKAGE_API, kind: listed })
  }
}
